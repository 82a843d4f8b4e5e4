package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Result sets that move in both directions, and those that outlive a commit. */
class ScrollableResultSetTest {
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (k INTEGER PRIMARY KEY, name VARCHAR(20))",
            "INSERT INTO t VALUES (1, 'one'), (2, NULL), (3, 'three'), (4, 'four'), (5, 'five')");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private Statement scrollable(int holdability) throws SQLException {
    return database
        .connection()
        .createStatement(
            ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY, holdability);
  }

  /** All moves by a model: a position between 0 and the number of rows plus one. */
  @Test
  void randomMovesEndWhereAModelSays() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    for (int episode = 0; episode < 40; episode++) {
      int rows = random.nextInt(6);
      String sql = "SELECT k, name FROM t WHERE k <= " + rows + " ORDER BY k";
      try (Statement statement = scrollable(ResultSet.CLOSE_CURSORS_AT_COMMIT);
          ResultSet result = statement.executeQuery(sql)) {
        int position = 0;
        for (int step = 0; step < 40; step++) {
          position = move(result, random, position, rows);
          requireAt(result, position, rows, "seed " + seed);
        }
      }
    }
  }

  private static int move(ResultSet result, Random random, int position, int rows)
      throws SQLException {
    int number = random.nextInt(15) - 7;
    int wanted =
        switch (random.nextInt(8)) {
          case 0 -> {
            result.beforeFirst();
            yield 0;
          }
          case 1 -> {
            result.afterLast();
            yield rows + 1;
          }
          case 2 -> checked(result.first(), 1, rows);
          case 3 -> checked(result.last(), rows, rows);
          case 4 -> checked(result.next(), position + 1, rows);
          case 5 -> checked(result.previous(), position - 1, rows);
          case 6 -> checked(result.relative(number), position + number, rows);
          default ->
              checked(result.absolute(number), number < 0 ? rows + 1 + number : number, rows);
        };
    return Math.clamp(wanted, 0, rows + 1);
  }

  private static int checked(boolean onRow, int wanted, int rows) {
    assertThat(onRow).isEqualTo(wanted > 0 && wanted <= rows);
    return wanted;
  }

  private static void requireAt(ResultSet result, int position, int rows, String seed)
      throws SQLException {
    boolean onRow = position > 0 && position <= rows;
    assertThat(result.getRow()).as(seed).isEqualTo(onRow ? position : 0);
    assertThat(result.isBeforeFirst()).as(seed).isEqualTo(rows > 0 && position == 0);
    assertThat(result.isAfterLast()).as(seed).isEqualTo(rows > 0 && position == rows + 1);
    assertThat(result.isFirst()).as(seed).isEqualTo(rows > 0 && position == 1);
    assertThat(result.isLast()).as(seed).isEqualTo(rows > 0 && position == rows);
    if (onRow) {
      assertThat(result.getInt(1)).as(seed).isEqualTo(position);
      assertThat(result.getString("NAME") == null).as(seed).isEqualTo(position == 2);
      assertThat(result.wasNull()).as(seed).isEqualTo(position == 2);
    } else {
      assertThatThrownBy(() -> result.getInt(1)).hasFieldOrPropertyWithValue("SQLState", "24000");
    }
  }

  @Test
  void rowsStayAsTheyWereRead() throws SQLException {
    try (Statement statement = scrollable(ResultSet.CLOSE_CURSORS_AT_COMMIT);
        ResultSet result = statement.executeQuery("SELECT k FROM t ORDER BY k")) {
      database.execute("DELETE FROM t WHERE k > 2");
      assertThat(result.last()).isTrue();
      assertThat(result.getInt(1)).isEqualTo(5);
    }
  }

  @Test
  void theFirstRowsAreKeptWhereSoManyAreWanted() throws SQLException {
    try (Statement statement = scrollable(ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
      statement.setMaxRows(3);
      ResultSet result = statement.executeQuery("SELECT k FROM t ORDER BY k");
      assertThat(result.last()).isTrue();
      assertThat(result.getRow()).isEqualTo(3);
    }
  }

  @Test
  void anErrorInARowFailsTheExecutionAndLeavesNothingOpen() throws SQLException {
    try (Statement statement = scrollable(ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT 1 / (k - 3) FROM t"))
          .hasFieldOrPropertyWithValue("SQLState", "22012");
      assertThat(statement.executeQuery("SELECT count(*) FROM t").next()).isTrue();
    }
  }

  @Test
  void aSensitiveOneComesAsAnInsensitiveOneWithAWarning() throws SQLException {
    Connection connection = database.connection();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT k FROM t", ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      assertThat(connection.getWarnings().getMessage()).contains("TYPE_SCROLL_INSENSITIVE");
      assertThat(statement.getResultSetType()).isEqualTo(ResultSet.TYPE_SCROLL_INSENSITIVE);
      assertThat(statement.executeQuery().getType()).isEqualTo(ResultSet.TYPE_SCROLL_INSENSITIVE);
    }
    assertThatThrownBy(() -> connection.createStatement(7, ResultSet.CONCUR_READ_ONLY))
        .hasFieldOrPropertyWithValue("SQLState", "22023");
  }

  @Test
  void aForwardOnlyOneRefusesToGoBack() throws SQLException {
    try (Statement statement = database.connection().createStatement();
        ResultSet result = statement.executeQuery("SELECT k FROM t")) {
      assertThatThrownBy(result::previous).isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThatThrownBy(() -> result.setFetchDirection(ResultSet.FETCH_REVERSE))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
  }

  @Test
  void aHoldableOneOutlivesTheCommitAndAnotherOneDoesNot() throws SQLException {
    Connection connection = database.connection();
    connection.setAutoCommit(false);
    try (Statement holding =
            connection.createStatement(
                ResultSet.TYPE_FORWARD_ONLY,
                ResultSet.CONCUR_READ_ONLY,
                ResultSet.HOLD_CURSORS_OVER_COMMIT);
        Statement scrolling = scrollable(ResultSet.HOLD_CURSORS_OVER_COMMIT);
        Statement closing = scrollable(ResultSet.CLOSE_CURSORS_AT_COMMIT);
        Statement streaming = connection.createStatement()) {
      ResultSet held = holding.executeQuery("SELECT k FROM t ORDER BY k");
      ResultSet scrolled = scrolling.executeQuery("SELECT k FROM t ORDER BY k");
      ResultSet closed = closing.executeQuery("SELECT k FROM t ORDER BY k");
      ResultSet streamed = streaming.executeQuery("SELECT k FROM t ORDER BY k");
      held.next();
      connection.commit();
      database.execute("DELETE FROM t");
      connection.commit();
      assertThat(closed.isClosed()).isTrue();
      assertThat(streamed.isClosed()).isTrue();
      assertThat(held.getHoldability()).isEqualTo(ResultSet.HOLD_CURSORS_OVER_COMMIT);
      assertThat(held.getInt(1)).isOne();
      assertThat(TestDatabase.rows(held)).containsExactly("2", "3", "4", "5");
      connection.rollback();
      assertThat(scrolled.last()).isTrue();
      assertThat(scrolled.getInt(1)).isEqualTo(5);
    }
  }

  @Test
  void rollbackEndsThoseThatItsTransactionOpened() throws SQLException {
    Connection connection = database.connection();
    connection.setAutoCommit(false);
    connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
    try (Statement statement = connection.createStatement()) {
      ResultSet result = statement.executeQuery("SELECT k FROM t ORDER BY k");
      assertThat(result.getHoldability()).isEqualTo(ResultSet.HOLD_CURSORS_OVER_COMMIT);
      connection.rollback();
      assertThat(result.isClosed()).isTrue();
    }
  }

  @Test
  void theConnectionsEndEndsThemAll() throws SQLException {
    ResultSet held;
    ResultSet scrolled;
    try (Connection connection = database.another()) {
      connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
      connection.setAutoCommit(false);
      held = connection.createStatement().executeQuery("SELECT k FROM t");
      connection.commit();
      connection.setAutoCommit(true);
      scrolled =
          connection
              .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
              .executeQuery("SELECT k FROM t");
    }
    assertThat(held.isClosed()).isTrue();
    assertThat(scrolled.isClosed()).isTrue();
  }

  @Test
  void textIsCutAtTheMaximalFieldSizeWithoutCuttingACharacter() throws SQLException {
    database.execute("UPDATE t SET name = 'aé€x' WHERE k = 1");
    try (Statement statement = database.connection().createStatement()) {
      for (int size = 1; size <= 8; size++) {
        statement.setMaxFieldSize(size);
        assertThat(statement.getMaxFieldSize()).isEqualTo(size);
        ResultSet result = statement.executeQuery("SELECT name, X'010203' FROM t WHERE k = 1");
        result.next();
        String expected = size < 3 ? "a" : size < 6 ? "aé" : size < 7 ? "aé€" : "aé€x";
        assertThat(result.getString(1)).isEqualTo(expected);
        assertThat(result.getBytes(2)).hasSize(Math.min(size, 3));
      }
    }
  }

  @Test
  void hintsAreKept() throws SQLException {
    try (Statement statement = scrollable(ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
      statement.setFetchSize(7);
      statement.setFetchDirection(ResultSet.FETCH_REVERSE);
      ResultSet result = statement.executeQuery("SELECT k FROM t");
      assertThat(result.getFetchSize()).isEqualTo(7);
      assertThat(result.getFetchDirection()).isEqualTo(ResultSet.FETCH_REVERSE);
      result.setFetchSize(9);
      assertThat(result.getFetchSize()).isEqualTo(9);
      assertThat(statement.getFetchSize()).isEqualTo(7);
    }
  }
}
