package io.gpdb.jdbc.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three sessions, each with transactions of a random isolation level, change a table with indexes
 * and one without in the same way: whatever a transaction sees of the one it sees of the other.
 * {@code -Dgpdb.seed=S} replays one history, {@code -Dgpdb.fuzz=N} runs N of them.
 */
class IndexedIsolationTest {
  private static final int STEPS = 90;
  private static final int[] LEVELS = {
    Connection.TRANSACTION_READ_COMMITTED,
    Connection.TRANSACTION_REPEATABLE_READ,
    Connection.TRANSACTION_SERIALIZABLE
  };
  private static final String[][] TYPES = {
    {"INTEGER", "-5", "0", "1", "2", "7"},
    {"VARCHAR(9)", "''", "'a'", "'a '", "'b'", "'Ä'"},
    {"DECIMAL(30, 2)", "-9999999999999999999999.50", "0.00", "0.01", "2.00"},
    {"DOUBLE", "-1.5", "-0.0", "0.0", "1E300", "CAST('NaN' AS DOUBLE)"},
    {"REAL", "-1.5", "0.5", "1E30", "CAST('NaN' AS REAL)"},
    {
      "UUID",
      "UUID '00000000-0000-0000-0000-000000000001'",
      "UUID '7fffffff-ffff-ffff-ffff-ffffffffffff'",
      "UUID '80000000-0000-0000-0000-000000000000'"
    },
    {
      "TIMESTAMP WITH TIME ZONE",
      "TIMESTAMP WITH TIME ZONE '2001-01-01 00:00:00+01:00'",
      "TIMESTAMP WITH TIME ZONE '2000-12-31 23:00:00Z'",
      "TIMESTAMP WITH TIME ZONE '1969-12-31 23:59:59Z'"
    },
    {"DATE", "DATE '0001-01-01'", "DATE '1999-12-31'", "DATE '2026-11-25'"}
  };

  private final List<String> done = new ArrayList<>();
  private Random random = new Random();
  private String[] type = TYPES[0];
  private int nextId;

  static LongStream seeds() {
    Long given = Long.getLong("gpdb.seed");
    return given == null
        ? LongStream.rangeClosed(1, Integer.getInteger("gpdb.fuzz", 16))
        : LongStream.of(given);
  }

  /** A connection with its open transaction. */
  private static final class Session implements AutoCloseable {
    final Connection connection;
    final Statement statement;
    Savepoint savepoint;

    Session(String url) throws SQLException {
      connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      statement = connection.createStatement();
    }

