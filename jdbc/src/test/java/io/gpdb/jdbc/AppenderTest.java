package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows appended by column. */
class AppenderTest {
  private TestDatabase database;
  private GpdbConnection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(5) DEFAULT 'none',"
                + " price DECIMAL(8, 2), at TIMESTAMP(6))");
    connection = database.connection().unwrap(GpdbConnection.class);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void everyKindOfValueIsAppended() throws SQLException {
    database.execute(
        "CREATE TABLE kinds (i INTEGER, l BIGINT, d DOUBLE, r REAL, b BOOLEAN, n DECIMAL(9, 3),"
            + " v VARCHAR(9), x VARBINARY(3), da DATE, ti TIME(6), ts TIMESTAMP(6), o BIGINT)");
    try (GpdbAppender rows = connection.appender("kinds")) {
      rows.appendInt(1)
          .appendLong(Long.MIN_VALUE)
          .appendDouble(0.1)
          .appendFloat(1.5f)
          .appendBoolean(true)
          .appendDecimal(new BigDecimal("1.2345"))
          .appendString("é")
          .appendBytes(new byte[] {1, 2})
          .appendDate(LocalDate.of(2000, 2, 29))
          .appendTime(LocalTime.of(1, 2, 3, 456_789_999))
          .appendTimestamp(LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_500))
          .appendObject("17")
          .endRow();
      for (int i = 0; i < rows.columns().size(); i++) {
        rows.appendNull();
      }
      rows.endRow();
      assertThat(rows.rowsFlushed()).isZero();
      rows.flush();
      assertThat(rows.rowsFlushed()).isEqualTo(2);
    }
    assertThat(database.rows("SELECT * FROM kinds").getFirst())
        .isEqualTo(
            "1|-9223372036854775808|0.1|1.5|TRUE|1.235|é|0102|2000-02-29|01:02:03.456789|"
                + "1970-01-01 00:00:00|17");
  }

  @Test
  void columnsNotNamedTakeTheirDefaults() throws SQLException {
    try (GpdbAppender rows = connection.appender("PUBLIC.\"T\"", "price", "id")) {
      rows.appendString("1.005").appendLong(7).endRow();
    }
    assertThat(database.rows("SELECT * FROM t")).containsExactly("7|none|1.01|null");
  }

  @Test
  void anErrorNamesRowAndColumnAndTheRowGoesOn() throws SQLException {
    try (GpdbAppender rows = connection.appender("t", "id", "price")) {
      rows.appendInt(1).appendNull().endRow();
      rows.appendInt(2);
      assertThatThrownBy(() -> rows.appendString("x"))
          .hasMessageStartingWith("row 2, column 2 (price): ")
          .hasFieldOrPropertyWithValue("SQLState", "22018");
      assertThatThrownBy(() -> rows.appendObject("y"))
          .hasMessageStartingWith("row 2, column 2 (price): ");
      assertThatThrownBy(rows::endRow).hasMessageContaining("1 of 2 columns");
      rows.appendInt(3).endRow();
      rows.appendInt(3).appendInt(3);
      assertThatThrownBy(() -> rows.appendInt(4)).hasMessageContaining("all of its 2 columns");
      rows.dropRow();
    }
    assertThat(database.rows("SELECT id, price FROM t ORDER BY id"))
        .containsExactly("1|null", "2|3.00");
  }

  @Test
  void aFlushIsAllOrNothing() throws SQLException {
    GpdbAppender rows = connection.appender("t", "id", "name");
    rows.appendInt(1).appendString("one").endRow();
    rows.flush();
    rows.appendInt(2).appendString("two").endRow();
    rows.appendInt(1).appendString("again").endRow();
    assertThatThrownBy(rows::flush).hasFieldOrPropertyWithValue("SQLState", "23505");
    rows.appendInt(3).appendString("too long").endRow();
    assertThatThrownBy(rows::flush).hasFieldOrPropertyWithValue("SQLState", "22001");
    rows.appendInt(4).appendString("four").endRow();
    rows.close();
    assertThat(database.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "4");
    assertThat(rows.rowsFlushed()).isEqualTo(2);
    assertThatThrownBy(() -> rows.appendInt(1)).hasMessage("the appender is closed");
  }

  @Test
  void aRowThatWasNotEndedIsSaid() throws SQLException {
    GpdbAppender rows = connection.appender("t", "id", "name");
    rows.appendInt(1).appendNull().endRow();
    rows.appendInt(2);
    assertThatThrownBy(rows::close).hasMessageContaining("row 2 was not ended");
    assertThat(database.rows("SELECT id FROM t")).containsExactly("1");
  }

  @Test
  void arraysAreTheRowsOfTheirElements() throws SQLException {
    database.execute(
        "CREATE TABLE a (i INTEGER, l BIGINT, f REAL, d DOUBLE, s VARCHAR(9), n DECIMAL(9, 2),"
            + " w SMALLINT)");
    boolean[] second = {false, true};
    try (GpdbAppender rows = connection.appender("a")) {
      rows.appendInts(new int[] {7, 8}, second)
          .appendLongs(new long[] {Long.MIN_VALUE, 8}, second)
          .appendFloats(new float[] {1.5f, 8}, second)
          .appendDoubles(new double[] {0.1, 8}, second)
          .appendStrings("é", null)
          .appendDoubles(1.005, 2)
          .appendInts(-3, 4)
          .endRows();
      rows.appendInts(9)
          .appendInts(9)
          .appendDoubles(9)
          .appendFloats(9)
          .appendNulls(1)
          .appendLongs(9)
          .appendLongs(9)
          .endRows();
      rows.appendInt(1).appendNull().appendNull().appendNull().appendNull().appendNull();
      rows.appendNull().endRow();
    }
    assertThat(database.rows("SELECT * FROM a"))
        .containsExactly(
            "7|-9223372036854775808|1.5|0.1|é|1.01|-3",
            "null|null|null|null|null|2.00|4",
            "9|9|9.0|9.0|null|9.00|9",
            "1|null|null|null|null|null|null");
  }

  @Test
  void anElementThatIsRefusedTakesNothingWithIt() throws SQLException {
    database.execute("CREATE TABLE w (i INTEGER, s SMALLINT)");
    try (GpdbAppender rows = connection.appender("w")) {
      rows.appendInts(1, 2, 3);
      assertThatThrownBy(() -> rows.appendInts(1, 40_000, 3))
          .hasMessageStartingWith("row 2, column 2 (\"S\"): ")
          .hasFieldOrPropertyWithValue("SQLState", "22003");
      assertThatThrownBy(() -> rows.appendInts(1, 2))
          .hasMessage("column 2 (\"S\") has 2 values, the columns before have 3");
      assertThatThrownBy(() -> rows.appendInts(new int[3], new boolean[2]))
          .hasMessageContaining("3 values, but 2");
      assertThatThrownBy(rows::endRows).hasMessageContaining("arrays for 1 of 2 columns");
      assertThatThrownBy(() -> rows.appendInt(1)).hasMessageContaining("endRows()");
      assertThatThrownBy(rows::endRow).hasMessageContaining("endRows()");
      assertThatThrownBy(rows::flush).hasMessageContaining("endRows()");
      rows.appendInts(new int[] {4, 5, 6}, new boolean[] {false, true, false}).endRows();
      rows.appendInts(new int[] {1, 2}, new boolean[] {true, true});
      rows.dropRow();
      rows.appendInt(7);
      assertThatThrownBy(() -> rows.appendInts(1)).hasMessageContaining("row 4 was begun");
      rows.appendInt(8).endRow();
      assertThatThrownBy(rows::endRows).hasMessageContaining("arrays for 0 of 2 columns");
    }
    assertThat(database.rows("SELECT * FROM w")).containsExactly("1|4", "2|null", "3|6", "7|8");
  }

  @Test
  void arraysThatWereNotEndedAreSaid() throws SQLException {
    GpdbAppender rows = connection.appender("t", "id", "name");
    rows.appendInts(1, 2).appendStrings("one", "two").endRows();
    rows.appendInts(3, 4);
    assertThatThrownBy(rows::close).hasMessageContaining("row 3 was not ended");
    assertThat(database.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");
  }

  @Test
  void manyArraysAreFlushedByThemselves() throws SQLException {
    int count = GpdbAppender.ROWS_PER_FLUSH + 1;
    try (GpdbAppender rows = connection.appender("t", "id")) {
      rows.appendInts(IntStream.range(0, count).toArray()).endRows();
      assertThat(rows.rowsFlushed()).isEqualTo(count);
      rows.appendInts(new int[0]).endRows();
      rows.appendInts(count).endRows();
    }
    assertThat(database.rows("SELECT count(*), max(id) FROM t"))
        .containsExactly(count + 1 + "|" + count);
  }

  /** Random arrays by an appender, and each of their elements by another. */
  @Test
  void randomArraysAreTheirElementsOneByOne() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    for (String type : List.of("INTEGER", "BIGINT", "REAL", "DOUBLE", "DECIMAL(9, 1)", "CHAR(9)")) {
      database.execute("CREATE TABLE one (i %s, f %s)".formatted(type, type));
      database.execute("CREATE TABLE many (i %s, f %s)".formatted(type, type));
      try (GpdbAppender one = connection.appender("one");
          GpdbAppender many = connection.appender("many")) {
        for (int part = 0; part < 8; part++) {
          int n = random.nextInt(140);
          int[] ints = random.ints(n, -999, 999).toArray();
          float[] floats = new float[n];
          boolean[] nulls = new boolean[n];
          for (int i = 0; i < n; i++) {
            floats[i] = random.nextInt(999) / 4f;
            nulls[i] = random.nextInt(3) == 0;
          }
          many.appendInts(ints, random.nextBoolean() ? null : new boolean[n])
              .appendFloats(floats, nulls)
              .endRows();
          for (int i = 0; i < n; i++) {
            one.appendInt(ints[i]);
            if (nulls[i]) {
              one.appendNull().endRow();
            } else {
              one.appendFloat(floats[i]).endRow();
            }
          }
          if (random.nextBoolean()) {
            one.flush();
            many.flush();
          }
        }
      }
      assertThat(database.rows("SELECT * FROM many"))
          .as("seed " + seed + ", " + type)
          .isEqualTo(database.rows("SELECT * FROM one"));
      database.execute("DROP TABLE one");
      database.execute("DROP TABLE many");
    }
  }

  @Test
  void theTransactionsRollbackTakesTheRowsBack() throws SQLException {
    connection.setAutoCommit(false);
    try (GpdbAppender rows = connection.appender("t", "id")) {
      rows.appendInt(1).endRow();
    }
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("1");
    connection.rollback();
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("0");
  }

  @Test
  void namesAreCheckedBeforeTheyAreUsed() {
    for (String table : List.of("t; DROP TABLE t", "t t", "", "a.b.c", "1t", "\"t", "missing")) {
      assertThatThrownBy(() -> connection.appender(table))
          .as(table)
          .isInstanceOf(SQLException.class);
    }
    assertThatThrownBy(() -> connection.appender("t", "id) SELECT (1"))
        .hasFieldOrPropertyWithValue("SQLState", "22023");
    assertThatThrownBy(() -> connection.appender("t", "nothing"))
        .hasFieldOrPropertyWithValue("SQLState", "42S22");
  }

  @Test
  void generatedColumnsAreLeftOut() throws SQLException {
    database.execute(
        "CREATE TABLE g (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v INTEGER)");
    try (GpdbAppender rows = connection.appender("g")) {
      assertThat(rows.columns()).containsExactly("\"V\"");
      rows.appendInt(5).endRow();
      rows.appendInt(6).endRow();
    }
    assertThat(database.rows("SELECT * FROM g ORDER BY id")).containsExactly("1|5", "2|6");
  }

  /** Random rows through appenders and by a model; some flushes fail as a whole. */
  @Test
  void randomRowsEndInTheRowsOfAModel() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    List<String> model = new ArrayList<>();
    for (int flush = 0; flush < 60; flush++) {
      List<String> added = new ArrayList<>();
      boolean fails = random.nextInt(6) == 0 && !model.isEmpty();
      try (GpdbAppender rows = connection.appender("t", "id", "name")) {
        int count = random.nextInt(70);
        for (int i = 0; i < count; i++) {
          int id = model.size() + added.size();
          @Nullable String name = random.nextBoolean() ? null : "n" + random.nextInt(99);
          rows.appendInt(id).appendString(name).endRow();
          added.add(id + "|" + name);
        }
        if (fails) {
          rows.appendInt(0).appendNull().endRow();
          assertThatThrownBy(rows::flush).hasFieldOrPropertyWithValue("SQLState", "23505");
          added.clear();
        }
      }
      model.addAll(added);
    }
    assertThat(database.rows("SELECT id, name FROM t ORDER BY id"))
        .as("seed " + seed)
        .isEqualTo(model);
  }

  @Test
  void manyRowsAreFlushedByThemselves() throws SQLException {
    int count = 2 * GpdbAppender.ROWS_PER_FLUSH + 10;
    try (GpdbAppender rows = connection.appender("t", "id")) {
      for (int i = 0; i < count; i++) {
        rows.appendInt(i).endRow();
      }
      assertThat(rows.rowsFlushed()).isEqualTo(2L * GpdbAppender.ROWS_PER_FLUSH);
    }
    assertThat(database.rows("SELECT count(*), max(id) FROM t"))
        .containsExactly(count + "|" + (count - 1));
  }
}
