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
import io.gpdb.txn.api.TableSight;
import io.gpdb.txn.api.TabletView;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A reader sees as an earlier one did exactly where its views would show the same buffers. */
class TableSightTest {
  private static final int[] COLUMNS = {ID, AMOUNT};
  private static final int STEPS = 150;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager = SampleDatabase.withTable(directory, Protocol.REDO);
  private final List<Transaction> open = new ArrayList<>();
  private Seen kept;
  private int rows;
  private int same;
  private int others;

  /** What the views of all tablets have shown, where none had copies. */
  private record Seen(TableSight sight, List<Object> buffers) {}

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
  void aReaderSeesAsAnEarlierOneWhereItsViewsWouldBeTheSame() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    append(Tablet.ROWS + 10);
    for (int step = 0; step < STEPS; step++) {
      change(random);
      Transaction fresh = manager.begin();
      compare(fresh, "seed=" + seed + ", step=" + step);
      for (Transaction other : open) {
        compare(other, "seed=" + seed + ", step=" + step + ", older");
      }
      fresh.rollback();
    }
    assertThat(same).isGreaterThan(STEPS / 8);
    assertThat(others).isGreaterThan(STEPS / 8);
  }

  @Test
  void whoHasWrittenToTheTableLeavesNoSight() {
    append(100);
    Transaction writer = manager.begin();
    assertThat(writer.reader(SampleDatabase.table(writer)).sight()).isNotNull();
    update(writer, id -> id == 3, id -> id + 1);
    assertThat(writer.reader(SampleDatabase.table(writer)).sight()).isNull();
    writer.rollback();
  }

  @Test
  void anOlderSnapshotDoesNotSeeAsANewerOne() {
    append(100);
    Transaction older = manager.begin();
    commit(tx -> update(tx, id -> id == 3, id -> id + 1));
    Transaction newer = manager.begin();
    TableSight sight = newer.reader(SampleDatabase.table(newer)).sight();
    assertThat(newer.reader(SampleDatabase.table(newer)).seesAs(sight, COLUMNS)).isTrue();
    assertThat(older.reader(SampleDatabase.table(older)).seesAs(sight, COLUMNS)).isFalse();
    older.rollback();
    newer.rollback();
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

  private void compare(Transaction tx, String place) {
    TableReader reader = tx.reader(SampleDatabase.table(tx));
    boolean seesAs = kept != null && reader.seesAs(kept.sight, COLUMNS);
    TableSight sight = reader.sight();
    List<Object> buffers = new ArrayList<>();
    long copied = 0;
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, COLUMNS)) {
        copied += view.copiedBytes();
        buffers.add(view.live());
        for (int i = 0; i < COLUMNS.length; i++) {
          ColumnView column = view.column(i);
          buffers.add(column.values());
          buffers.add(column.validity() == null ? "no NULLs" : column.validity());
        }
      }
    }
    if (seesAs) {
      same++;
      assertThat(copied).as(place).isZero();
      assertThat(isSame(buffers, kept.buffers)).as(place).isTrue();
    } else {
      others++;
    }
    if (sight != null && copied == 0 && sight.isCurrent()) {
      kept = new Seen(sight, buffers);
    }
  }

  private static boolean isSame(List<Object> some, List<Object> before) {
    boolean isSame = some.size() == before.size();
    for (int i = 0; isSame && i < some.size(); i++) {
      isSame = some.get(i) == before.get(i);
    }
    return isSame;
  }
}
