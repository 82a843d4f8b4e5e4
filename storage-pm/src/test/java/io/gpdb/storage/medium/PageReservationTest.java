package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files in memory that grow by pages of the system. */
class PageReservationTest {
  private static final Path TMPFS = Path.of("/dev/shm");
  private static final byte[] HEAD = {1, 2, 3, 4};
  private static final long BYTES = HEAD.length + PageReservation.BYTES_MIN;

  private Path file = TMPFS;

  @BeforeEach
  void makeFile() throws IOException {
    assumeThat(TMPFS).isDirectory();
    assumeThat(Files.getFileStore(TMPFS).type()).isEqualTo("tmpfs");
    assumeThat(PageReservation.class.getModule().isNativeAccessEnabled()).isTrue();
    file = Files.createTempFile(TMPFS, "gpdb-reservation", ".tmp");
    Files.write(file, HEAD);
  }

  @AfterEach
  void deleteFile() throws IOException {
    if (!file.equals(TMPFS)) {
      Files.deleteIfExists(file);
    }
  }

  @Test
  void theNewBytesAreZerosAndHavePages() throws Exception {
    assertThat(PageReservation.extend(file, HEAD.length, BYTES)).isTrue();
    assertThat(Files.size(file)).isEqualTo(BYTES);
    try (InputStream in = Files.newInputStream(file)) {
      assertThat(in.readNBytes(HEAD.length)).isEqualTo(HEAD);
      byte[] rest = in.readAllBytes();
      assertThat(rest).hasSize((int) PageReservation.BYTES_MIN).containsOnly(0);
    }
    Process used = new ProcessBuilder("du", "-B1", file.toString()).start();
    String words = new String(used.getInputStream().readAllBytes());
    assertThat(Long.parseLong(words.split("\\s")[0])).isGreaterThanOrEqualTo(BYTES);
  }

  @Test
  void aFileOfAnotherSizeIsLeftAlone() throws IOException {
    assertThat(PageReservation.extend(file, HEAD.length + 1, BYTES + 1)).isFalse();
    assertThat(Files.readAllBytes(file)).isEqualTo(HEAD);
  }

  @Test
  void aFileThatIsNotThereIsNotMade() {
    Path missing = TMPFS.resolve(file.getFileName() + "x");
    assertThat(PageReservation.extend(missing, 0, BYTES)).isFalse();
    assertThat(missing).doesNotExist();
  }

  @Test
  void fewBytesAreTheCallersToWrite() throws IOException {
    assertThat(PageReservation.extend(file, HEAD.length, BYTES - 1)).isFalse();
    assertThat(Files.readAllBytes(file)).isEqualTo(HEAD);
  }

  @Test
  void moreThanThereIsRoomForIsRefused() throws IOException {
    long beyond = Files.getFileStore(TMPFS).getTotalSpace() + HEAD.length + 1;
    assertThat(PageReservation.extend(file, HEAD.length, beyond)).isFalse();
    try (InputStream in = Files.newInputStream(file)) {
      assertThat(in.readNBytes(HEAD.length)).isEqualTo(HEAD);
    }
  }
}
