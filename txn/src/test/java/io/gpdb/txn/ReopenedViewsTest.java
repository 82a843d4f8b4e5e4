package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A closed view opens again exactly where a new one would show the same buffers. */
class ReopenedViewsTest {
  private static final int[] COLUMNS = {ID, AMOUNT};
  private static final int STEPS = 150;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager = SampleDatabase.withTable(directory, Protocol.REDO);
  private final List<Transaction> open = new ArrayList<>();
  private final Map<Integer, Seen> kept = new HashMap<>();
  private int rows;
  private int reopened;
  private int refused;

  /** What a view has shown. */
  private record Seen(TabletView view, List<Object> shown, int identities) {
    static Seen of(TabletView view) {
      List<Object> shown = new ArrayList<>(List.of(view.rowCount(), view.allLive(), view.live()));
      for (int i = 0; i < COLUMNS.length; i++) {
        ColumnView column = view.column(i);
        shown.add(column.values());
        shown.add(column.validity() == null ? "no NULLs" : column.validity());
      }
      return new Seen(view, shown, 2);
    }

    boolean isSameAs(Seen other) {
      boolean same = view.copiedBytes() == 0 && other.view.copiedBytes() == 0;
      for (int i = 0; i < shown.size(); i++) {
        Object own = shown.get(i);
        same &= i < identities ? own.equals(other.shown.get(i)) : own == other.shown.get(i);
      }
      return same;
    }
  }

  @AfterEach
  void close() {
    open.forEach(Transaction::rollback);
    manager.close();
    directory.close();
  }

  private void commit(java.util.function.Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private void append(int n) {
    commit(tx -> insert(tx, rows, n, id -> id));
    rows += n;
  }

  @Test
  void aClosedViewOpensAgainWhereANewOneWouldBeTheSame() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    append(Tablet.ROWS + 10);
    for (int step = 0; step < STEPS; step++) {
      change(random);
      Transaction fresh = manager.begin();
      compare(fresh, random, "seed=" + seed + ", step=" + step);
      for (Transaction other : open) {
        compare(other, random, "seed=" + seed + ", step=" + step + ", older");
      }
      fresh.rollback();
    }
    assertThat(reopened).isGreaterThan(STEPS / 2);
    assertThat(refused).isGreaterThan(STEPS / 4);
  }

  /** The row limit and the buffers are as before. */
  @Test
  void aViewOfRowsThatWereAllThereDoesNotOpenAgainWhenOneIsGone() {
    append(100);
    Transaction before = manager.begin();
    TabletView all = before.reader(SampleDatabase.TABLE).open(0, COLUMNS);
    all.close();
    before.rollback();
    assertThat(all.allLive()).isTrue();
    commit(tx -> delete(tx, id -> id == 7));
    Transaction after = manager.begin();
    boolean again = after.reader(SampleDatabase.TABLE).reopen(all, 0, COLUMNS);
    all.close();
    after.rollback();
    assertThat(again).isFalse();
  }

  private void change(Random random) {
    int some = random.nextInt(rows);
    switch (random.nextInt(9)) {
      case 0 -> append(1 + random.nextInt(40));
      case 1 -> unlessOpen(() -> commit(tx -> update(tx, id -> id == some, id -> id + 1)));
      case 2 -> unlessOpen(() -> commit(tx -> update(tx, id -> id == some, id -> NULL)));
      case 3 -> unlessOpen(() -> commit(tx -> delete(tx, id -> id == some)));
      case 4 -> manager.checkpoint();
      case 5 -> {
        if (open.isEmpty()) {
          open.add(manager.begin()); // an old snapshot
          commit(tx -> update(tx, id -> id == some, id -> id + 2));
        }
      }
      case 6 -> {
        if (open.isEmpty()) {
          Transaction writer = manager.begin();
          open.add(writer);
          update(writer, id -> id == some, id -> id + 3);
        }
      }
      case 7 -> {
        open.forEach(Transaction::rollback);
        open.clear();
      }
      default -> {
        if (open.isEmpty() && random.nextInt(4) == 0) {
          manager.close();
          manager = SampleDatabase.open(directory, Protocol.REDO);
        }
      }
    }
  }

  private void unlessOpen(Runnable work) {
    if (open.isEmpty()) {
      work.run();
    }
  }

  private void compare(Transaction tx, Random random, String place) {
    TableReader reader = tx.reader(SampleDatabase.table(tx));
    for (int t = 0; t < reader.tabletCount(); t++) {
      Seen now;
      try (TabletView view = reader.open(t, COLUMNS)) {
        now = Seen.of(view);
      }
      Seen before = kept.get(t);
      if (before != null) {
        boolean same = before.isSameAs(now);
        if (reader.reopen(before.view, t, COLUMNS)) {
          before.view.close();
          assertThat(same).as(place + ", tablet=" + t).isTrue();
          reopened++;
        } else {
          // Versions of other columns that the reader does not see refuse it, too.
          assertThat(same && open.isEmpty()).as(place + ", tablet=" + t).isFalse();
          refused++;
        }
        assertThat(canBeWritten(SampleDatabase.table(tx), t)).as(place).isTrue();
      }
      if (before == null || random.nextInt(3) == 0) {
        kept.put(t, now);
      }
    }
  }

  /** The latch was given back. */
  private boolean canBeWritten(int table, int tablet) {
    Tablet of = manager.space().table(table).tablet(tablet);
    boolean free = of.latch().writeLock().tryLock();
    if (free) {
      of.latch().writeLock().unlock();
    }
    return free;
  }
}
