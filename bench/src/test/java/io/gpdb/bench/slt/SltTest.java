package io.gpdb.bench.slt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script of {@code src/test/resources/slt} of {@code jdbc}, and those of the folder {@code
 * -Dgpdb.slt=DIR}, each on an empty memory database. Of thousands of queries that one program made
 * a sixth is asked, by the {@code -Dgpdb.seed=S}, and all with {@code -Dgpdb.fuzz=2}.
 */
class SltTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime());
  private static final int QUERIES_MANY = 500;
  private static final int PARTS = Integer.getInteger("gpdb.fuzz", 1) > 1 ? 1 : 6;
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
      runner.run(bounded(records));
      assertThat(runner.failures())
          .as("seed %d, %s: %d records passed", SEED, script, runner.passed())
          .isEmpty();
    }
  }

  /** All statements, and one of {@link #PARTS} queries where there are many. */
  private static List<SltRecord> bounded(List<SltRecord> records) {
    List<SltRecord> queries = records.stream().filter(SltRecord.Query.class::isInstance).toList();
    if (queries.size() < QUERIES_MANY) {
      return records;
    }
    Set<SltRecord> left = new HashSet<>();
    for (int i = 0; i < queries.size(); i++) {
      if (Math.floorMod(i + SEED, PARTS) != 0) {
        left.add(queries.get(i));
      }
    }
    return records.stream().filter(record -> !left.contains(record)).toList();
  }
}
