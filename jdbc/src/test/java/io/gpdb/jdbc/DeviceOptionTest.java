package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which device a URL asks for, on a machine without a GPU. */
class DeviceOptionTest {
  private static final Path DRIVER_OF_GPUS = Path.of("/dev/nvidiactl");

  @Test
  void theEmulatedDeviceIsTheStandard() throws SQLException {
    assertThat(device("")).startsWith("emulated, ");
    assertThat(device(";device=emulated;workers=3")).isEqualTo("emulated, 3 workers");
  }

  @Test
  void autoTakesWhatIsThere() throws SQLException {
    assumeThat(DRIVER_OF_GPUS).doesNotExist();
    assertThat(device(";device=auto")).startsWith("emulated, ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "CUDA:1", "cuda:0,1", "cuda:all"})
  void aGpuThatIsNotThereIsRefusedWithTheReason(String asked) {
    assumeThat(Files.exists(DRIVER_OF_GPUS)).isFalse();
    assertThatThrownBy(() -> device(";device=" + asked))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"))
        .hasMessageContaining("no CUDA device: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:0,", "cuda:0,0", ""})
  void otherWordsAreRefused(String asked) {
    assertThatThrownBy(() -> device(";device=" + asked))
        .hasMessageContaining("device=" + asked + " is not one of auto, emulated, cuda");
  }

  @Test
  void theHostHasNoRowsToTakeFromTheEmulatedDevice() throws SQLException {
    assertThat(setting("host_rows", ";host_rows=7")).isEqualTo("0");
  }

  @Test
  void aDatabaseInMemoryKeepsItsDevice() throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement s = c.createStatement()) {
      s.execute("SET device = emulated");
      assertThatThrownBy(() -> s.execute("SET device = auto"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    }
  }

  private static String device(String options) throws SQLException {
    return setting("device", options);
  }

  private static String setting(String name, String options) throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:gpdb:mem:" + options);
        Statement s = c.createStatement();
        ResultSet shown = s.executeQuery("SHOW " + name)) {
      assertThat(shown.next()).isTrue();
      return shown.getString(1);
    }
  }
}
