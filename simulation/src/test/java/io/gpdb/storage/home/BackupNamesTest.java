package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.DatabaseFiles;
import org.junit.jupiter.api.Test;

/** Under which names a backup's home file is, and which of them one that failed leaves. */
class BackupNamesTest {
  private static final GpdbException FULL = new GpdbException(ErrorCode.DISK_FULL, "full");

  @Test
  void aBackupThatFailedLeavesNothingUnderEitherName() {
    for (String name : new String[] {DatabaseFiles.BACKUP_HOME, DatabaseFiles.HOME}) {
      try (CrashableDirectory target = new CrashableDirectory()) {
        target.open(name, 4096).close();
        HomeImage.dropBackup(target, FULL);
        assertThat(target.names()).isEmpty();
      }
    }
  }

  /** Nothing was written there: the files are another's. */
  @Test
  void filesThatWereThereBeforeAreKept() {
    try (CrashableDirectory target = new CrashableDirectory()) {
      target.open(DatabaseFiles.HOME, 4096).close();
      HomeImage.dropBackup(target, new GpdbException(ErrorCode.FILE_EXISTS, "not empty"));
      assertThat(target.names()).containsExactly(DatabaseFiles.HOME);
    }
  }

  @Test
  void aBackupHasNoDatabasesNameBeforeItIsFinished() {
    try (CrashableDirectory target = new CrashableDirectory()) {
      HomeImage.createBackup(target).close();
      assertThat(target.names()).containsExactly(DatabaseFiles.BACKUP_HOME);
      HomeImage.finishBackup(target);
      assertThat(target.names()).containsExactly(DatabaseFiles.HOME);
    }
  }
}
