package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailureTest {
  private static final IOException FULL = new IOException("No space left on device");

  @Test
  void aFullDiskIsToldApartSoThatTheDatabaseGoesOn(@TempDir Path dir) {
    GpdbException failure = FileFailure.of(FULL, "write", dir);
    assertThat(failure.code()).isEqualTo(ErrorCode.DISK_FULL);
    assertThat(failure).hasMessage("cannot write: disk is full: " + dir).hasCause(FULL);
  }

  @Test
  void afterAFailedSyncNothingIsKnownWhateverItFailedOf(@TempDir Path dir) {
    assertThat(FileFailure.ofSync(FULL, dir).code()).isEqualTo(ErrorCode.IO_ERROR);
  }
}
