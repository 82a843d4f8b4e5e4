package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TxnOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows keep their strings while codes are freed and assigned again; compared with a model. */
class ReleasedStringsTest {
  private static final int TABLE = 16;
  private static final int ID = 0;
  private static final int TEXT = 1;
  private static final int ROWS = 40;
  private static final int OPEN_MAX = 5;
  private static final int STEPS = Integer.getInteger("gpdb.fuzz", 700);
  private static final TableShape SHAPE =
      new TableShape(
          List.of(new ColumnShape("ID", ElementType.I32), new ColumnShape("S", ElementType.CODE)),
          List.of(
              new IndexShape(0, new int[] {ID}, true), new IndexShape(1, new int[] {TEXT}, false)));

  private CrashableDirectory medium = new CrashableDirectory();
  private TransactionManager manager = open(Protocol.REDO);
  private final List<Session> open = new ArrayList<>();
  private Map<Integer, String> committed = new TreeMap<>();

  /** A transaction with what it must see. */
  private static final class Session {
    final Transaction tx;
    Map<Integer, String> seen;
    final Set<Integer> written = new HashSet<>();
    @Nullable Savepoint savepoint;
    Map<Integer, String> atSavepoint = Map.of();

    Session(Transaction tx, Map<Integer, String> seen) {
      this.tx = tx;
      this.seen = new TreeMap<>(seen);
    }
  }

  private TransactionManager open(Protocol protocol) {
    TxnOptions options = TxnOptions.standard().withProtocol(protocol);
    return TransactionManager.open(medium, SampleDatabase.DEVICE, options);
  }

  @AfterEach
  void close() {
    manager.close();
    medium.close();
  }

  private static Dictionary dictionary(Transaction tx) {
    return (Dictionary) Objects.requireNonNull(tx.reader(TABLE).strings(TEXT));
  }

  private static int code(Transaction tx, String s) {
    tx.usesCodes();
    byte[] b = s.getBytes(UTF_8);
    return dictionary(tx).intern(b, 0, b.length);
  }

  private void create() {
    Transaction tx = manager.begin();
    tx.createTable(TABLE, SHAPE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ids = arena.allocate(4L * ROWS, 8);
      MemorySegment codes = arena.allocate(4L * ROWS, 8);
      for (int id = 0; id < ROWS; id++) {
        ids.setAtIndex(JAVA_INT, id, id);
        codes.setAtIndex(JAVA_INT, id, code(tx, "first " + id));
        committed.put(id, "first " + id);
      }
      ColumnView[] columns = {
        ColumnView.mapped(HostMemory.INSTANCE, ElementType.I32, ids, null),
        ColumnView.mapped(HostMemory.INSTANCE, ElementType.CODE, codes, null)
      };
      tx.writer(TABLE).insert(columns, ROWS);
    }
    tx.commit();
  }

  private static void put(Transaction tx, int id, String s) {
    long row = tx.writer(TABLE).findByKey(0, new long[] {id});
    tx.writer(TABLE)
        .updateRow(row, new int[] {TEXT}, new long[] {code(tx, s)}, new boolean[] {false});
    tx.writer(TABLE).finishStatement();
  }

  private static Map<Integer, String> contents(Transaction tx) {
    Map<Integer, String> found = new TreeMap<>();
    long[] values = new long[2];
    for (int id = 0; id < ROWS; id++) {
      TableReader reader = tx.reader(TABLE);
      long row = reader.findByKey(0, new long[] {id});
      assertThat(reader.read(row, new int[] {ID, TEXT}, values, new boolean[2])).isTrue();
      found.put(id, dictionary(tx).string((int) values[1]));
    }
    return found;
  }

  @Test
  void aStringThatASnapshotSeesStays() {
    create();
    Transaction old = manager.begin();
    Transaction tx = manager.begin();
    put(tx, 1, "second");
    tx.commit();
    manager.releaseStrings();
    assertThat(contents(old)).isEqualTo(committed);
    old.rollback();
    manager.releaseStrings();
    Transaction last = manager.begin();
    assertThat(dictionary(last).usedCodes()).isEqualTo(ROWS);
    assertThat(dictionary(last).find("first 1".getBytes(UTF_8), 0, 7)).isEqualTo(-1);
    last.rollback();
  }

  @Test
  void aStringFoundAndNotStoredYetStays() {
    create();
    Transaction gone = manager.begin();
    put(gone, 2, "third");
    gone.commit();
    Transaction tx = manager.begin();
    int found = code(tx, "first 2");
    manager.releaseStrings();
    manager.releaseStrings();
    assertThat(dictionary(tx).string(found)).isEqualTo("first 2");
    tx.rollback();
    manager.releaseStrings();
    assertThat(((Dictionary) manager.begin().reader(TABLE).strings(TEXT)).bytesOrNull(found))
        .isNull();
  }

  @Test
  void aCloseLooksAtTheTablesThatHaveChanged() {
    create();
    manager.close();
    assertThat(roundsOfAClose(tx -> assertThat(contents(tx)).isEqualTo(committed))).isZero();
    assertThat(roundsOfAClose(tx -> put(tx, 3, "third"))).isEqualTo(1);
    assertThat(roundsOfAClose(tx -> put(tx, 4, "first 5"))).isEqualTo(1);
    assertThat(roundsOfAClose(tx -> code(tx, "stored nowhere"))).isEqualTo(1);
    assertThat(roundsOfAClose(tx -> assertThat(isThere(tx, "first 3")).isFalse())).isZero();
    assertThat(roundsOfAClose(tx -> assertThat(isThere(tx, "first 4")).isFalse())).isZero();
    assertThat(roundsOfAClose(tx -> assertThat(isThere(tx, "stored nowhere")).isFalse())).isZero();
  }

