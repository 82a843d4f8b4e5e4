package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows changed through their result set. */
class UpdatableResultSetTest {
  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (a INTEGER, b INTEGER, name VARCHAR(5) DEFAULT 'new',"
                + " price DECIMAL(8, 2), code CHAR(4), PRIMARY KEY (a, b))",
            "INSERT INTO t VALUES (1, 1, 'one', 1.5, 'ab'), (1, 2, NULL, NULL, NULL),"
                + " (2, 1, 'three', 3, 'x')");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private ResultSet updatable(String sql) throws SQLException {
    return connection
        .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)
        .executeQuery(sql);
  }

  @Test
  void aRowIsChangedByItsKeyAndReadAsTheTableKeepsIt() throws SQLException {
    ResultSet rows = updatable("SELECT name n, a, b, price, code FROM t ORDER BY a, b");
    assertThat(rows.getConcurrency()).isEqualTo(ResultSet.CONCUR_UPDATABLE);
    rows.absolute(2);
    rows.updateString("N", "two");
    rows.updateBigDecimal(4, new BigDecimal("2.345"));
    rows.updateString("code", "y");
    assertThat(rows.getString(1)).isEqualTo("two");
    assertThat(database.rows("SELECT name FROM t WHERE b = 2")).containsExactly("null");
    rows.updateRow();
    assertThat(rows.rowUpdated()).isTrue();
    assertThat(rows.getBigDecimal("PRICE")).isEqualByComparingTo("2.35");
    assertThat(rows.getString("CODE"))
        .isEqualTo(database.rows("SELECT code FROM t WHERE b = 2").getFirst());
    assertThat(database.rows("SELECT name, price FROM t WHERE b = 2")).containsExactly("two|2.35");
    rows.previous();
    assertThat(rows.rowUpdated()).isFalse();
    rows.next();
    assertThat(rows.getString(1)).isEqualTo("two");
  }

  @Test
  void aKeyIsChangedToo() throws SQLException {
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.last();
    rows.updateInt(1, 7);
    rows.updateRow();
    rows.updateString(3, "seven");
    rows.updateRow();
    assertThat(database.rows("SELECT a, name FROM t WHERE b = 1 ORDER BY a"))
        .containsExactly("1|one", "7|seven");
  }

  @Test
  void whatWasSetIsForgottenWhenTheRowIsLeft() throws SQLException {
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.next();
    rows.updateString(3, "lost");
    rows.cancelRowUpdates();
    assertThat(rows.getString(3)).isEqualTo("one");
    rows.updateString(3, "lost");
    rows.next();
    rows.previous();
    rows.updateRow();
    assertThat(rows.getString(3)).isEqualTo("one");
    assertThat(rows.rowUpdated()).isFalse();
  }

  @Test
  void aDeletedRowLeavesAHole() throws SQLException {
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.absolute(2);
    rows.deleteRow();
    assertThat(rows.rowDeleted()).isTrue();
    assertThatThrownBy(() -> rows.getInt(1)).hasMessage("the row was deleted");
    assertThatThrownBy(rows::updateRow).hasFieldOrPropertyWithValue("SQLState", "24000");
    assertThat(rows.next()).isTrue();
    assertThat(rows.getInt(1)).isEqualTo(2);
    assertThat(rows.getRow()).isEqualTo(3);
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("2");
  }

  @Test
  void aRowIsInsertedWithTheDefaultsOfWhatWasNotSet() throws SQLException {
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.absolute(2);
    rows.moveToInsertRow();
    assertThat(rows.getString(3)).isNull();
    rows.updateObject("A", 9L);
    rows.updateInt("B", 9);
    assertThat(rows.getInt("A")).isEqualTo(9);
    rows.insertRow();
    assertThatThrownBy(rows::insertRow).hasFieldOrPropertyWithValue("SQLState", "23502");
    assertThatThrownBy(rows::deleteRow).hasFieldOrPropertyWithValue("SQLState", "24000");
    rows.moveToCurrentRow();
    assertThat(rows.getRow()).isEqualTo(2);
    assertThat(rows.getInt("B")).isEqualTo(2);
    assertThat(database.rows("SELECT * FROM t WHERE a = 9")).containsExactly("9|9|new|null|null");
  }

  @Test
  void whatTheTableRefusesIsRefusedAndCanBeMended() throws SQLException {
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.next();
    assertThatThrownBy(() -> rows.updateString("A", "x"))
        .hasFieldOrPropertyWithValue("SQLState", "22018");
    rows.updateString("NAME", "too long");
    assertThatThrownBy(rows::updateRow).hasFieldOrPropertyWithValue("SQLState", "22001");
    rows.updateString("NAME", "short");
    rows.updateRow();
    rows.updateInt("B", 2);
    assertThatThrownBy(rows::updateRow).hasFieldOrPropertyWithValue("SQLState", "23505");
    rows.cancelRowUpdates();
    assertThat(rows.getInt("B")).isOne();
    assertThatThrownBy(() -> rows.updateInt(0, 2)).hasFieldOrPropertyWithValue("SQLState", "42S22");
  }

  @Test
  void aRowThatIsGoneIsSaidToBe() throws SQLException {
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.next();
    database.execute("UPDATE t SET name = 'other' WHERE a = 1 AND b = 1");
    assertThat(rows.getString("NAME")).isEqualTo("one");
    rows.refreshRow();
    assertThat(rows.getString("NAME")).isEqualTo("other");
    database.execute("DELETE FROM t WHERE a = 1");
    rows.updateString("NAME", "x");
    assertThatThrownBy(rows::updateRow).hasFieldOrPropertyWithValue("SQLState", "02000");
    assertThatThrownBy(rows::deleteRow).hasFieldOrPropertyWithValue("SQLState", "02000");
    assertThatThrownBy(rows::refreshRow).hasFieldOrPropertyWithValue("SQLState", "02000");
  }

  @Test
  void rollbackTakesChangesBack() throws SQLException {
    connection.setAutoCommit(false);
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.next();
    rows.updateString("NAME", "x");
    rows.updateRow();
    rows.next();
    rows.deleteRow();
    connection.rollback();
    assertThat(rows.isClosed()).isTrue();
    assertThat(database.rows("SELECT name FROM t ORDER BY a, b"))
        .containsExactly("one", "null", "three");
  }

  @Test
  void aHeldOneChangesRowsAfterTheCommit() throws SQLException {
    connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
    connection.setAutoCommit(false);
    ResultSet rows = updatable("SELECT * FROM t ORDER BY a, b");
    rows.next();
    connection.commit();
    rows.updateString("NAME", "x");
    rows.updateRow();
    connection.commit();
    assertThat(database.rows("SELECT name FROM t WHERE a = 1 AND b = 1")).containsExactly("x");
  }

  @Test
  void resultsThatCannotBeChangedAreReadOnlyWithAWarning() throws SQLException {
    database.execute("CREATE VIEW v AS SELECT * FROM t");
    for (String sql :
        new String[] {
          "SELECT a, name FROM t",
          "SELECT t.* FROM t JOIN t AS u ON t.a = u.b",
          "SELECT t.a, u.b, u.name FROM t, t AS u",
          "SELECT DISTINCT * FROM t",
          "SELECT a, b FROM t GROUP BY a, b",
          "SELECT a, b, a + 1 FROM t",
          "SELECT a, b, a FROM t",
          "SELECT * FROM (SELECT * FROM t) AS s",
          "WITH s AS (SELECT * FROM t) SELECT * FROM s",
          "SELECT * FROM t UNION ALL SELECT * FROM t",
          "SELECT * FROM v",
          "SELECT b AS a, a AS c FROM t AS x(b, a, n, p, c)",
          "VALUES (1, 2)",
          "SELECT * FROM information_schema.tables"
        }) {
      ResultSet rows = updatable(sql);
      assertThat(rows.getConcurrency()).as(sql).isEqualTo(ResultSet.CONCUR_READ_ONLY);
      assertThat(rows.getWarnings() != null).as(sql).isTrue();
      assertThat(rows.getStatement().getWarnings() != null).as(sql).isTrue();
      rows.next();
      assertThatThrownBy(() -> rows.updateInt(1, 1))
          .as(sql)
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
  }

  @Test
  void aForwardOnlyOneChangesRowsOnItsWay() throws SQLException {
    try (Statement statement =
        connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)) {
      ResultSet rows = statement.executeQuery("SELECT * FROM t AS x WHERE price > 0");
      while (rows.next()) {
        rows.updateNull("NAME");
        rows.updateRow();
      }
      assertThatThrownBy(rows::previous).isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThat(database.rows("SELECT count(name) FROM t")).containsExactly("0");
    }
  }

  @Test
  void everyKindOfValueIsSet() throws SQLException {
    database.execute(
        "CREATE TABLE kinds (k VARCHAR(9) PRIMARY KEY, bo BOOLEAN, sm SMALLINT, bi BIGINT, re REAL,"
            + " dou DOUBLE, da DATE, ti TIME(6), ts TIMESTAMP(6), vb VARBINARY(8), cl CLOB, bl BLOB,"
            + " u UUID, w DECIMAL(38, 4), z TIMESTAMP(6) WITH TIME ZONE, tin TINYINT,"
            + " iv INTERVAL DAY TO SECOND)");
    database.execute("INSERT INTO kinds (k) VALUES ('k')");
    ResultSet rows = updatable("SELECT * FROM kinds");
    rows.next();
    rows.updateBoolean("BO", true);
    rows.updateShort("SM", (short) -7);
    rows.updateLong("BI", Long.MIN_VALUE);
    rows.updateFloat("RE", 1.5f);
    rows.updateDouble("DOU", 1e300);
    rows.updateObject("DA", LocalDate.of(1, 2, 3));
    rows.updateObject("TI", LocalTime.of(1, 2, 3, 456_789_000));
    rows.updateObject("TS", LocalDateTime.of(2000, 1, 2, 3, 4, 5, 678_901_000));
    rows.updateBytes("VB", new byte[] {1, 2});
    rows.updateCharacterStream("CL", new StringReader("a text"));
    rows.updateBlob("BL", new java.io.ByteArrayInputStream(new byte[] {3}), 1);
    rows.updateObject("U", new UUID(1, -2));
    rows.updateBigDecimal("W", new BigDecimal("-1234567890123456789012345678901234.5678"));
    rows.updateObject("Z", Instant.parse("2024-03-31T01:30:15.123456Z"));
    rows.updateByte("TIN", (byte) -128);
    rows.updateObject("IV", Duration.ofSeconds(90_061));
    rows.updateRow();
    rows.refreshRow();
    assertThat(rows.getObject("U")).isEqualTo(new UUID(1, -2));
    assertThat(rows.getBigDecimal("W")).isEqualTo("-1234567890123456789012345678901234.5678");
    assertThat(rows.getObject("Z", Instant.class)).isEqualTo("2024-03-31T01:30:15.123456Z");
    assertThat(rows.getByte("TIN")).isEqualTo((byte) -128);
    assertThat(rows.getObject("IV", Duration.class)).isEqualTo(Duration.ofSeconds(90_061));
    assertThat(rows.getBoolean("BO")).isTrue();
    assertThat(rows.getShort("SM")).isEqualTo((short) -7);
    assertThat(rows.getLong("BI")).isEqualTo(Long.MIN_VALUE);
    assertThat(rows.getFloat("RE")).isEqualTo(1.5f);
    assertThat(rows.getDouble("DOU")).isEqualTo(1e300);
    assertThat(rows.getObject("DA", LocalDate.class)).isEqualTo("0001-02-03");
    assertThat(rows.getObject("TI", LocalTime.class)).isEqualTo("01:02:03.456789");
    assertThat(rows.getObject("TS", LocalDateTime.class)).isEqualTo("2000-01-02T03:04:05.678901");
    assertThat(rows.getBytes("VB")).containsExactly(1, 2);
    assertThat(rows.getString("CL")).isEqualTo("a text");
    assertThat(rows.getBytes("BL")).containsExactly(3);
  }

  @Test
  void keysOfEveryTypeFindTheirRow() throws SQLException {
    String[] types = {
      "SMALLINT",
      "BIGINT",
      "DECIMAL(9, 3)",
      "DATE",
      "TIME(6)",
      "TIMESTAMP(6)",
      "CHAR(8)",
      "VARCHAR(8)",
      "VARBINARY(8)",
      "BOOLEAN",
      "UUID",
      "DECIMAL(38, 4)",
      "TIMESTAMP(6) WITH TIME ZONE",
      "TINYINT",
      "INTERVAL DAY TO SECOND",
      "VARCHAR"
    };
    String[] values = {
      "-3",
      "12345678901",
      "-1.125",
      "DATE '1600-02-29'",
      "TIME '01:02:03.456789'",
      "TIMESTAMP '1900-01-01 01:02:03.456789'",
      "'a '",
      "'é\"'' '",
      "X'00FF'",
      "TRUE",
      "UUID '01234567-89ab-cdef-0123-456789abcdef'",
      "-1234567890123456789012345678901234.5678",
      "TIMESTAMP WITH TIME ZONE '2024-03-31 01:30:15.123456+05:30'",
      "-128",
      "INTERVAL '1 02:03:04.5' DAY TO SECOND",
      "REPEAT('long', 2000)"
    };
    for (int i = 0; i < types.length; i++) {
      database.execute(
          "CREATE TABLE \"k\"\"" + i + "\" (\"the k\" " + types[i] + " PRIMARY KEY, v INTEGER)");
      database.execute("INSERT INTO \"k\"\"" + i + "\" VALUES (" + values[i] + ", 0)");
      ResultSet rows = updatable("SELECT * FROM \"k\"\"" + i + "\"");
      rows.next();
      rows.updateInt(2, 1);
      rows.updateRow();
      rows.refreshRow();
      assertThat(rows.getInt(2)).as(types[i]).isOne();
      rows.deleteRow();
      assertThat(database.rows("SELECT v FROM \"k\"\"" + i + "\"")).as(types[i]).isEmpty();
    }
  }

  /** Random changes through result sets and by a model end in the same rows. */
  @Test
  void randomChangesEndInTheRowsOfAModel() throws SQLException {
    database.execute("CREATE TABLE r (k INTEGER PRIMARY KEY, v INTEGER)");
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    Map<Integer, Integer> model = new TreeMap<>();
    for (int episode = 0; episode < 30; episode++) {
      ResultSet rows = updatable("SELECT v, k FROM r ORDER BY k");
      for (int step = 0; step < 20; step++) {
        change(rows, random, model);
      }
      rows.getStatement().close();
      assertThat(database.rows("SELECT k, v FROM r ORDER BY k"))
          .as("seed " + seed)
          .isEqualTo(model.entrySet().stream().map(e -> e.getKey() + "|" + e.getValue()).toList());
    }
  }

  private static void change(ResultSet rows, Random random, Map<Integer, Integer> model)
      throws SQLException {
    int key = random.nextInt(30);
    int value = random.nextInt();
    if (random.nextInt(3) == 0) {
      if (!model.containsKey(key)) {
        rows.moveToInsertRow();
        rows.updateInt("K", key);
        rows.updateInt("V", value);
        rows.insertRow();
        rows.moveToCurrentRow();
        model.put(key, value);
      }
    } else if (rows.absolute(1 + random.nextInt(20)) && !rows.rowDeleted()) {
      int old = rows.getInt("K");
      assertThat(rows.getInt("V")).isEqualTo(model.get(old));
      if (random.nextInt(4) == 0) {
        rows.deleteRow();
        model.remove(old);
      } else {
        boolean moves = !model.containsKey(key);
        if (moves) {
          rows.updateInt("K", key);
        }
        rows.updateInt("V", value);
        rows.updateRow();
        model.remove(old);
        model.put(moves ? key : old, value);
      }
    }
  }
}
