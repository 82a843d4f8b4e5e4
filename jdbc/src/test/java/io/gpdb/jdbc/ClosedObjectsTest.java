package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is closed, or closed itself because it failed, says so with the state of its own kind. */
final class ClosedObjectsTest {
  private static void assertState(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
  }

  private static TestDatabase numbers(int rows) throws SQLException {
    TestDatabase database =
        new TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, day DATE)");
    try (PreparedStatement insert =
        database.connection().prepareStatement("INSERT INTO t VALUES (?, ?, DATE '2001-02-03')")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i);
        insert.setInt(2, i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    return database;
  }

  @Test
  void aClosedResultSetIsInAWrongStateAndTheConnectionIsNot() throws SQLException {
    try (TestDatabase database = numbers(3);
        Statement statement = database.connection().createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT id FROM t");
      assertState("24000", () -> rows.getInt(1));
      assertThat(rows.next()).isTrue();
      rows.close();
      assertState("24000", rows::next);
      assertState("24000", () -> rows.getInt(1));
      assertState("24000", () -> rows.getInt("id"));
      assertState("24000", rows::getMetaData);
      assertState("24000", rows::getRow);
    }
  }

  @Test
  void aClosedStatementIsNoLostConnection() throws SQLException {
    try (TestDatabase database = numbers(3)) {
      Statement statement = database.connection().createStatement();
      ResultSet rows = statement.executeQuery("SELECT id FROM t");
      PreparedStatement prepared =
          database.connection().prepareStatement("SELECT id FROM t WHERE id = ?");
      statement.close();
      prepared.close();
      assertThat(rows.isClosed()).isTrue();
      assertState("HY010", () -> statement.executeQuery("SELECT 1"));
      assertState("HY010", () -> prepared.setInt(1, 1));
      assertState("HY010", prepared::executeQuery);
      assertState("HY010", prepared::addBatch);
    }
  }

  @Test
  void aClosedConnectionClosesWhatCameOfIt() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
    Statement statement = connection.createStatement();
    ResultSet rows = statement.executeQuery("VALUES (1), (2)");
    assertThat(rows.next()).isTrue();
    connection.close();
    assertThat(rows.isClosed()).isTrue();
    assertThat(statement.isClosed()).isTrue();
    assertState("24000", rows::next);
    assertState("08003", () -> statement.executeQuery("SELECT 1"));
  }

  @Test
  void gettersAfterACancelledNextRefuse() throws SQLException {
    try (TestDatabase database = numbers(200_000);
        Statement statement = database.connection().createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT id, day FROM t");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getDate(2)).hasToString("2001-02-03");
      statement.cancel();
      assertState("57014", rows::next);
      assertThat(rows.isClosed()).isTrue();
      assertState("24000", () -> rows.getDate(2));
      assertState("24000", rows::next);
      assertThatThrownBy(() -> rows.getInt(1)).hasMessageContaining("cancelled");
      assertThat(TestDatabase.rows(database.connection(), "SELECT count(*) FROM t"))
          .containsExactly("200000");
    }
  }

  @Test
  void anErrorOfARowFoundByKeyIsRaisedByNext() throws SQLException {
    try (TestDatabase database =
            new TestDatabase(
                "CREATE TABLE a (id INTEGER PRIMARY KEY, i INTEGER)",
                "INSERT INTO a VALUES (1, 2147483647)");
        Statement statement = database.connection().createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT i + 1 FROM a WHERE id = 1");
      assertState("22003", rows::next);
      assertState("24000", () -> rows.getInt(1));
      ResultSet next = statement.executeQuery("SELECT i, i / (i - 2147483647) FROM a WHERE id = 1");
      assertState("22012", next::next);
    }
  }

  /** What may be called although the object is closed, by the specification. */
  private static final Set<String> OF_CLOSED =
      Set.of(
          "close",
          "isClosed",
          "abort",
          "isValid",
          "isWrapperFor",
          "unwrap",
          "setClientInfo",
          "beginRequest",
          "endRequest",
          "enquoteLiteral",
          "enquoteNCharLiteral",
          "enquoteIdentifier",
          "isSimpleIdentifier");

  @Test
  void everyMethodOfAClosedObjectRefuses() throws Exception {
    List<String> others = new ArrayList<>();
    try (TestDatabase database = numbers(3)) {
      Connection connection = database.another();
      Statement statement = connection.createStatement();
      PreparedStatement prepared = connection.prepareStatement("SELECT id FROM t WHERE id = ?");
      CallableStatement call = connection.prepareCall("{? = call abs(?)}");
      ResultSet rows = connection.createStatement().executeQuery("SELECT id FROM t");
      assertThat(rows.next()).isTrue();
      ResultSet kept =
          connection
              .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)
              .executeQuery("SELECT id, i FROM t");
      assertThat(kept.next()).isTrue();
      rows.close();
      kept.close();
      statement.close();
      prepared.close();
      call.close();
      refusing(ResultSet.class, rows, "24000", others);
      refusing(ResultSet.class, kept, "24000", others);
      refusing(Statement.class, statement, "HY010", others);
      refusing(PreparedStatement.class, prepared, "HY010", others);
      refusing(CallableStatement.class, call, "HY010", others);
      connection.close();
      refusing(Connection.class, connection, "08003", others);
    }
    assertThat(others).isEmpty();
  }

  /** Adds the methods that do not raise that state, or say that they are not supported. */
  private static void refusing(Class<?> type, Object closed, String state, List<String> others)
      throws IllegalAccessException {
    for (Method method : type.getMethods()) {
      if (OF_CLOSED.contains(method.getName()) || Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      // A statement that was prepared may say first what else is wrong with the call.
      boolean argued = closed instanceof PreparedStatement;
      @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(method.getParameterTypes()[i]);
      }
      try {
        others.add(method + " returned " + method.invoke(closed, arguments));
      } catch (InvocationTargetException e) {
        boolean refused =
            e.getCause() instanceof SQLException error
                && error.getSQLState() != null
                && (argued
                    || state.equals(error.getSQLState())
                    || error instanceof SQLFeatureNotSupportedException);
        if (!refused) {
          others.add(method + " raised " + e.getCause());
        }
      }
    }
  }

  private static @Nullable Object argument(Class<?> type) {
    return switch (type.getName()) {
      case "int" -> 1;
      case "long" -> 1L;
      case "short" -> (short) 1;
      case "byte" -> (byte) 1;
      case "double" -> 1.0;
      case "float" -> 1f;
      case "boolean" -> true;
      case "java.lang.String" -> "ID";
      case "java.lang.Class" -> String.class;
      default -> null;
    };
  }

  @Test
  void aStatementThatClosesOnCompletionCanRunAgainBefore() throws SQLException {
    try (TestDatabase database = numbers(3);
        Statement statement = database.connection().createStatement()) {
      statement.closeOnCompletion();
      ResultSet first = statement.executeQuery("SELECT id FROM t");
      ResultSet second = statement.executeQuery("SELECT id FROM t");
      assertThat(first.isClosed()).isTrue();
      assertThat(TestDatabase.rows(second)).hasSize(3);
      second.close();
      assertThat(statement.isClosed()).isTrue();
    }
  }
}
