package io.gpdb.jdbc.slt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script of {@code src/test/resources/slt}, and those of the folder {@code -Dgpdb.slt=DIR},
 * each on an empty memory database.
 */
class SltTest {
  static Stream<Path> scripts() throws IOException, URISyntaxException {
    URL own = SltTest.class.getResource("/slt");
    assertThat(own).isNotNull();
    String more = System.getProperty("gpdb.slt", "");
    Stream<Path> folders =
        more.isEmpty()
            ? Stream.of(Path.of(own.toURI()))
            : Stream.of(Path.of(own.toURI()), Path.of(more));
    return folders.flatMap(SltTest::filesBelow);
  }

  private static Stream<Path> filesBelow(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(f -> f.toString().endsWith(".test") || f.toString().endsWith(".test.gz"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
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
