package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.shape;
import static io.gpdb.txn.SampleDatabase.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrashTest {
  static Stream<TxnOptions> options() {
    TxnOptions o = TxnOptions.standard();
    return Stream.of(
        o,
        o.withLog(LogKind.CONVENTIONAL),
        o.withProtocol(Protocol.UNDO),
        o.withProtocol(Protocol.VERSIONED),
        o.withProtocol(Protocol.CHECKSUMMED),
        o.withProtocol(Protocol.UNDO).withLog(LogKind.CONVENTIONAL));
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyCrashLeavesWholeTransactions(TxnOptions options) {
    int every =
        (options.protocol() == Protocol.UNDO ? 5 : 1) * (options.log() == LogKind.HCL ? 1 : 4);
    CrashRun run = new CrashRun(options, every);
    TransactionManager manager = run.open();
    run.commit(manager, tx -> tx.createTable(TABLE, shape()));
    run.commit(manager, tx -> insert(tx, 0, 40, id -> id % 4 == 0 ? NULL : id));
    run.commit(manager, tx -> update(tx, id -> id < 36, id -> id % 3 == 0 ? NULL : id * 7L));
    run.commit(manager, tx -> update(tx, id -> id == 39, id -> 11));
    run.commit(manager, tx -> delete(tx, id -> id % 8 == 1));
    run.commit(manager, tx -> SampleBatches.update(tx, id -> id % 5 != 2, 1000));
    run.commit(manager, tx -> SampleBatches.delete(tx, id -> id == 2 || id > 37));
    rolledBack(manager);
    manager.checkpoint();
    run.commit(manager, CrashTest::withSavepoint);
    run.commit(
        manager,
        tx -> {
          insert(tx, 100, 5, id -> id);
          update(tx, id -> id >= 100, id -> -id);
          delete(tx, id -> id == 103);
        });
    manager.close();
    manager = run.open();
    run.commit(manager, tx -> update(tx, id -> true, id -> id + 1000));
    run.commit(manager, SampleDatabase::rewrite);
    run.commit(manager, tx -> update(tx, id -> id % 3 == 0, id -> id + 5));
    manager.checkpoint();
    run.commit(
        manager,
        tx -> {
          delete(tx, id -> id % 2 == 0);
          SampleDatabase.rewrite(tx);
        });
    manager.close();
    manager = run.open();
    run.commit(manager, tx -> tx.dropTable(SampleDatabase.table(tx)));
    manager.close();
    run.rest();
    assertThat(run.states()).isGreaterThan(20);
  }

  private static void rolledBack(TransactionManager manager) {
    Transaction tx = manager.begin();
    insert(tx, 200, 50, id -> id);
    update(tx, id -> id % 2 == 0, id -> 77);
    SampleBatches.update(tx, id -> id % 3 == 0, 5);
    delete(tx, id -> id < 10);
    tx.rollback();
  }

  private static void withSavepoint(Transaction tx) {
    update(tx, id -> id < 20, id -> id + 1);
    Savepoint savepoint = tx.savepoint();
    update(tx, id -> true, id -> 1234);
    insert(tx, 300, 4, id -> id);
    tx.rollbackTo(savepoint);
    update(tx, id -> id == 5, id -> 55);
  }
}
