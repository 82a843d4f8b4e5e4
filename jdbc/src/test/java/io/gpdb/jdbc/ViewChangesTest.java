package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random changes through nested views against the same changes of a table with their conditions.
 * Replays with {@code -Dgpdb.seed=}; more rounds: {@code -Dgpdb.fuzz=}.
 */
class ViewChangesTest {
  private static final String[] OPTIONS = {"NONE", "LOCAL", "CASCADED"};

  @TempDir private Path directory;

  /** A view's condition over the columns of the table, and how it is checked. */
  private record Level(String condition, String option) {}

  @Test
  void viewsChangeTheirTableAsItselfWould() throws SQLException, IOException {
    long first = Long.getLong("gpdb.seed", 1);
    int rounds = Integer.getInteger("gpdb.fuzz", 2);
    Map<String, Integer> outcomes = new TreeMap<>();
    for (long seed = first; seed < first + rounds; seed++) {
      System.out.println("ViewChangesTest: seed " + seed);
      try (TestDatabase database = new TestDatabase()) {
        new Twins(new Random(seed), database, directory.resolve("rows.csv")).run(outcomes);
      }
    }
    assertThat(outcomes).containsKeys("", "23505", "44000");
    assertThat(outcomes.get("")).isGreaterThan(10 * rounds);
  }

  /**
   * The table below the views, and one that is changed as it should be, in which the column m marks
   * what a statement has stored. In a statement that is made of both, {@code {T}} is the view or
   * the table, {@code {a}} the name of a column there, {@code {S}} what the views show, and {@code
   * {m}} sets the mark.
   */
  private static final class Twins {
    private final List<Level> levels = new ArrayList<>();
    private final Random random;
    private final TestDatabase database;
    private final Path file;
    private final String[] names = {"a", "b", "c"};
    private String view = "t";

    Twins(Random random, TestDatabase database, Path file) {
      this.random = random;
      this.database = database;
      this.file = file;
    }

    private void run(Map<String, Integer> outcomes) throws SQLException, IOException {
      String columns = "(a INTEGER DEFAULT 7 PRIMARY KEY, b INTEGER DEFAULT 50, c VARCHAR(5)";
      database.execute("CREATE TABLE t " + columns + ")");
      database.execute("CREATE TABLE u " + columns + ", m INTEGER DEFAULT 1)");
      int depth = 1 + random.nextInt(3);
      for (int i = 0; i < depth; i++) {
        createView(i);
      }
      for (int step = 0; step < 36; step++) {
        outcomes.merge(step(), 1, Integer::sum);
        assertThat(database.rows("SELECT * FROM t EXCEPT SELECT a, b, c FROM u")).isEmpty();
        assertThat(database.rows("SELECT a, b, c FROM u EXCEPT SELECT * FROM t")).isEmpty();
        assertThat(rows(view("SELECT {a}, {b} FROM {T}")))
            .isEqualTo(rows(table("SELECT {a}, {b} FROM {T} WHERE {S}")));
      }
    }

    /** A view of the last one, whose columns have other names or another order. */
    private void createView(int number) throws SQLException {
      Level level = new Level(condition(), OPTIONS[random.nextInt(3)]);
      levels.add(level);
      String check = level.option.equals("NONE") ? "" : " WITH " + level.option + " CHECK OPTION";
      String condition = named(level.condition, names);
      String shown = "*";
      String list = "";
      if (random.nextInt(4) > 0) {
        String[] below = names.clone();
        boolean renamed = random.nextBoolean();
        for (int c = 0; renamed && c < names.length; c++) {
          names[c] = "x" + number + c;
        }
        shown = below[2] + ", " + below[0] + ", " + below[1];
        list = renamed ? " (" + names[2] + ", " + names[0] + ", " + names[1] + ")" : "";
      }
      database.execute(
          "CREATE VIEW v%d%s AS SELECT %s FROM %s AS q WHERE %s%s"
              .formatted(number, list, shown, view, condition, check));
      view = "v" + number;
    }

    private String condition() {
      return switch (random.nextInt(5)) {
        case 0 -> "{b} > " + random.nextInt(60);
        case 1 -> "{a} < " + (20 + random.nextInt(80));
        case 2 -> "{b} IS NOT NULL AND MOD({a}, 7) <> " + random.nextInt(7);
        case 3 -> "{c} LIKE 'x%' OR {b} < 70";
        default -> "{a} <> {b}";
      };
    }