  private static boolean isThere(Transaction tx, String s) {
    byte[] b = s.getBytes(UTF_8);
    return dictionary(tx).find(b, 0, b.length) >= 0;
  }

  @Test
  void aCloseLooksAtTheTablesAfterARecovery() {
    create();
    CrashableDirectory crashed = medium.crash(CrashChoice.keepNothing());
    manager.close();
    medium.close();
    medium = crashed;
    assertThat(roundsOfAClose(tx -> {})).isEqualTo(1);
    assertThat(roundsOfAClose(tx -> {})).isZero();
  }

  /** Of the only table, in a process that does no more than that. */
  private int roundsOfAClose(Consumer<Transaction> act) {
    manager = open(Protocol.REDO);
    TableSpace space = manager.space();
    Transaction tx = manager.begin();
    act.accept(tx);
    tx.commit();
    int before = space.codeRound();
    manager.close();
    return space.codeRound() - before;
  }

  @Test
  void aRolledBackStringIsReleased() {
    create();
    Transaction tx = manager.begin();
    put(tx, 3, "never");
    tx.rollback();
    manager.releaseStrings();
    Transaction last = manager.begin();
    assertThat(contents(last)).isEqualTo(committed);
    assertThat(dictionary(last).usedCodes()).isEqualTo(ROWS);
    last.rollback();
  }

  @ParameterizedTest
  @CsvSource({"REDO,1", "REDO,2", "UNDO,3", "VERSIONED,4", "AUTO,5"})
  void rowsHaveTheStringsOfAModel(Protocol protocol, long number) {
    long seed = Long.getLong("gpdb.seed", number);
    manager.close();
    manager = open(protocol);
    create();
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      step(random, protocol);
      for (Session session : open) {
        assertThat(contents(session.tx)).as("seed=%d, step=%d", seed, step).isEqualTo(session.seen);
      }
    }
    endAll();
    manager.releaseStrings();
    assertThat(manager.space().check()).as("seed=%d", seed).isEmpty();
    Transaction last = manager.begin();
    assertThat(dictionary(last).usedCodes()).isEqualTo(Set.copyOf(committed.values()).size());
    last.rollback();
  }

  private void step(Random random, Protocol protocol) {
    switch (random.nextInt(12)) {
      case 0, 1 -> {
        if (open.size() < OPEN_MAX) {
          open.add(new Session(manager.begin(), committed));
        }
      }
      case 2, 3, 4 -> withOne(random, session -> write(session, random));
      case 5 -> withOne(random, this::commit);
      case 6 ->
          withOne(
              random,
              session -> {
                session.savepoint = session.tx.savepoint();
                session.atSavepoint = new TreeMap<>(session.seen);
              });
      case 7 -> withOne(random, ReleasedStringsTest::rollbackTo);
      case 8, 9 -> manager.releaseStrings();
      case 10 -> {
        if (random.nextBoolean()) {
          manager.checkpoint();
        } else {
          withOne(random, this::rollback);
        }
      }
      default -> {
        if (random.nextInt(8) == 0) {
          crash(protocol);
        }
      }
    }
  }

  private interface Act {
    void on(Session session);
  }

  private void withOne(Random random, Act act) {
    if (!open.isEmpty()) {
      act.on(open.get(random.nextInt(open.size())));
    }
  }

  private void write(Session session, Random random) {
    try {
      for (int i = random.nextInt(8); i >= 0; i--) {
        int id = random.nextInt(ROWS);
        String s = "text " + random.nextInt(3 * ROWS);
        put(session.tx, id, s);
        session.seen.put(id, s);
        session.written.add(id);
      }
    } catch (GpdbException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT);
      rollback(session);
    }
  }

  private static void rollbackTo(Session session) {
    Savepoint savepoint = session.savepoint;
    if (savepoint != null) {
      session.tx.rollbackTo(savepoint);
      session.seen = new TreeMap<>(session.atSavepoint);
    }
  }

  private void commit(Session session) {
    session.tx.commit();
    // Rows that a savepoint took back are as others have left them.
    Transaction now = manager.begin();
    Map<Integer, String> found = contents(now);
    now.rollback();
    for (int id = 0; id < ROWS; id++) {
      boolean own = session.written.contains(id);
      assertThat(found.get(id)).isIn(committed.get(id), own ? session.seen.get(id) : null);
    }
    committed = found;
    open.remove(session);
  }

  private void rollback(Session session) {
    session.tx.rollback();
    open.remove(session);
  }

  private void endAll() {
    List.copyOf(open).forEach(this::rollback);
  }

  private void crash(Protocol protocol) {
    open.clear();
    CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
    manager.abandon();
    medium.close();
    medium = left;
    manager = open(protocol);
    Transaction tx = manager.begin();
    assertThat(contents(tx)).isEqualTo(committed);
    tx.rollback();
    assertThat(manager.space().check()).isEmpty();
  }
}
