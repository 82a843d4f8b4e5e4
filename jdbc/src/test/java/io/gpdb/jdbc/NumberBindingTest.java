package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Numbers bound as text or decimals, and numbers copied in, are those of CAST. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class NumberBindingTest {
  private static final long FIRST_SEED = 1;
  private static final int TEXTS = 20;
  private static final List<String> TYPES =
      List.of("SMALLINT", "BIGINT", "DECIMAL(18, 0)", "DECIMAL(9, 4)", "REAL", "DOUBLE");

  @TempDir private Path folder;
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void everyWayInGivesTheSameNumber() throws Exception {
    Long given = Long.getLong("gpdb.seed");
    long first = given == null ? FIRST_SEED : given;
    int rounds = given == null ? Integer.getInteger("gpdb.fuzz", 1) : 1;
    List<String> problems = new ArrayList<>();
    for (long seed = first; seed < first + rounds; seed++) {
      round(new Random(seed), "-Dgpdb.seed=" + seed, problems);
    }
    assertThat(problems).isEmpty();
  }

  private void round(Random random, String replay, List<String> problems) throws Exception {
    for (String type : TYPES) {
      database.execute("CREATE TABLE numbers (x " + type + ")");
      for (int i = 0; i < TEXTS; i++) {
        String text = text(random, type);
        String cast = answer("SELECT CAST('" + text + "' AS " + type + ")");
        check(problems, replay + " COPY '" + text + "' " + type, cast, copied(text));
        check(problems, replay + " setString '" + text + "' " + type, cast, inserted(text));
        BigDecimal number = new BigDecimal(text.strip());
        if (number.signum() != 0 || !cast.equals("-0.0")) { // a BigDecimal has no -0
          check(problems, replay + " setBigDecimal " + text + " " + type, cast, inserted(number));
        }
        check(problems, replay + " INSERT '" + text + "' " + type, cast, written(text));
      }
      database.execute("DROP TABLE numbers");
    }
  }

  private static boolean isInteger(String type) {
    return type.equals("SMALLINT") || type.equals("BIGINT");
  }

  private static void check(List<String> problems, String what, String cast, String other) {
    if (!cast.equals(other)) {
      problems.add(what + ": " + other + ", CAST " + cast);
    }
  }

  private static String text(Random random, String type) {
    boolean integer = isInteger(type);
    StringBuilder text = new StringBuilder(List.of("", "-", "+").get(random.nextInt(3)));
    int whole = 1 + random.nextInt(integer ? 20 : 12);
    for (int i = 0; i < whole; i++) {
      text.append(random.nextInt(10));
    }
    if (random.nextInt(3) > 0) {
      text.append('.');
      for (int i = random.nextInt(20); i > 0; i--) {
        text.append(random.nextInt(3) == 0 ? 5 : random.nextInt(10));
      }
    }
    if (random.nextInt(4) == 0) {
      text.append('e').append(random.nextInt(800) - 400);
    }
    return random.nextInt(5) == 0 ? " " + text + " " : text.toString();
  }

  private String answer(String sql) {
    try {
      return database.rows(sql).getFirst();
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private String copied(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("numbers.csv"), text + "\n");
    return changed("COPY numbers FROM '" + file + "' (FORMAT CSV)");
  }

  private String written(String text) {
    return changed("INSERT INTO numbers VALUES ('" + text + "')");
  }

  private String changed(String sql) {
    try (Statement statement = database.connection().createStatement()) {
      statement.executeUpdate(sql);
      return taken();
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private String inserted(Object value) {
    try (PreparedStatement statement =
        database.connection().prepareStatement("INSERT INTO numbers VALUES (?)")) {
      statement.setObject(1, value);
      statement.executeUpdate();
      return taken();
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private String taken() throws SQLException {
    String row = database.rows("SELECT x FROM numbers").getFirst();
    database.execute("DELETE FROM numbers");
    return row;
  }

  @Test
  void aTextBeyondItsTypeIsRefusedWhereItIsRead() throws SQLException {
    try (Statement statement = database.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT '1e400', '1e-2000'")) {
      rows.next();
      assertThatThrownBy(() -> rows.getDouble(1))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
      assertThat(rows.getDouble(2)).isZero();
      assertThat(rows.getBigDecimal(1)).isEqualByComparingTo("1e400");
    }
  }
}
