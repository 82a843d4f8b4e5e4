package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a transaction may ask of the protocol that makes its changes durable. */
class RequestedProtocolTest {
  @ParameterizedTest
  @EnumSource
  void baselinesHoldForWholeDatabases(Protocol protocol) {
    try (CrashableDirectory directory = new CrashableDirectory();
        TransactionManager manager = withTable(directory, protocol)) {
      Transaction tx = manager.begin();
      for (Protocol wish : Protocol.values()) {
        boolean baseline = wish.isBaseline() || protocol.isBaseline();
        if (wish == protocol || !baseline) {
          tx.protocol(wish);
          assertThat(tx.protocol()).isEqualTo(wish);
          assertThat(tx.protocolText()).startsWith(wish.word());
        } else {
          assertThatThrownBy(() -> tx.protocol(wish))
              .isInstanceOfSatisfying(
                  GpdbException.class,
                  e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
        }
      }
      tx.commit();
    }
  }

  @Test
  void nothingOfADatabaseInMemoryIsDurable() {
    try (StorageDirectory directory = new VolatileDirectory("wishes");
        TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      assertThat(tx.protocolText()).startsWith("none");
      tx.commit();
    }
  }
}
