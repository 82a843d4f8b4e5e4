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
