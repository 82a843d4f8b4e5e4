package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.CudaDevice;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.Medium;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Statements on a GPU, where {@code -Dgpdb.cuda=true} says that there is one. */
@EnabledIfSystemProperty(named = "gpdb.cuda", matches = "true")
class CudaStatementsGpuTest extends OtherDeviceContract {
  @Override
  protected Device open() {
    return CudaDevice.open(0, emulated(), 0L);
  }

  @Override
  protected boolean storesTo(Path folder) {
    try (StorageDirectory files = FileDirectory.open(folder, true)) {
      return files.medium() != Medium.FILE;
    }
  }

  @Test
  void undoIsRefusedOnADiskFile(@TempDir Path folder) {
    assumeThat(storesTo(folder)).isFalse();
    try (StorageDirectory files = FileDirectory.open(folder, true)) {
      EndToEnd database = new EndToEnd(files, open(), TxnOptions.standard());
      Transaction tx = database.begin();
      assertThatThrownBy(() -> tx.protocol(Protocol.UNDO))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
      tx.rollback();
      database.abandon();
    }
  }
}