    @Override
    public void close() throws SQLException {
      connection.rollback();
      connection.close();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anIndexShowsWhatTheTransactionSees(long seed) throws SQLException {
    random = new Random(seed);
    type = TYPES[(int) (seed % TYPES.length)];
    done.add("seed " + seed);
    String url = "jdbc:gpdb:mem:indexed-isolation-" + seed;
    try (Session a = new Session(url);
        Session b = new Session(url);
        Session c = new Session(url)) {
      create(a);
      Session[] sessions = {a, b, c};
      for (int i = 0; i < STEPS; i++) {
        int s = random.nextInt(sessions.length);
        done.add("session " + s);
        step(sessions[s]);
      }
    }
  }

  private void create(Session session) throws SQLException {
    String columns = " (id INTEGER, x " + type[0] + ", y INTEGER)";
    run(session, "CREATE TABLE i" + columns);
    run(session, "CREATE TABLE s" + columns);
    String using = type[0].equals("DOUBLE") || type[0].equals("REAL") ? "" : " USING HASH";
    run(session, "CREATE INDEX ON i (x" + pick(")", " DESC)", ", y)") + pick("", "", using));
    run(session, "CREATE INDEX ON i (y" + pick(")", ", x DESC)"));
    session.connection.commit();
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private void run(Session session, String sql) throws SQLException {
    done.add(sql);
    session.statement.execute(sql);
  }

  private void step(Session session) throws SQLException {
    try {
      switch (random.nextInt(12)) {
        case 0 -> {
          done.add("ROLLBACK");
          session.connection.rollback();
          restart(session);
        }
        case 1, 2 -> {
          done.add("COMMIT");
          session.connection.commit();
          restart(session);
        }
        case 3 -> {
          done.add("SAVEPOINT");
          session.savepoint = session.connection.setSavepoint();
        }
        case 4 -> {
          if (session.savepoint != null) {
            done.add("ROLLBACK TO");
            session.connection.rollback(session.savepoint);
          }
        }
        case 5, 6, 7, 8 -> change(session);
        default -> compare(session);
      }
    } catch (SQLException e) {
      done.add("  -- " + e.getSQLState());
      if (!"40001".equals(e.getSQLState())) {
        throw new AssertionError(told(), e);
      }
      session.connection.rollback();
      restart(session);
    }
  }

  private void restart(Session session) throws SQLException {
    session.savepoint = null;
    int level = LEVELS[random.nextInt(LEVELS.length)];
    done.add("  level " + level);
    session.connection.setTransactionIsolation(level);
  }

  private String value() {
    return random.nextInt(7) == 0 ? "NULL" : type[1 + random.nextInt(type.length - 1)];
  }

  private String condition() {
    String compared = pick("=", "=", "<", "<=", ">", ">=");
    return switch (random.nextInt(6)) {
      case 0 -> "x IS NULL";
      case 1 -> "x IN (" + value() + ", " + value() + ")";
      case 2 -> "x BETWEEN " + value() + " AND " + value();
      case 3 -> "y " + compared + " " + random.nextInt(4);
      default -> "x " + compared + " " + value();
    };
  }

  private String where() {
    return " WHERE " + condition() + (random.nextInt(3) == 0 ? " AND " + condition() : "");
  }

  private void change(Session session) throws SQLException {
    String sql =
        switch (random.nextInt(5)) {
          case 0 -> "UPDATE %s SET x = " + value() + where();
          case 1 -> "UPDATE %s SET y = y + 1" + where() + " AND MOD(id, 3) = " + random.nextInt(3);
          case 2 -> "DELETE FROM %s" + where() + " AND MOD(id, 4) = " + random.nextInt(4);
          default -> insert();
        };
    done.add(sql);
    int changed = session.statement.executeUpdate(sql.formatted("i"));
    assertThat(session.statement.executeUpdate(sql.formatted("s"))).as(told()).isEqualTo(changed);
  }

  private String insert() {
    List<String> rows = new ArrayList<>();
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      rows.add("(" + nextId++ + ", " + value() + ", " + random.nextInt(4) + ")");
    }
    return "INSERT INTO %s VALUES " + String.join(", ", rows);
  }

  private void compare(Session session) throws SQLException {
    String sql =
        switch (random.nextInt(6)) {
          case 0 -> "SELECT MIN(x), MAX(x), COUNT(*) FROM %s" + where();
          case 1 -> "SELECT x, id FROM %s" + where() + " ORDER BY x DESC, id LIMIT 5";
          case 2 ->
              "SELECT a.id, b.id FROM %1$s a JOIN %1$s b ON a.x = b.x AND a.id < b.id"
                  + " WHERE a.y = 1 ORDER BY 1, 2";
          case 3 -> "SELECT y, x, COUNT(*) FROM %s GROUP BY y, x ORDER BY y, x";
          default -> "SELECT * FROM %s" + where() + " ORDER BY id";
        };
    done.add(sql);
    List<String> scanned = rows(session, sql.formatted("s"));
    assertThat(rows(session, sql.formatted("i"))).as(told()).isEqualTo(scanned);
  }

  private static List<String> rows(Session session, String sql) throws SQLException {
    List<String> all = new ArrayList<>();
    try (ResultSet rows = session.statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int c = 1; c <= columns; c++) {
          row.append(rows.getString(c)).append('|');
        }
        all.add(row.toString());
      }
    }
    return all;
  }

  private String told() {
    return String.join(";\n", done);
  }
}
