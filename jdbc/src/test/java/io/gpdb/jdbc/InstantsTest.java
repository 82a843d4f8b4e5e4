package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TIMESTAMP WITH TIME ZONE as JDBC binds, reads and describes it. */
class InstantsTest {
  private static final String TABLE =
      "CREATE TABLE i (id INT PRIMARY KEY, a TIMESTAMP WITH TIME ZONE, t TIMESTAMP)";
  private static final Instant INSTANT = Instant.parse("2020-06-01T10:00:00.123456Z");

  @Test
  void everyClassOfAnInstantIsThatInstant() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE)) {
      ZonedDateTime zoned = INSTANT.atZone(ZoneId.of("Asia/Kolkata"));
      List<Object> given =
          List.of(
              INSTANT,
              zoned,
              INSTANT.atOffset(ZoneOffset.ofHours(-7)),
              Timestamp.from(INSTANT),
              LocalDateTime.ofInstant(INSTANT, ZoneId.systemDefault()),
              "2020-06-01 13:00:00.123456+03:00");
      try (PreparedStatement insert =
          db.connection().prepareStatement("INSERT INTO i VALUES (?, ?, ?)")) {
        for (int i = 0; i < given.size(); i++) {
          insert.setInt(1, i);
          insert.setObject(2, given.get(i));
          insert.setObject(3, i == given.size() - 1 ? INSTANT : given.get(i));
          insert.addBatch();
        }
        insert.executeBatch();
      }
      try (PreparedStatement find =
          db.connection().prepareStatement("SELECT a, t, id FROM i WHERE a = ? AND t = a")) {
        ResultSetMetaData described = find.getMetaData();
        assertThat(described.getColumnType(1)).isEqualTo(Types.TIMESTAMP_WITH_TIMEZONE);
        assertThat(described.getColumnTypeName(1)).isEqualTo("TIMESTAMP WITH TIME ZONE");
        assertThat(described.getColumnClassName(1)).isEqualTo(OffsetDateTime.class.getName());
        find.setObject(1, zoned);
        try (ResultSet rows = find.executeQuery()) {
          for (int i = 0; i < given.size(); i++) {
            assertThat(rows.next()).isTrue();
            assertThat(((OffsetDateTime) rows.getObject(1)).toInstant()).isEqualTo(INSTANT);
            requireInstant(rows, 1);
            requireInstant(rows, 2);
          }
          assertThat(rows.next()).isFalse();
        }
      }
    }
  }

  private static void requireInstant(ResultSet rows, int column) throws SQLException {
    assertThat(rows.getObject(column, Instant.class)).isEqualTo(INSTANT);
    assertThat(rows.getObject(column, OffsetDateTime.class).toInstant()).isEqualTo(INSTANT);
    assertThat(rows.getObject(column, ZonedDateTime.class).toInstant()).isEqualTo(INSTANT);
    assertThat(rows.getTimestamp(column).toInstant()).isEqualTo(INSTANT);
    assertThat(rows.getObject(column, LocalDateTime.class))
        .isEqualTo(LocalDateTime.ofInstant(INSTANT, ZoneId.systemDefault()));
    if (column == 1) {
      Calendar other = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
      assertThat(rows.getTimestamp(column, other).toInstant()).isEqualTo(INSTANT);
    }
  }

  @Test
  void theySurviveCopyCheckpointAndReopening(@TempDir Path path) throws SQLException {
    String url = "jdbc:gpdb:" + path.resolve("db");
    Path file = path.resolve("i.csv");
    List<String> rows;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
      statement.execute("CREATE TABLE c (id INT PRIMARY KEY, a TIMESTAMPTZ, t TIMESTAMP)");
      statement.execute(
          "INSERT INTO i VALUES (1, '2020-01-01 00:00:00.5Z', NULL),"
              + " (2, '1900-01-01 00:00:00+14', NULL), (3, NULL, NULL)");
      statement.execute("CHECKPOINT");
      statement.execute("COPY i TO '" + file + "'");
      statement.execute("COPY c FROM '" + file + "'");
      rows = TestDatabase.rows(connection, "SELECT * FROM i ORDER BY id");
      assertThat(TestDatabase.rows(connection, "SELECT * FROM c ORDER BY id")).isEqualTo(rows);
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, "SELECT * FROM c ORDER BY id")).isEqualTo(rows);
      assertThat(
              TestDatabase.rows(connection, "SELECT id FROM c WHERE a = '2020-01-01 00:00:00.5Z'"))
          .containsExactly("1");
    }
  }
}
