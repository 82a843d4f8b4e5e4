package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Operands of arithmetic that do not fit the other operand's type are taken as they are. {@code
 * -Dgpdb.seed=S} replays a run.
 */
class WideParametersTest {
  private static final int VALUES = 40;

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (k INTEGER PRIMARY KEY, d DECIMAL(15, 2), i INTEGER, b BIGINT)",
            "INSERT INTO t VALUES (1, 10.25, 7, 9), (2, 20.50, 8, 10)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "d + ? | 1.239 | 11.49",
        "d - ? | 1.239 | 9.01",
        "? - d | 1.239 | -9.01",
        "d * ? | 1.5005 | 15.38",
        "d + ? | 1.500000 | 11.75",
        "d + ? | 0.005 | 10.26",
        "i + ? | 0.5 | 7.50",
        "i * ? | 1.25 | 8.75",
        "b - ? | 0.125 | 8.88",
        "d + ? + ? | 0.001 | 10.25",
        "-d + ? * i | 0.333 | -7.92",
        "(d + ?) - i + i | 0.755 | 11.01",
        "CAST(d + ? AS DECIMAL(15, 2)) | 0.755 | 11.01",
        "d + ? | 1234567890123.4567 | 1234567890133.71",
      })
  void decimalsWithMoreDigitsAreTakenAsTheyAre(String expression, String value, String expected)
      throws SQLException {
    for (String where : List.of("k = 1", "k < 2")) {
      try (PreparedStatement update =
          database
              .connection()
              .prepareStatement("UPDATE t SET d = " + expression + " WHERE " + where)) {
        for (int i = 0; i < expression.chars().filter(c -> c == '?').count(); i++) {
          update.setBigDecimal(i + 1, new BigDecimal(value));
        }
        assertThat(update.executeUpdate()).isEqualTo(1);
      }
      assertThat(database.rows("SELECT d FROM t WHERE k = 1")).containsExactly(expected);
      database.execute("UPDATE t SET d = 10.25 WHERE k = 1");
    }
  }

  @Test
  void everyRowOfABatchIsTakenAsItIs() throws SQLException {
    try (PreparedStatement update =
        database.connection().prepareStatement("UPDATE t SET d = d + ? WHERE k = ?")) {
      for (String value : List.of("1.5", "0.005", "2.25", "1.1000")) {
        update.setBigDecimal(1, new BigDecimal(value));
        update.setInt(2, 1);
        update.addBatch();
      }
      assertThat(update.executeBatch()).containsExactly(1, 1, 1, 1);
      assertThat(database.rows("SELECT d FROM t WHERE k = 1")).containsExactly("15.11");
      update.setBigDecimal(1, new BigDecimal("1"));
      update.setInt(2, 1);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
    assertThat(database.rows("SELECT d FROM t WHERE k = 1")).containsExactly("16.11");
  }

  @Test
  void otherSettersToo() throws SQLException {
    try (PreparedStatement select =
        database.connection().prepareStatement("SELECT i + ? FROM t WHERE k = ?")) {
      select.setInt(2, 1);
      select.setLong(1, 1L << 40);
      assertThat(value(select)).isEqualByComparingTo(BigDecimal.valueOf((1L << 40) + 7));
      select.setDouble(1, 0.5);
      assertThat(value(select)).isEqualByComparingTo("7.5");
      select.setString(1, "1.25");
      assertThat(value(select)).isEqualByComparingTo("8.25");
      select.setInt(1, 3);
      assertThat(value(select)).isEqualByComparingTo("10");
      select.setBigDecimal(1, new BigDecimal("3.000"));
      assertThat(value(select)).isEqualByComparingTo("10");
      select.setBigDecimal(1, new BigDecimal("1.2345678901234567890123"));
      assertThat(value(select)).isEqualByComparingTo("8.2345678901234567890123");
      assertThatThrownBy(() -> select.setBigDecimal(1, new BigDecimal("1." + "2".repeat(38))))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
    }
  }

  private static BigDecimal value(PreparedStatement select) throws SQLException {
    try (ResultSet rows = select.executeQuery()) {
      rows.next();
      return rows.getBigDecimal(1);
    }
  }

  @Test
  void sumsAndDifferencesAreThoseOfBigDecimal() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 1);
    Random random = new Random(seed);
    List<String> problems = new ArrayList<>();
    try (PreparedStatement update =
        database.connection().prepareStatement("UPDATE t SET d = d + ? - ? WHERE k = 2")) {
      BigDecimal d = new BigDecimal("20.50");
      for (int i = 0; i < VALUES; i++) {
        BigDecimal a = BigDecimal.valueOf(random.nextInt(), random.nextInt(9));
        BigDecimal b = BigDecimal.valueOf(random.nextInt(), random.nextInt(9));
        update.setBigDecimal(1, a);
        update.setBigDecimal(2, b);
        update.executeUpdate();
        d = d.add(a).subtract(b).setScale(2, RoundingMode.HALF_UP);
        String found = database.rows("SELECT d FROM t WHERE k = 2").getFirst();
        if (!found.equals(d.toPlainString())) {
          problems.add(
              "-Dgpdb.seed=" + seed + ": + " + a + " - " + b + " is " + found + ", not " + d);
          d = new BigDecimal(found);
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT SUM(x) * 0.0001000000 FROM big | 99999999.999990",
        "SELECT SUM(x * n) * 0.0001000000 FROM big | 199999999.999980",
        "SELECT SUM(x) * 0.000123456789 FROM big | 123456788.999988",
        "SELECT y * y FROM big | 250000500000.250000",
        "SELECT y * 1.000000 FROM big | 500000.500000",
        "SELECT 2.50 * 2 | 5.00",
        "SELECT 1.0001 * 1.0001 | 1.00020001",
        "SELECT COUNT(*) FROM big HAVING SUM(x) > SUM(x) * 0.0001000000 | 1",
      })
  void productsKeepRoomBeforeThePoint(String sql, String expected) throws SQLException {
    database.execute("CREATE TABLE big (x DECIMAL(15, 2), n INTEGER, y DECIMAL(18, 6))");
    database.execute("INSERT INTO big VALUES (999999999999.90, 2, 500000.5)");
    assertThat(database.rows(sql)).containsExactly(expected);
  }
}