    private static String named(String text, String[] names) {
      return text.replace("{a}", names[0]).replace("{b}", names[1]).replace("{c}", names[2]);
    }

    private String view(String statement) {
      return named(statement.replace("{T}", view).replace("{S}", "TRUE").replace("{m}", ""), names);
    }

    private String table(String statement) {
      List<String> shown = new ArrayList<>();
      levels.forEach(level -> shown.add("(" + level.condition + ")"));
      String all = "(" + String.join(" AND ", shown) + ")";
      return named(
          statement.replace("{T}", "u").replace("{S}", all).replace("{m}", ", m = 1"),
          new String[] {"a", "b", "c"});
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

    /** Rows in no order. */
    private List<String> rows(String query) throws SQLException {
      return database.rows(query).stream().sorted().toList();
    }

    /** Makes one change of both; returns the state with which it was refused, empty if not. */
    private String step() throws SQLException, IOException {
      return switch (random.nextInt(12)) {
        case 0 -> both("DELETE FROM {T} WHERE {S} AND " + some() + returning());
        case 1, 2 -> both("UPDATE {T} SET " + set() + "{m} WHERE {S} AND " + some() + returning());
        case 3 ->
            both(
                random.nextBoolean()
                    ? "UPDATE {T} SET {b} = s.y{m} FROM (VALUES "
                        + values()
                        + ") AS s(x, y, z) WHERE {S} AND MOD({a}, 9) = MOD(s.x, 9) AND s.y < 20"
                        + returning()
                    : "DELETE FROM {T} USING (VALUES "
                        + values()
                        + ") AS s(x, y, z) WHERE {S} AND MOD({a}, 9) = MOD(s.x, 9)"
                        + returning());
        case 4 -> both("INSERT INTO {T} ({a}, {b}, {c}) VALUES " + values() + returning());
        case 5 -> both(random.nextBoolean() ? "INSERT INTO {T} DEFAULT VALUES" : upsertOfNothing());
        case 6 -> both(upsert());
        case 7 ->
            both("INSERT OR REPLACE INTO {T} ({a}, {b}, {c}) VALUES " + values() + returning());
        case 8 -> merge();
        case 9 -> mergeByKey();
        case 10 -> copy();
        default -> batch();
      };
    }

    private String some() {
      return "MOD({a}, 5) = " + random.nextInt(5);
    }

    private String set() {
      return switch (random.nextInt(4)) {
        case 0 -> "{b} = {b} + " + (random.nextInt(40) - 20);
        case 1 -> "{c} = 'x' || MOD({a}, 9)";
        case 2 -> "({b}, {c}) = (NULL, 'y')";
        default -> "{b} = " + random.nextInt(90);
      };
    }

    private String values() {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(4); i++) {
        String b = random.nextInt(8) == 0 ? "CAST(NULL AS INTEGER)" : "" + random.nextInt(90);
        rows.add(
            "(%d, %s, '%s')".formatted(random.nextInt(110), b, random.nextBoolean() ? "x" : "y"));
      }
      return String.join(", ", rows);
    }

    private String returning() {
      return random.nextBoolean() ? " RETURNING {b}, {a} + 1" : "";
    }

    private String upsertOfNothing() {
      return "INSERT INTO {T} ({b}, {a}, {c}) SELECT s.y, s.x, s.z FROM (VALUES "
          + values()
          + ") AS s(x, y, z) ON CONFLICT "
          + (random.nextBoolean() ? "({a}) " : "")
          + "DO NOTHING"
          + returning();
    }

    private String upsert() {
      String where = random.nextBoolean() ? " WHERE q.{a} > EXCLUDED.{b}" : "";
      String set =
          switch (random.nextInt(3)) {
            case 0 -> "{b} = q.{b} + EXCLUDED.{b}";
            case 1 -> "({c}, {b}) = (EXCLUDED.{c}, DEFAULT)";
            default -> "{a} = EXCLUDED.{b} + 1";
          };
      return "INSERT INTO {T} AS q ({a}, {b}, {c}) VALUES "
          + values()
          + " ON CONFLICT ({a}) DO UPDATE SET "
          + set
          + "{m}"
          + where
          + returning();
    }

