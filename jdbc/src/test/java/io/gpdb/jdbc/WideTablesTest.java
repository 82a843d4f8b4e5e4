package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table of as many columns as a table may have, and statements that name all of them. */
class WideTablesTest {
  private static final int COLUMNS_MAX = 1000;
  private static final int COLUMNS = COLUMNS_MAX - 1;
  private static final int ROWS = 33;
  private static final String[] TYPES = {
    "INTEGER", "BIGINT NOT NULL", "VARCHAR(20)", "DOUBLE", "DECIMAL(10, 2)", "SMALLINT"
  };

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE w (id INTEGER PRIMARY KEY, "
                + list(i -> "c" + i + " " + type(i), ", ")
                + ")");
    connection = database.connection();
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO w VALUES (?" + ", ?".repeat(COLUMNS) + ")")) {
      for (int row = 0; row < ROWS; row++) {
        insert.setInt(1, row);
        for (int i = 0; i < COLUMNS; i++) {
          insert.setObject(i + 2, value(row, i));
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static String type(int column) {
    return TYPES[column % TYPES.length];
  }

  private static boolean isNumber(int column) {
    return column % TYPES.length != 2;
  }

  /** Every seventh row is NULL where it may be. */
  private static Integer value(int row, int column) {
    boolean isNull = row % 7 == 3 && column % TYPES.length != 1;
    return isNull ? null : (row * 31 + column) % 1000;
  }

  private static String list(IntFunction<String> part, String between) {
    return IntStream.range(0, COLUMNS).mapToObj(part).collect(Collectors.joining(between));
  }

  private static String numbers(IntFunction<String> part) {
    return IntStream.range(0, COLUMNS)
        .filter(WideTablesTest::isNumber)
        .mapToObj(part)
        .collect(Collectors.joining(", "));
  }

  /** Values of every row as whole numbers, after {@code before} other columns. */
  private List<List<Integer>> values(String sql, int before) throws SQLException {
    List<List<Integer>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      while (results.next()) {
        List<Integer> row = new ArrayList<>();
        for (int i = 1 + before; i <= results.getMetaData().getColumnCount(); i++) {
          double value = results.getDouble(i);
          row.add(results.wasNull() ? null : (int) value);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<Integer> row(int row, int added) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      Integer value = value(row, i);
      values.add(value == null ? null : Integer.valueOf(value + (isNumber(i) ? added : 0)));
    }
    return values;
  }

  @Test
  void everyColumnIsReadFilteredAndSorted() throws SQLException {
    List<List<Integer>> all = IntStream.range(0, ROWS).mapToObj(r -> row(r, 0)).toList();
    assertThat(values("SELECT * FROM w ORDER BY id", 1)).isEqualTo(all);
    assertThat(values("SELECT * FROM w WHERE c1 > 1 ORDER BY id DESC LIMIT 2", 1))
        .containsExactly(row(ROWS - 1, 0), row(ROWS - 2, 0));
    assertThat(values("SELECT * FROM w WHERE id = 5", 1)).containsExactly(row(5, 0));
    assertThat(values("SELECT a.* FROM w a JOIN w b ON a.id = b.id WHERE b.id = 7", 1))
        .containsExactly(row(7, 0));
    assertThat(values("SELECT DISTINCT * FROM w WHERE id < 2 ORDER BY id", 1))
        .isEqualTo(all.subList(0, 2));
  }

  @Test
  void everyColumnIsComputedAndAggregated() throws SQLException {
    List<Integer> more = new ArrayList<>();
    List<Integer> sums = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      if (isNumber(i)) {
        int column = i;
        more.add(value(4, i) + 1);
        sums.add(
            IntStream.range(0, ROWS)
                .mapToObj(row -> value(row, column))
                .mapToInt(value -> value == null ? 0 : value)
                .sum());
      }
    }
    assertThat(values("SELECT " + numbers(i -> "c" + i + " + 1") + " FROM w WHERE c1 = 125", 0))
        .containsExactly(more);
    String aggregates = numbers(i -> "sum(c" + i + ")");
    assertThat(values("SELECT " + aggregates + " FROM w", 0)).containsExactly(sums);
    assertThat(values("SELECT id / 1000, " + aggregates + " FROM w GROUP BY id / 1000", 1))
        .containsExactly(sums);
  }

  @Test
  void everyColumnIsUpdatedByScanByKeyAndInABatch() throws SQLException {
    database.execute("UPDATE w SET " + numbers(i -> "c" + i + " = c" + i + " + 1"));
    assertThat(values("SELECT * FROM w WHERE id = 6", 1)).containsExactly(row(6, 1));
    database.execute("UPDATE w SET " + list(i -> "c" + i + " = 9", ", ") + " WHERE id = 6");
    assertThat(values("SELECT max(id), min(c0), max(c998), min(c2) FROM w WHERE c1 = 9", 1))
        .containsExactly(List.of(9, 9, 9));
    String byKey = "UPDATE w SET " + list(i -> "c" + i + " = ?", ", ") + " WHERE id = ?";
    try (PreparedStatement update = connection.prepareStatement(byKey)) {
      for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < COLUMNS; i++) {
          update.setObject(i + 1, value(row + 1, i));
        }
        update.setInt(COLUMNS + 1, row);
        update.addBatch();
      }
      update.executeBatch();
    }
    assertThat(values("SELECT * FROM w WHERE id = 6", 1)).containsExactly(row(7, 0));
  }

  @Test
  void rowsAreCopiedRewrittenAndDeleted() throws SQLException {
    database.execute("INSERT INTO w SELECT id + 100, " + list(i -> "c" + i, ", ") + " FROM w");
    database.execute("CREATE TABLE copy AS SELECT * FROM w WHERE id > 100");
    database.execute("DELETE FROM w WHERE c0 IS NULL OR id < 100");
    database.execute("VACUUM w");
    assertThat(values("SELECT * FROM w WHERE id = 108", 1)).containsExactly(row(8, 0));
    assertThat(values("SELECT count(*) FROM copy", 0)).containsExactly(List.of(ROWS - 1));
  }

  @Test
  void aTableOfOneColumnMoreIsRefused() {
    assertThatThrownBy(
            () ->
                database.execute(
                    "CREATE TABLE x (" + list(i -> "c" + i + " INT", ", ") + ", a INT, b INT)"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("1000")
        .extracting(failure -> ((SQLException) failure).getSQLState())
        .isEqualTo("54000");
  }

  @Test
  void aCaseOfManyBranchesTakesTheFirstThatHolds() throws SQLException {
    String branches =
        IntStream.range(0, 1000)
            .mapToObj(i -> "WHEN c1 < " + (i + 1) * 10 + " THEN " + i)
            .collect(Collectors.joining(" "));
    List<List<Integer>> expected =
        IntStream.range(0, ROWS).mapToObj(row -> List.of(value(row, 1) / 10)).toList();
    assertThat(values("SELECT CASE " + branches + " ELSE -1 END FROM w ORDER BY id", 0))
        .isEqualTo(expected);
  }
}
