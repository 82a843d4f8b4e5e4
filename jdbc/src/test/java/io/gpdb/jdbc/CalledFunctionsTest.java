package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CalledFunctionsTest {
  private TestDatabase db;

  @BeforeEach
  void open() throws SQLException {
    db = new TestDatabase();
  }

  @AfterEach
  void close() throws SQLException {
    db.close();
  }

  private CallableStatement call(String sql) throws SQLException {
    return db.connection().prepareCall(sql);
  }

  private static void refused(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void aFunctionReturnsItsValueAsTheFirstParameter() throws SQLException {
    try (CallableStatement call =
        call("{? = call round(CAST(? AS DECIMAL(9, 3)), CAST(? AS INTEGER))}")) {
      call.registerOutParameter(1, Types.DECIMAL);
      call.setBigDecimal(2, new BigDecimal("2.345"));
      call.setInt(3, 1);
      assertThat(call.execute()).isFalse();
      assertThat(call.getBigDecimal(1)).isEqualByComparingTo("2.3");
      assertThat(call.wasNull()).isFalse();
      assertThat(call.getObject(1, BigDecimal.class)).isEqualByComparingTo("2.3");
      call.setNull(2, Types.DECIMAL);
      assertThat(call.executeUpdate()).isZero();
      assertThat(call.getDouble(1)).isZero();
      assertThat(call.wasNull()).isTrue();
    }
  }

  @Test
  void aCallWithoutAResultParameterIsAQuery() throws SQLException {
    for (String sql :
        new String[] {"{call current_schema}", "call upper('public')", "VALUES 'PUBLIC'"}) {
      try (CallableStatement call = call(sql);
          ResultSet rows = call.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("PUBLIC");
        assertThat(rows.next()).isFalse();
      }
    }
  }

  @Test
  void theValueThatIsReturnedIsTheFirstOfTheParameters() throws SQLException {
    try (CallableStatement call = call("{? = call left(?, CAST(? AS INTEGER))}")) {
      ParameterMetaData parameters = call.getParameterMetaData();
      assertThat(parameters.getParameterCount()).isEqualTo(3);
      assertThat(parameters.getParameterMode(1)).isEqualTo(ParameterMetaData.parameterModeOut);
      assertThat(parameters.getParameterMode(2)).isEqualTo(ParameterMetaData.parameterModeIn);
      assertThat(parameters.getParameterType(1)).isEqualTo(Types.VARCHAR);
      assertThat(parameters.getParameterType(3)).isEqualTo(Types.INTEGER);
      refused("07001", () -> parameters.getParameterType(4));
    }
    try (CallableStatement query = call("{call upper(?)}")) {
      ParameterMetaData parameters = query.getParameterMetaData();
      assertThat(parameters.getParameterCount()).isOne();
      assertThat(parameters.getParameterMode(1)).isEqualTo(ParameterMetaData.parameterModeIn);
    }
  }

  @Test
  void whatACallDoesNotReturnIsRefused() throws SQLException {
    try (CallableStatement call = call("{ ? = CALL upper(?) }")) {
      call.setString(2, "a");
      refused("22023", call::execute);
      refused("22023", () -> call.registerOutParameter(2, Types.VARCHAR));
      call.registerOutParameter(1, Types.VARCHAR);
      refused("22023", () -> call.getString(1));
      refused("22023", () -> call.setString(1, "b"));
      refused("22023", call::executeQuery);
      assertThat(call.execute()).isFalse();
      refused("22023", () -> call.getString(2));
      assertThat(call.getString(1)).isEqualTo("A");
      assertThatThrownBy(() -> call.getString("x"))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThatThrownBy(() -> call.setString("x", "y"))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
    CallableStatement closed = call("{ ? = CALL upper(?) }");
    closed.close();
    assertThat(closed.isClosed()).isTrue();
    refused("HY010", () -> closed.getString(1));
    assertThatThrownBy(() -> call("{? = call no_such_function(?)}"))
        .isInstanceOf(SQLException.class);
    refused("22023", () -> call(null));
  }

  @Test
  void xmlIsTheTextOfAColumn() throws Exception {
    db.execute("CREATE TABLE t (x CLOB)");
    java.sql.SQLXML made = db.connection().createSQLXML();
    refused("22023", made::getString);
    try (java.io.Writer writer = made.setCharacterStream()) {
      writer.write("<a><b>Ä</b></a>");
    }
    try (PreparedStatement insert = db.connection().prepareStatement("INSERT INTO t VALUES (?)")) {
      insert.setSQLXML(1, made);
      insert.executeUpdate();
      insert.setObject(1, made);
      insert.executeUpdate();
      insert.setSQLXML(1, null);
      insert.executeUpdate();
    }
    try (java.sql.Statement statement = db.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT x FROM t")) {
      for (int i = 0; i < 2; i++) {
        rows.next();
        java.sql.SQLXML read = rows.getSQLXML("x");
        assertThat(read.getString()).isEqualTo("<a><b>Ä</b></a>");
        assertThat(read.getBinaryStream().readAllBytes())
            .isEqualTo("<a><b>Ä</b></a>".getBytes("UTF-8"));
        org.w3c.dom.Node tree =
            read.getSource(javax.xml.transform.dom.DOMSource.class).getNode().getFirstChild();
        assertThat(tree.getNodeName() + tree.getTextContent()).isEqualTo("aÄ");
        read.free();
        refused("22023", read::getString);
      }
      rows.next();
      assertThat(rows.getSQLXML(1)).isNull();
    }
    made.setString("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>");
    refused("22023", () -> made.getSource(javax.xml.transform.dom.DOMSource.class));
    made.setString("no XML");
    refused("22023", () -> made.getSource(javax.xml.transform.dom.DOMSource.class));
  }

  @Test
  void conversionsAreThoseThatACastTakes() throws SQLException {
    String[] types = {
      "BOOLEAN",
      "TINYINT",
      "INTEGER",
      "BIGINT",
      "DECIMAL(30, 2)",
      "REAL",
      "DOUBLE",
      "DATE",
      "TIME",
      "TIMESTAMP",
      "TIMESTAMP WITH TIME ZONE",
      "CHAR(40)",
      "VARCHAR(40)",
      "CLOB",
      "VARBINARY(9)",
      "BLOB"
    };
    int[] codes = {
      Types.BOOLEAN,
      Types.TINYINT,
      Types.INTEGER,
      Types.BIGINT,
      Types.DECIMAL,
      Types.REAL,
      Types.DOUBLE,
      Types.DATE,
      Types.TIME,
      Types.TIMESTAMP,
      Types.TIMESTAMP_WITH_TIMEZONE,
      Types.CHAR,
      Types.VARCHAR,
      Types.CLOB,
      Types.VARBINARY,
      Types.BLOB
    };
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < types.length; i++) {
      columns.append(i == 0 ? "c" : ", c").append(i).append(' ').append(types[i]);
    }
    db.execute("CREATE TABLE t (" + columns + ")");
    var metaData = db.connection().getMetaData();
    assertThat(metaData.supportsConvert()).isTrue();
    for (int i = 0; i < types.length; i++) {
      for (int j = 0; j < types.length; j++) {
        String sql = "SELECT CAST(c" + i + " AS " + types[j] + ") FROM t";
        boolean works = true;
        try {
          db.rows(sql);
        } catch (SQLException e) {
          works = false;
        }
        assertThat(metaData.supportsConvert(codes[i], codes[j]))
            .as(types[i] + ": " + sql)
            .isEqualTo(works);
      }
    }
    assertThat(metaData.supportsConvert(Types.ARRAY, Types.VARCHAR)).isFalse();
  }

  /** Every permutation of the parameters has the same values by name as by position. */
  @Test
  void parametersOfAProcedureHaveNames() throws SQLException {
    List<String> modes = List.of("IN a INTEGER", "OUT b INTEGER", "INOUT \"c d\" VARCHAR(9)");
    for (List<Integer> order :
        List.of(
            List.of(0, 1, 2),
            List.of(0, 2, 1),
            List.of(1, 0, 2),
            List.of(1, 2, 0),
            List.of(2, 0, 1),
            List.of(2, 1, 0))) {
      String name = "p" + order.get(0) + order.get(1);
      db.execute(
          "CREATE PROCEDURE %s (%s, %s, %s) BEGIN ATOMIC SET b = a + 1; SET \"c d\" = 'x' || \"c d\"; END"
              .formatted(
                  name, modes.get(order.get(0)), modes.get(order.get(1)), modes.get(order.get(2))));
      try (CallableStatement call = call("{call " + name + "(?, ?, ?)}")) {
        call.setInt("a", 5);
        call.setObject("C D", "y");
        call.registerOutParameter("B", Types.INTEGER);
        call.registerOutParameter("c d", Types.VARCHAR);
        call.execute();
        assertThat(call.getInt("b")).isEqualTo(6);
        assertThat(call.getInt(order.indexOf(1) + 1)).isEqualTo(6);
        assertThat(call.getString("c d")).isEqualTo("xy");
        assertThat(call.getString(order.indexOf(2) + 1)).isEqualTo("xy");
        call.setNull("a", Types.INTEGER);
        call.execute();
        assertThat(call.getObject("b")).isNull();
        assertThat(call.wasNull()).isTrue();
        refused("22023", () -> call.getInt("a"));
        refused("22023", () -> call.setInt("e", 1));
      }
    }
    try (CallableStatement call = call("{call p01(5, ?, 'z')}")) {
      call.execute();
      assertThat(call.getLong("b")).isEqualTo(6);
      refused("22023", () -> call.setString("c d", "y"));
    }
  }
}
