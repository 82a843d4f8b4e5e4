package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.open;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowsTest {
  private static final int[] COUNTS = {
    0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537, 140000
  };

  static Stream<Arguments> countsAndProtocols() {
    return java.util.Arrays.stream(COUNTS)
        .boxed()
        .flatMap(
            n ->
                Stream.of(Protocol.values())
                    .filter(p -> p == Protocol.REDO || n <= 65 || n == 1025)
                    .map(p -> Arguments.of(n, p)));
  }

  @ParameterizedTest
  @MethodSource("countsAndProtocols")
  void committedRowsAreThereAfterReopeningWithoutACheckpoint(int n, Protocol protocol) {
    CrashableDirectory directory = new CrashableDirectory();
    Map<Integer, Long> model;
    try (TransactionManager manager = withTable(directory, protocol)) {
      Transaction tx = manager.begin();
      insert(tx, 0, n, id -> id % 5 == 3 ? NULL : id * 3L);
      tx.commit();
      model = expected(0, n, id -> id % 5 == 3 ? NULL : id * 3L);
      tx = manager.begin();
      update(tx, id -> id % 3 == 1, id -> id % 2 == 0 ? NULL : -id);
      model.replaceAll((id, old) -> id % 3 == 1 ? id % 2 == 0 ? NULL : (long) -id : old);
      delete(tx, id -> id % 10 == 7);
      model.keySet().removeIf(id -> id % 10 == 7);
      assertThat(contents(tx)).isEqualTo(model);
      tx.commit();
      assertThat(contents(manager)).isEqualTo(model);
      manager.abandon();
    }
    CrashableDirectory crashed = directory.crash(CrashChoice.keepNothing());
    try (TransactionManager manager = open(crashed, protocol)) {
      assertThat(manager.recovery().cleanShutdown()).isFalse();
      assertThat(contents(manager)).isEqualTo(model);
      assertThat(manager.space().check()).isEmpty();
    }
    try (TransactionManager manager = open(crashed, protocol)) {
      assertThat(manager.recovery().cleanShutdown()).isTrue();
      assertThat(contents(manager)).isEqualTo(model);
      assertThat(manager.space().check()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("counts")
  void aMemoryDatabaseKeepsRowsWhileItIsOpen(int n) {
    try (TransactionManager manager = withTable(new VolatileDirectory("rows"), Protocol.REDO)) {
      Transaction tx = manager.begin();
      insert(tx, 0, n, id -> id);
      tx.commit();
      tx = manager.begin();
      update(tx, id -> id % 2 == 0, id -> id + 1);
      tx.commit();
      assertThat(contents(manager)).isEqualTo(expected(0, n, id -> id % 2 == 0 ? id + 1 : id));
    }
  }

  static Stream<Integer> counts() {
    return java.util.Arrays.stream(COUNTS).boxed();
  }
}