    private String merge() throws SQLException {
      boolean bySource = random.nextBoolean();
      return both(
          "MERGE INTO {T} AS q USING (VALUES "
              + values()
              + ") AS s(x, y, z) ON {S} AND q.{a} = s.x"
              + (random.nextBoolean() ? " WHEN MATCHED AND q.{b} > 50 THEN DELETE" : "")
              + " WHEN MATCHED THEN UPDATE SET {b} = s.y, {c} = q.{c} || 'x'{m}"
              + " WHEN NOT MATCHED AND s.y > 10 THEN INSERT ({b}, {a}) VALUES (s.y, s.x)"
              + (bySource
                  ? " WHEN NOT MATCHED BY SOURCE AND {S} AND " + some() + " THEN DELETE"
                  : "")
              + returning());
    }

    private String mergeByKey() throws SQLException {
      String values = values();
      String key = random.nextBoolean() ? " KEY ({a})" : "";
      return both(
          view("MERGE INTO {T} ({a}, {b}, {c})" + key + " VALUES " + values),
          table(
              "MERGE INTO {T} ({a}, {b}, {c}, m)"
                  + key
                  + " SELECT s.x, s.y, s.z, 1 FROM (VALUES "
                  + values
                  + ") AS s(x, y, z)"));
    }

    private String copy() throws SQLException, IOException {
      List<String> lines = new ArrayList<>(List.of("{b},{a}"));
      for (int i = 0; i <= random.nextInt(3); i++) {
        lines.add(random.nextInt(90) + "," + random.nextInt(110));
      }
      String copy = " FROM '" + file + "' (HEADER)";
      return both(
          () -> {
            Files.writeString(file, view(String.join("\n", lines)));
            return rows("COPY " + view + copy);
          },
          () -> {
            Files.writeString(file, table(String.join("\n", lines)));
            return rows("COPY u" + copy);
          });
    }

    private String batch() throws SQLException {
      List<int[]> values = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(4); i++) {
        values.add(new int[] {random.nextInt(110), random.nextInt(90)});
      }
      String sql =
          switch (random.nextInt(5)) {
            case 0 -> "UPDATE {T} SET {b} = ?{m} WHERE {a} = ? AND {S}";
            case 1 -> "INSERT INTO {T} ({b}, {a}) VALUES (?, ?)";
            case 2 -> "INSERT INTO {T} ({b}, {a}) VALUES (?, ?) ON CONFLICT DO NOTHING";
            case 3 -> "INSERT OR REPLACE INTO {T} ({b}, {a}) VALUES (?, ?)";
            default ->
                "INSERT INTO {T} AS q ({b}, {a}) VALUES (?, ?)"
                    + " ON CONFLICT ({a}) DO UPDATE SET {b} = q.{b} + EXCLUDED.{b}{m}";
          };
      return both(() -> batch(view(sql), values), () -> batch(table(sql), values));
    }

    private List<String> batch(String sql, List<int[]> values) throws SQLException {
      try (PreparedStatement statement = database.connection().prepareStatement(sql)) {
        for (int[] row : values) {
          statement.setInt(1, row[1]);
          statement.setInt(2, row[0]);
          statement.addBatch();
        }
        List<String> counts = new ArrayList<>();
        for (int count : statement.executeBatch()) {
          counts.add("" + count);
        }
        return counts;
      }
    }

    /** Makes a change and returns its rows. */
    private interface Change {
      List<String> make() throws SQLException, IOException;
    }

    private String both(String statement) throws SQLException {
      return both(view(statement), table(statement));
    }

    private String both(String through, String direct) throws SQLException {
      return both(() -> rows(through), () -> rows(direct), () -> through + " / " + direct);
    }

    private String both(Change through, Change direct) throws SQLException {
      return both(through, direct, () -> "");
    }

    private String both(Change through, Change direct, Supplier<String> text) throws SQLException {
      List<String> expected = List.of();
      String state = "";
      database.execute("UPDATE u SET m = 0");
      database.connection().setAutoCommit(false);
      try {
        expected = direct.make();
        if (!database
            .rows(
                "SELECT a FROM u WHERE m = 1 AND ("
                    + named(checked(), new String[] {"a", "b", "c"})
                    + ") IS NOT TRUE")
            .isEmpty()) {
          state = "44000";
        }
      } catch (SQLException e) {
        state = e.getSQLState();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      if (state.isEmpty()) {
        database.connection().commit();
      } else {
        database.connection().rollback();
        expected = List.of();
      }
      database.connection().setAutoCommit(true);
      List<String> found = List.of();
      String foundState = "";
      try {
        found = through.make();
      } catch (SQLException e) {
        foundState = e.getSQLState();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      assertThat(foundState).as(() -> levels + " " + text.get()).isEqualTo(state);
      assertThat(found).as(() -> levels + " " + text.get()).isEqualTo(expected);
      return state;
    }
  }
}
