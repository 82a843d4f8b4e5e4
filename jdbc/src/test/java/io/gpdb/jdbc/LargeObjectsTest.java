package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.jdbc.value.BytesObject;
import io.gpdb.jdbc.value.TextObject;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Random;
import javax.sql.rowset.serial.SerialBlob;
import javax.sql.rowset.serial.SerialClob;
import org.junit.jupiter.api.Test;

/** CLOB and BLOB: columns, values and the objects of JDBC. */
class LargeObjectsTest {
  private static final String TABLE = "CREATE TABLE d (id INT PRIMARY KEY, c CLOB, b BLOB(1M))";

  @Test
  void objectsStreamsTextsAndBytesAreStoredAndRead() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE)) {
      String text = "a\u00e4\ud83d\ude00".repeat(5000);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      Clob clob = db.connection().createClob();
      clob.setString(1, text);
      Blob blob = db.connection().createBlob();
      blob.setBytes(1, bytes);
      try (PreparedStatement insert =
          db.connection().prepareStatement("INSERT INTO d VALUES (?, ?, ?)")) {
        insert.setInt(1, 1);
        insert.setClob(2, clob);
        insert.setBlob(3, blob);
        insert.addBatch();
        insert.setInt(1, 2);
        insert.setClob(2, new StringReader(text));
        insert.setBytes(3, bytes);
        insert.addBatch();
        insert.setInt(1, 3);
        insert.setObject(2, clob, Types.CLOB);
        insert.setObject(3, blob);
        insert.addBatch();
        insert.setInt(1, 4);
        insert.setNull(2, Types.CLOB);
        insert.setBlob(3, (Blob) null);
        insert.addBatch();
        insert.executeBatch();
      }
      try (Statement statement = db.connection().createStatement();
          ResultSet rows = statement.executeQuery("SELECT c, b FROM d ORDER BY id")) {
        for (int i = 0; i < 3; i++) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getClob(1).getSubString(1, 1 << 20)).isEqualTo(text);
          assertThat(((Clob) rows.getObject(1)).length()).isEqualTo(text.length());
          assertThat(rows.getObject(1, Clob.class)).hasToString(text);
          assertThat(rows.getNClob(1).length()).isEqualTo(text.length());
          assertThat(rows.getString(1)).isEqualTo(text);
          assertThat(rows.getBlob(2).getBytes(1, 1 << 20)).isEqualTo(bytes);
          assertThat(((Blob) rows.getObject(2)).length()).isEqualTo(bytes.length);
          assertThat(rows.getBytes(2)).isEqualTo(bytes);
        }
        assertThat(rows.next()).isTrue();
        assertThat(rows.getClob(1)).isNull();
        assertThat(rows.getBlob(2)).isNull();
        assertThat(rows.getObject(1)).isNull();
      }
      assertThat(db.rows("SELECT COUNT(DISTINCT c), MAX(CHAR_LENGTH(c)) FROM d"))
          .containsExactly("1|15000");
    }
  }

  @Test
  void metadataCallThemClobAndBlob() throws SQLException {
    try (TestDatabase db = new TestDatabase(TABLE);
        Statement statement = db.connection().createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT c, b, UPPER(c) FROM d")) {
        ResultSetMetaData meta = rows.getMetaData();
        assertThat(meta.getColumnType(1)).isEqualTo(Types.CLOB);
        assertThat(meta.getColumnTypeName(1)).isEqualTo("CLOB");
        assertThat(meta.getColumnClassName(1)).isEqualTo(Clob.class.getName());
        assertThat(meta.getColumnType(2)).isEqualTo(Types.BLOB);
        assertThat(meta.getColumnClassName(2)).isEqualTo(Blob.class.getName());
        assertThat(meta.getColumnType(3)).isEqualTo(Types.CLOB);
      }
      try (ResultSet columns = db.connection().getMetaData().getColumns(null, null, "D", "B")) {
        assertThat(columns.next()).isTrue();
        assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.BLOB);
        assertThat(columns.getInt("COLUMN_SIZE")).isEqualTo(1 << 20);
      }
    }
  }

  @Test
  void lengthsAreKept() throws SQLException {
    try (TestDatabase db = new TestDatabase("CREATE TABLE s (c CLOB(3), b BLOB(2))")) {
      db.execute("INSERT INTO s VALUES ('abc  ', X'0102')");
      assertThat(db.rows("SELECT c, b FROM s")).containsExactly("abc|0102");
      assertState("22001", () -> db.execute("INSERT INTO s (c) VALUES ('abcd')"));
      assertState("22001", () -> db.execute("INSERT INTO s (b) VALUES (X'010203')"));
      assertState("22001", () -> db.execute("UPDATE s SET c = c || c"));
    }
  }

  /** Serial objects of the JDK are the model; their searches and lengths are those of JDBC. */
  @Test
  void objectsAnswerAsThoseOfTheJdkDo() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      String text = letters(random, 1 + random.nextInt(20));
      TextObject clob = new TextObject(text);
      SerialClob model = new SerialClob(text.toCharArray());
      String part = letters(random, 1 + random.nextInt(2));
      long from = 1 + random.nextInt(text.length());
      int count = random.nextInt(text.length() - (int) from + 2);
      assertThat(clob.getSubString(from, count)).isEqualTo(model.getSubString(from, count));
      int found = text.indexOf(part, (int) from - 1);
      assertThat(clob.position(part, from)).isEqualTo(found < 0 ? -1 : found + 1);
      BytesObject blob = new BytesObject(text.getBytes(StandardCharsets.UTF_8));
      SerialBlob bytes = new SerialBlob(text.getBytes(StandardCharsets.UTF_8));
      assertThat(blob.getBytes(from, count)).isEqualTo(bytes.getBytes(from, count));
      assertThat(blob.position(part.getBytes(StandardCharsets.UTF_8), from))
          .isEqualTo(clob.position(part, from));
      clob.setString(from, part);
      StringBuilder changed = new StringBuilder(text);
      changed.replace(
          (int) from - 1, Math.min(text.length(), (int) from - 1 + part.length()), part);
      assertThat(clob).hasToString(changed.toString());
      blob.setBytes(from, part.getBytes(StandardCharsets.UTF_8));
      assertThat(blob.getBytes(1, 100))
          .isEqualTo(changed.toString().getBytes(StandardCharsets.UTF_8));
      clob.truncate(from - 1);
      assertThat(clob).hasToString(changed.substring(0, (int) from - 1));
    }
  }

  private static String letters(Random random, int count) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      letters.append((char) ('a' + random.nextInt(3)));
    }
    return letters.toString();
  }

  @Test
  void streamsWriteIntoTheObject() throws Exception {
    TextObject clob = new TextObject("0123456789");
    try (Writer writer = clob.setCharacterStream(3)) {
      writer.write("ab");
      writer.flush();
      writer.write("c");
    }
    assertThat(clob).hasToString("01abc56789");
    BytesObject blob = new BytesObject(new byte[] {1, 2, 3});
    try (OutputStream out = blob.setBinaryStream(3)) {
      out.write(new byte[] {9, 8});
    }
    assertThat(blob.getBytes(1, 9)).containsExactly(1, 2, 9, 8);
    assertThat(blob.getBinaryStream(2, 2).readAllBytes()).containsExactly(2, 9);
    assertThatThrownBy(() -> blob.getBinaryStream(2, Long.MAX_VALUE))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void wrongPositionsAndFreedObjectsAreRefused() throws SQLException {
    TextObject clob = new TextObject("abc");
    assertState("22023", () -> clob.getSubString(0, 1));
    assertState("22023", () -> clob.getSubString(5, 1));
    assertState("22023", () -> clob.getSubString(1, -1));
    assertState("22023", () -> clob.getCharacterStream(2, 3));
    assertState("22023", () -> clob.truncate(4));
    assertState("22023", () -> clob.setString(1, "abc", 2, 2));
    clob.free();
    clob.free();
    assertState("22023", clob::length);
  }

  private interface Call {
    void run() throws SQLException;
  }

  private static void assertState(String state, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }
}
