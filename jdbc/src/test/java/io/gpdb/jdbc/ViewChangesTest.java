package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random changes through nested views against the same changes of a table with their conditions.
 */
class ViewChangesTest {
  private static final String[] OPTIONS = {"NONE", "LOCAL", "CASCADED"};

  /** A view's condition over the columns of the table, and how it is checked. */
  private record Level(String condition, String option) {}

  @Test
  void viewsChangeTheirTableAsItselfWould() throws SQLException {
    long first = Long.getLong("gpdb.seed", 1);
    int rounds = Integer.getInteger("gpdb.fuzz", 3);
    int[] outcomes = new int[2];
    for (long seed = first; seed < first + rounds; seed++) {
      System.out.println("ViewChangesTest: seed " + seed);
      try (TestDatabase database = new TestDatabase()) {
        new Twins(new Random(seed), database).run(outcomes);
      }
    }
    assertThat(outcomes[0]).isGreaterThan(rounds);
    assertThat(outcomes[1]).isGreaterThan(rounds);
  }

  /** The table below the views, and one that is changed as it should be. */
  private static final class Twins {
    private final List<Level> levels = new ArrayList<>();
    private final Random random;
    private final TestDatabase database;

    Twins(Random random, TestDatabase database) {
      this.random = random;
      this.database = database;
    }

    private String condition() {
      return switch (random.nextInt(5)) {
        case 0 -> "b > " + random.nextInt(60);
        case 1 -> "a < " + (20 + random.nextInt(80));
        case 2 -> "b IS NOT NULL AND MOD(a, 7) <> " + random.nextInt(7);
        case 3 -> "c LIKE 'x%' OR b < 70";
        default -> "a <> b";
      };
    }

    private void run(int[] outcomes) throws SQLException {
      for (String table : new String[] {"t", "u"}) {
        database.execute(
            "CREATE TABLE " + table + " (a INTEGER PRIMARY KEY, b INTEGER, c VARCHAR(5))");
      }
      String below = "t";
      int depth = 1 + random.nextInt(3);
      for (int i = 0; i < depth; i++) {
        Level level = new Level(condition(), OPTIONS[random.nextInt(3)]);
        levels.add(level);
        String check = level.option.equals("NONE") ? "" : " WITH " + level.option + " CHECK OPTION";
        String columns = random.nextBoolean() ? "*" : "a, b, c";
        database.execute(
            "CREATE VIEW v%d AS SELECT %s FROM %s AS q WHERE %s%s"
                .formatted(i, columns, below, level.condition, check));
        below = "v" + i;
      }
      for (int step = 0; step < 40; step++) {
        boolean refused = step(below);
        outcomes[refused ? 1 : 0]++;
        assertThat(database.rows("SELECT * FROM t EXCEPT SELECT * FROM u")).isEmpty();
        assertThat(database.rows("SELECT * FROM u EXCEPT SELECT * FROM t")).isEmpty();
        assertThat(database.rows("SELECT COUNT(*) FROM " + below))
            .isEqualTo(database.rows("SELECT COUNT(*) FROM u WHERE " + shown()));
      }
    }

    private String shown() {
      List<String> all = new ArrayList<>();
      levels.forEach(level -> all.add("(" + level.condition + ")"));
      return String.join(" AND ", all);
    }

    /** The condition of rows that are written. */
    private String checked() {
      List<String> all = new ArrayList<>(List.of("TRUE"));
      boolean cascaded = false;
      for (Level level : levels.reversed()) {
        cascaded |= level.option.equals("CASCADED");
        if (cascaded || level.option.equals("LOCAL")) {
          all.add("(" + level.condition + ")");
        }
      }
      return String.join(" AND ", all);
    }

    /** Makes one change of both; returns whether it was refused. */
    private boolean step(String view) throws SQLException {
      String where = " WHERE MOD(a, 5) = " + random.nextInt(5);
      String set =
          switch (random.nextInt(4)) {
            case 0 -> "b = b + " + (random.nextInt(40) - 20);
            case 1 -> "c = 'x' || MOD(a, 9)";
            case 2 -> "b = NULL, c = 'y'";
            default -> "b = " + random.nextInt(90);
          };
      List<String> rows = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(4); i++) {
        String b = random.nextInt(8) == 0 ? "NULL" : "" + random.nextInt(90);
        rows.add(
            "(%d, %s, '%s')".formatted(random.nextInt(110), b, random.nextBoolean() ? "x" : "y"));
      }
      return switch (random.nextInt(5)) {
        case 0 ->
            both("DELETE FROM " + view + where, "DELETE FROM u" + where + " AND " + shown(), false);
        case 1, 2 ->
            both(
                "UPDATE " + view + " SET " + set + where,
                "UPDATE u SET " + set + where + " AND " + shown(),
                true);
        case 3 -> {
          String values = " VALUES " + String.join(", ", rows);
          yield both("INSERT INTO " + view + values, "INSERT INTO u" + values, true);
        }
        default -> batch(view, rows.size());
      };
    }

    private boolean batch(String view, int rows) throws SQLException {
      List<int[]> values = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        values.add(new int[] {random.nextInt(110), random.nextInt(90)});
      }
      boolean byKey = random.nextBoolean();
      Change through =
          () ->
              batch(
                  byKey
                      ? "UPDATE " + view + " SET b = ? WHERE a = ?"
                      : "INSERT INTO " + view + " (b, a) VALUES (?, ?)",
                  values);
      Change direct =
          () ->
              batch(
                  byKey
                      ? "UPDATE u SET b = ? WHERE a = ? AND " + shown()
                      : "INSERT INTO u (b, a) VALUES (?, ?)",
                  values);
      return both(through, direct, byKey);
    }

    private void batch(String sql, List<int[]> values) throws SQLException {
      try (PreparedStatement statement = database.connection().prepareStatement(sql)) {
        for (int[] row : values) {
          statement.setInt(1, row[1]);
          statement.setInt(2, row[0]);
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }

    private interface Change {
      void make() throws SQLException;
    }

    private boolean both(String through, String direct, boolean update) throws SQLException {
      return both(() -> database.execute(through), () -> database.execute(direct), update);
    }

    /** Changes the table as the view should have; which rows change is known by a mark. */
    private boolean both(Change through, Change direct, boolean update) throws SQLException {
      String state = "";
      database.connection().setAutoCommit(false);
      database.execute("CREATE TABLE before_change AS SELECT * FROM u");
      try {
        direct.make();
        if (!database
            .rows(
                "SELECT * FROM (SELECT * FROM u EXCEPT SELECT * FROM before_change) AS n"
                    + " WHERE ("
                    + checked()
                    + ") IS NOT TRUE")
            .isEmpty()) {
          state = "44000";
        }
      } catch (SQLException e) {
        state = e.getSQLState();
      }
      if (state.isEmpty()) {
        database.execute("DROP TABLE before_change");
        database.connection().commit();
      } else {
        database.connection().rollback();
      }
      database.connection().setAutoCommit(true);
      String found = "";
      try {
        through.make();
      } catch (SQLException e) {
        found = e.getSQLState();
      }
      assertThat(found).as(levels + " " + update).isEqualTo(state);
      return !found.isEmpty();
    }
  }
}
