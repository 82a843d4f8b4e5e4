package io.gpdb.bench.slt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script of {@code src/test/resources/slt} of {@code jdbc}, and those of the folder {@code
 * -Dgpdb.slt=DIR}, each on an empty memory database.
 */
class SltTest {
  private static final Path OWN = Path.of("../jdbc/src/test/resources/slt");

  static List<Path> scripts() throws IOException {
    List<Path> files = new ArrayList<>(SltFiles.below(OWN));
    String more = System.getProperty("gpdb.slt", "");
    if (!more.isEmpty()) {
      files.addAll(SltFiles.below(Path.of(more)));
    }
    return files;
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void everyRecordHoldsAsWritten(Path script) throws IOException, SQLException {
    List<SltRecord> records = SltRecord.read(script);
    assertThat(records).isNotEmpty();
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:" + script)) {
      SltRunner runner = new SltRunner(connection);
      runner.run(records);
      assertThat(runner.failures())
          .as("%s: %d of %d records passed", script, runner.passed(), records.size())
          .isEmpty();
    }
  }
}
