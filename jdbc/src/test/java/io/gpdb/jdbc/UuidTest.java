package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * UUIDs as JDBC binds, reads and describes them, and wide decimals beside them in COPY and
 * reopening.
 */
class UuidTest {
  private static final String TABLE =
      "CREATE TABLE u (id UUID PRIMARY KEY, w NUMERIC(30, 2), n INT)";

  @Test
  void objectsTextsAndBytesAreBoundAndRead() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE)) {
      List<UUID> ids = new ArrayList<>();
      try (PreparedStatement insert =
          db.connection().prepareStatement("INSERT INTO u (id, n) VALUES (?, ?)")) {
        for (int i = 0; i < 300; i++) {
          ids.add(UUID.randomUUID());
          if (i % 3 == 2) {
            insert.setBytes(1, bytes(ids.get(i)));
          } else {
            insert.setObject(1, i % 3 == 0 ? ids.get(i) : ids.get(i).toString());
          }
          insert.setInt(2, i);
          insert.addBatch();
        }
        insert.executeBatch();
        assertThatThrownBy(() -> insert.setBytes(1, new byte[15]))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"));
        assertThatThrownBy(() -> insert.setLong(1, 5))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"));
      }
      try (PreparedStatement find =
          db.connection().prepareStatement("SELECT id, n FROM u WHERE id = ?")) {
        ResultSetMetaData described = find.getMetaData();
        assertThat(described.getColumnType(1)).isEqualTo(Types.OTHER);
        assertThat(described.getColumnTypeName(1)).isEqualTo("UUID");
        assertThat(described.getColumnClassName(1)).isEqualTo(UUID.class.getName());
        assertThat(described.getColumnDisplaySize(1)).isEqualTo(36);
        for (int i = 0; i < 300; i += 50) {
          find.setObject(1, ids.get(i));
          try (ResultSet row = find.executeQuery()) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(2)).isEqualTo(i);
            assertThat(row.getObject(1)).isEqualTo(ids.get(i));
            assertThat(row.getObject(1, UUID.class)).isEqualTo(ids.get(i));
            assertThat(row.getString(1)).isEqualTo(ids.get(i).toString());
            assertThat(row.getBytes(1)).hasSize(16);
          }
        }
      }
      try (PreparedStatement untyped = db.connection().prepareStatement("SELECT ?")) {
        untyped.setObject(1, ids.getFirst());
        try (ResultSet row = untyped.executeQuery()) {
          row.next();
          assertThat(row.getObject(1)).isEqualTo(ids.getFirst());
        }
      }
    }
  }

  @Test
  void theySurviveCopyCheckpointAndReopening(@TempDir Path path) throws Exception {
    String url = "jdbc:gpdb:" + path.resolve("db");
    Path file = path.resolve("u.csv");
    List<String> rows;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE s (id UUID DEFAULT gen_random_uuid(), w NUMERIC(30, 2))");
      statement.execute(TABLE);
      statement.execute("INSERT INTO s (w) VALUES (1e20), (-1e25), (NULL), (0.01)");
      statement.execute("INSERT INTO u SELECT id, w, 1 FROM s");
      statement.execute("CHECKPOINT");
      statement.execute("COPY u TO '" + file + "'");
      statement.execute("CREATE TABLE c (id UUID PRIMARY KEY, w NUMERIC(30, 2), n INT)");
      statement.execute("COPY c FROM '" + file + "'");
      rows = TestDatabase.rows(connection, "SELECT * FROM u ORDER BY id");
      assertThat(TestDatabase.rows(connection, "SELECT * FROM c ORDER BY id")).isEqualTo(rows);
      Files.writeString(file, "w\n5\n6\n");
      assertThatThrownBy(() -> statement.execute("COPY s (w) FROM '" + file + "' WITH (HEADER)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
      statement.execute("UPDATE c SET w = w * 2, id = gen_random_uuid() WHERE w = 0.01");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, "SELECT * FROM u ORDER BY id")).isEqualTo(rows);
      assertThat(TestDatabase.rows(connection, "SELECT w FROM c WHERE w = 0.02"))
          .containsExactly("0.02");
    }
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
