package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the Javadoc of {@code java.sql} says of single calls, one line for each. */
class JavadocTest {
  private interface Call {
    Object of(Connection connection) throws SQLException;
  }

  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE a (id INTEGER PRIMARY KEY, d VARCHAR(10))",
            "INSERT INTO a VALUES (1, 'one'), (2, 'two')",
            "CREATE TABLE plain (i INTEGER, v VARCHAR(10))",
            "INSERT INTO plain VALUES (1, 'x'), (1, 'x')");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /** What the call returned, as a text, or its SQLSTATE. */
  private String said(Call call) throws SQLException {
    try (Connection connection = database.another()) {
      return String.valueOf(call.of(connection));
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private void hold(Map<String, Call> calls) throws SQLException {
    for (Map.Entry<String, Call> call : calls.entrySet()) {
      String[] named = call.getKey().split(" = ", 2);
      assertThat(said(call.getValue())).as(named[0]).isEqualTo(named[1]);
    }
  }

  @Test
  void aRefusedExecutionHasChangedNothing() throws SQLException {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "executeQuery of INSERT = 42000",
        c -> c.createStatement().executeQuery("INSERT INTO a VALUES (9, 'x')"));
    calls.put(
        "executeQuery of CREATE = 42000",
        c -> c.createStatement().executeQuery("CREATE TABLE b (i INTEGER)"));
    calls.put(
        "executeQuery of DELETE before a query = 42000",
        c -> c.createStatement().executeQuery("DELETE FROM a; SELECT id FROM a"));
    calls.put(
        "executeUpdate of RETURNING = 42000",
        c -> c.createStatement().executeUpdate("DELETE FROM a RETURNING id"));
    calls.put(
        "executeUpdate of RETURNING with keys = 42000",
        c -> c.createStatement().executeUpdate("DELETE FROM a RETURNING id", 1));
    calls.put(
        "prepared executeQuery of INSERT = 42000",
        c -> c.prepareStatement("INSERT INTO a VALUES (9, 'x')").executeQuery());
    calls.put(
        "executeBatch of a query = 42000",
        c -> {
          Statement batch = c.createStatement();
          batch.addBatch("DELETE FROM a");
          batch.addBatch("SELECT id FROM a");
          return batch.executeBatch();
        });
    hold(calls);
    assertThat(database.rows("SELECT id FROM a")).containsExactly("1", "2");
    assertThat(
            database.rows("SELECT count(*) FROM information_schema.tables WHERE table_name = 'B'"))
        .containsExactly("0");
  }

  @Test
  void settingsAreKept() throws SQLException {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("isPoolable of a statement = false", c -> c.createStatement().isPoolable());
    calls.put(
        "isPoolable of a prepared one = true", c -> c.prepareStatement("SELECT 1").isPoolable());
    calls.put(
        "setPoolable = false",
        c -> {
          PreparedStatement prepared = c.prepareStatement("SELECT 1");
          prepared.setPoolable(false);
          return prepared.isPoolable();
        });
    calls.put(
        "setNetworkTimeout without executor = 22023",
        c -> {
          c.setNetworkTimeout(null, 1000);
          return c.getNetworkTimeout();
        });
    for (int level : new int[] {1, 2, 4, 8}) {
      calls.put(
          "setTransactionIsolation(" + level + ") = " + level,
          c -> {
            c.setTransactionIsolation(level);
            assertThat(c.getMetaData().supportsTransactionIsolationLevel(level)).isTrue();
            return c.getTransactionIsolation();
          });
    }
    hold(calls);
  }

  /** The named type comes first, then the column's own. */
  @Test
  void valuesBecomeOfTheTypeThatIsNamed() throws SQLException {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("1.75 as INTEGER = 1", c -> named(c, new BigDecimal("1.75"), Types.INTEGER));
    calls.put("-1.75 as BIGINT = -1", c -> named(c, -1.75, Types.BIGINT));
    calls.put("'2.5' as SMALLINT = 2", c -> named(c, "2.5", Types.SMALLINT));
    calls.put("true as INTEGER = 1", c -> named(c, true, Types.INTEGER));
    calls.put("0.5 as BOOLEAN = true", c -> named(c, 0.5, Types.BOOLEAN));
    calls.put("'1.50' as DECIMAL = 1.50", c -> named(c, "1.50", Types.DECIMAL));
    calls.put("text as OTHER = x", c -> named(c, "x", Types.OTHER));
    calls.put("128 as TINYINT = 22003", c -> named(c, 128, Types.TINYINT));
    calls.put(
        "a huge number as BIGINT = 22003",
        c -> named(c, new BigDecimal("1E999999999"), Types.BIGINT));
    calls.put("NaN as INTEGER = 22003", c -> named(c, Double.NaN, Types.INTEGER));
    calls.put("'x' as INTEGER = 22018", c -> named(c, "x", Types.INTEGER));
    for (int type :
        new int[] {
          Types.ARRAY,
          Types.DATALINK,
          Types.REF,
          Types.ROWID,
          Types.STRUCT,
          Types.TIME_WITH_TIMEZONE
        }) {
      calls.put("1 as type " + type + " = 0A000", c -> named(c, 1, type));
      calls.put("NULL as type " + type + " = 0A000", c -> named(c, null, type));
      calls.put(
          "setNull of type " + type + " = 0A000",
          c -> {
            c.prepareStatement("UPDATE plain SET v = ?").setNull(1, type);
            return "taken";
          });
    }
    calls.put(
        "1.255 as DECIMAL with scale 2 = 1.26",
        c -> {
          PreparedStatement update = c.prepareStatement("UPDATE plain SET v = ?");
          update.setObject(1, 1.255, Types.DECIMAL, 2);
          update.executeUpdate();
          return database.rows("SELECT v FROM plain").getFirst();
        });
    calls.put(
        "a stream of length 2 = ab",
        c -> {
          PreparedStatement update = c.prepareStatement("UPDATE plain SET v = ?");
          update.setObject(1, new StringReader("abc"), Types.VARCHAR, 2);
          update.executeUpdate();
          return database.rows("SELECT v FROM plain").getFirst();
        });
    hold(calls);
  }

  private String named(Connection connection, Object value, int type) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement("UPDATE plain SET v = ?")) {
      update.setObject(1, value, type);
      update.executeUpdate();
    }
    return database.rows("SELECT v FROM plain").getFirst();
  }

  @Test
  void isBeforeFirstSaysWhetherThereAreRows() throws SQLException {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "of no rows = false false false", c -> beforeFirst(c, "SELECT id FROM a WHERE id = 9"));
    calls.put(
        "of rows = true true 1 false 2 false false",
        c -> beforeFirst(c, "SELECT id FROM a ORDER BY id"));
    calls.put(
        "of metadata = true",
        c -> c.getMetaData().getTables(null, null, "A", null).isBeforeFirst());
    calls.put(
        "of a failing query = 22012",
        c -> c.createStatement().executeQuery("SELECT 1 / (id - 1) FROM a").isBeforeFirst());
    calls.put(
        "before a change = 1 2 false",
        c -> {
          c.setAutoCommit(false);
          ResultSet rows = c.createStatement().executeQuery("SELECT id FROM a ORDER BY id");
          assertThat(rows.isBeforeFirst()).isTrue();
          assertThat(c.createStatement().executeUpdate("DELETE FROM a")).isEqualTo(2);
          String found = "";
          while (rows.next()) {
            found += rows.getInt(1) + " ";
          }
          return found + rows.isBeforeFirst();
        });
    calls.put(
        "of a named cursor = 0A000",
        c -> {
          Statement named = c.createStatement();
          named.setCursorName("rows");
          return named.executeQuery("SELECT id FROM a").isBeforeFirst();
        });
    hold(calls);
  }

  private static String beforeFirst(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      StringBuilder said = new StringBuilder();
      said.append(rows.isBeforeFirst()).append(' ').append(rows.isBeforeFirst());
      while (rows.next()) {
        said.append(' ').append(rows.getInt(1)).append(' ').append(rows.isBeforeFirst());
      }
      return said.append(' ').append(rows.isBeforeFirst()).toString();
    }
  }

  @Test
  void whatTheJavadocForbidsIsRefused() throws SQLException {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("acceptsURL(null) = 22023", _ -> new GpdbDriver().acceptsURL(null));
    calls.put("connect(null) = 22023", _ -> new GpdbDriver().connect(null, null));
    calls.put(
        "setReadOnly in a transaction = 25000",
        c -> {
          c.setAutoCommit(false);
          c.createStatement().executeQuery("SELECT id FROM a");
          c.setReadOnly(true);
          return "taken";
        });
    calls.put(
        "setReadOnly as it is = false",
        c -> {
          c.setAutoCommit(false);
          c.createStatement().executeQuery("SELECT id FROM a");
          c.setReadOnly(false);
          return c.isReadOnly();
        });
    hold(calls);
  }

  @Test
  void privilegesAreThoseOfTheInformationSchema() throws SQLException {
    database.execute("CREATE VIEW counts AS SELECT d, count(*) AS n FROM a GROUP BY d");
    DatabaseMetaData metadata = database.connection().getMetaData();
    assertThat(TestDatabase.rows(metadata.getTablePrivileges(null, "PUB%", null)))
        .hasSize(11)
        .isEqualTo(
            database.rows(
                "SELECT NULL, table_schema, table_name, grantor, grantee, privilege_type,"
                    + " is_grantable FROM information_schema.table_privileges"
                    + " ORDER BY table_name, privilege_type"));
    assertThat(TestDatabase.rows(metadata.getColumnPrivileges("", "PUBLIC", "A", "_D")))
        .hasSize(4)
        .isEqualTo(
            database.rows(
                "SELECT NULL, table_schema, table_name, column_name, grantor, grantee,"
                    + " privilege_type, is_grantable FROM information_schema.column_privileges"
                    + " WHERE table_name = 'A' AND column_name = 'ID' ORDER BY privilege_type"));
    assertThat(TestDatabase.rows(metadata.getColumnPrivileges(null, null, "a", null))).isEmpty();
    assertThat(TestDatabase.rows(metadata.getTablePrivileges("x", null, null))).isEmpty();
  }

  @Test
  void rowsOfOneTableAreUpdatable() throws SQLException {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "FOR UPDATE = 1008 U", c -> updated(c, "SELECT id, d FROM a WHERE id = 1 FOR UPDATE", 2));
    calls.put("a schema named = 1008 U", c -> updated(c, "SELECT * FROM PUBLIC.a WHERE id = 1", 2));
    hold(calls);
    assertThat(database.rows("SELECT d FROM a ORDER BY id")).containsExactly("U", "two");
    calls.clear();
    calls.put(
        "the table of a column that is locked = PUBLIC.A",
        c -> {
          try (ResultSet rows = c.createStatement().executeQuery("SELECT id FROM a FOR UPDATE")) {
            return rows.getMetaData().getSchemaName(1) + "." + rows.getMetaData().getTableName(1);
          }
        });
    hold(calls);
  }

  private static String updated(Connection connection, String sql, int column) throws SQLException {
    try (Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      rows.updateString(column, "U");
      rows.updateRow();
      return rows.getConcurrency() + " " + rows.getString(column);
    }
  }
}
