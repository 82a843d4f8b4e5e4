package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CHARs and VARCHARs of several lengths that become one type have the length and the blanks that a
 * plain evaluator says, and HSQLDB: generated set operations over choices of columns and literals.
 * {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class CommonTextTypesTest {
  private static final int ROWS = 6;
  private static final int QUERIES = 25;
  private static final List<String> VALUES = List.of("a", "ab", "b", "", "a ");

  /** Whether a text is a CHAR, of which length, and whether it is of literals alone. */
  private record TextType(boolean fixed, int length, boolean literal) {
    TextType with(TextType other) {
      boolean literals = literal && other.literal;
      boolean isFixed = fixed && other.fixed && !literals;
      return new TextType(isFixed, Math.max(length, other.length), literals);
    }

    @Nullable String of(@Nullable String value) {
      return value == null || !fixed ? value : value + " ".repeat(length - value.length());
    }
  }

  /** An expression over the columns of the table, and its value in each row. */
  private record Text(String sql, TextType type, List<@Nullable String> values) {
    List<@Nullable String> as(TextType other) {
      List<@Nullable String> padded = new ArrayList<>();
      values.forEach(value -> padded.add(other.of(value)));
      return padded;
    }

    Text or(Text other, String sql, BiFunction<Integer, List<@Nullable String>, Integer> choice) {
      TextType common = type.with(other.type);
      List<@Nullable String> mine = as(common);
      List<@Nullable String> others = other.as(common);
      List<@Nullable String> chosen = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        chosen.add(choice.apply(i, mine) == 0 ? mine.get(i) : others.get(i));
      }
      return new Text(sql, common, chosen);
    }
  }

  /** A query of one column. */
  private record Query(String sql, TextType type, List<@Nullable String> rows) {
    /** The same behind a star, where a literal is a column, which varies. */
    Query derived() {
      TextType column = new TextType(type.fixed && !type.literal, type.length, false);
      return new Query("SELECT * FROM (" + sql + ") s", column, rows);
    }

    Query with(Query other, String operator, boolean all) {
      TextType common = type.with(other.type);
      List<@Nullable String> mine = new ArrayList<>();
      rows.forEach(row -> mine.add(common.of(row)));
      List<@Nullable String> others = new ArrayList<>();
      other.rows.forEach(row -> others.add(common.of(row)));
      List<@Nullable String> result = new ArrayList<>();
      switch (operator) {
        case "UNION" -> {
          result.addAll(mine);
          result.addAll(others);
        }
        case "INTERSECT" -> mine.stream().filter(others::remove).forEach(result::add);
        default -> {
          if (all) {
            mine.stream().filter(row -> !others.remove(row)).forEach(result::add);
          } else {
            mine.stream().filter(row -> !others.contains(row)).forEach(result::add);
          }
        }
      }
      String both = "(" + sql + ") " + operator + (all ? " ALL (" : " (") + other.sql + ")";
      return new Query(both, common, all ? result : new ArrayList<>(new LinkedHashSet<>(result)));
    }
  }

  @Test
  void generatedTextsHaveTheLengthAndTheBlanksOfTheirCommonType() {
    RandomSeeds.of(1).forEach(CommonTextTypesTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd();
        OtherEngine hsqldb = new OtherEngine("HSQLDB", "jdbc:hsqldb:mem:texts" + seed)) {
      hsqldb.run("SET DATABASE COLLATION SQL_TEXT NO PAD");
      List<Text> columns = table(random, db, hsqldb);
      for (int i = 0; i < QUERIES; i++) {
        int depth = random.nextInt(4);
        Query query = query(random, columns, depth);
        String sql = "SELECT '[' || x || ']' FROM (" + query.sql + ") q (x)";
        String name = "-Dgpdb.seed=" + seed + ": " + sql;
        List<String> expected =
            query.rows.stream()
                .map(row -> row == null ? "NULL" : "[" + row + "]")
                .sorted()
                .toList();
        assertThat(db.rows(sql).stream().sorted().toList()).as(name).isEqualTo(expected);
        if (depth < 2 && isPaddedByHsqldb(query.sql)) {
          assertThat(hsqldb.rows(sql)).as("HSQLDB, " + name).isEqualTo(expected);
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** HSQLDB pads neither literals that become a VARCHAR nor the rows of EXCEPT and INTERSECT. */
  private static boolean isPaddedByHsqldb(String sql) {
    return List.of("'", "EXCEPT", "INTERSECT").stream().noneMatch(sql::contains);
  }

  private static List<Text> table(Random random, EndToEnd db, OtherEngine other)
      throws SQLException {
    List<Text> columns = new ArrayList<>();
    StringBuilder create = new StringBuilder("CREATE TABLE t (id INT PRIMARY KEY");
    for (int c = 0; c < 5; c++) {
      TextType type = new TextType(random.nextInt(3) > 0, 2 + random.nextInt(4), false);
      List<@Nullable String> values = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        String value = VALUES.get(random.nextInt(VALUES.size()));
        values.add(random.nextInt(5) == 0 ? null : type.of(value));
      }
      columns.add(new Text("c" + c, type, values));
      create
          .append(", c" + c + (type.fixed ? " CHAR(" : " VARCHAR("))
          .append(type.length)
          .append(')');
    }
    db.run(create + ")");
    other.run(create + ")");
    for (int i = 0; i < ROWS; i++) {
      int row = i;
      String insert =
          "INSERT INTO t VALUES (%d, %s)"
              .formatted(
                  i,
                  String.join(
                      ", ", columns.stream().map(c -> literal(c.values.get(row))).toList()));
      db.run(insert);
      other.run(insert);
    }
    return columns;
  }

  private static String literal(@Nullable String value) {
    return value == null ? "NULL" : "'" + value + "'";
  }

  private static Text text(Random random, List<Text> columns, int depth) {
    if (depth == 0) {
      if (random.nextInt(4) > 0) {
        return columns.get(random.nextInt(columns.size()));
      }
      String value = VALUES.get(random.nextInt(2));
      TextType type = new TextType(true, value.length(), true);
      return new Text(literal(value), type, IntStream.range(0, ROWS).mapToObj(_ -> value).toList());
    }
    Text a = text(random, columns, random.nextInt(depth));
    Text b = text(random, columns, random.nextInt(depth));
    int least = random.nextInt(ROWS);
    return switch (random.nextInt(3)) {
      case 0 ->
          a.or(
              b,
              "COALESCE(" + a.sql + ", " + b.sql + ")",
              (i, mine) -> mine.get(i) == null ? 1 : 0);
      default ->
          a.or(
              b,
              "CASE WHEN id < " + least + " THEN " + a.sql + " ELSE " + b.sql + " END",
              (i, _) -> i < least ? 0 : 1);
    };
  }

  private static Query query(Random random, List<Text> columns, int depth) {
    if (depth == 0) {
      Text text = text(random, columns, random.nextInt(3));
      Query plain = new Query("SELECT " + text.sql + " AS x FROM t", text.type, text.values);
      return random.nextInt(3) == 0 ? plain.derived() : plain;
    }
    Query a = query(random, columns, random.nextInt(depth));
    Query b = query(random, columns, random.nextInt(depth));
    String operator = List.of("UNION", "INTERSECT", "EXCEPT").get(random.nextInt(3));
    return a.with(b, operator, random.nextBoolean());
  }

  @Test
  void aColumnOfUsingIsPadded() {
    try (EndToEnd db = new EndToEnd()) {
      String left = "(VALUES CAST('a' AS CHAR(2))) l (x)";
      String right = "(VALUES CAST('a' AS CHAR(4)), CAST('b' AS CHAR(4))) r (x)";
      assertThat(
              db.rows("SELECT '[' || x || ']' FROM " + left + " FULL JOIN " + right + " USING (x)"))
          .containsExactlyInAnyOrder("[a   ]", "[b   ]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          SELECT CAST('a' AS CHAR(2)) UNION SELECT CAST('a' AS CHAR(4)); CHAR(4)
          SELECT CAST('a' AS CHAR(2)) UNION SELECT CAST('a' AS VARCHAR(4)); VARCHAR(4)
          SELECT 'a' UNION SELECT CAST('a' AS CHAR(4)); CHAR(4)
          VALUES 'a', 'abc'; VARCHAR(3)
          VALUES 'abc', 'abd'; VARCHAR(3)
          VALUES 'abc'; VARCHAR(3)
          SELECT 'abc'; VARCHAR(3)
          SELECT UPPER('abc') || 'd'; VARCHAR(4)
          SELECT MAX('abc'); VARCHAR(3)
          SELECT 'ab' FROM (VALUES 1) t UNION SELECT 'cd'; VARCHAR(2)
          SELECT COALESCE(CAST('a' AS CHAR(2)), 'b'); CHAR(2)
          SELECT COALESCE(x, y) FROM (VALUES (CAST('a' AS CHAR(2)), CAST('a' AS CHAR(3)))) t (x, y); CHAR(3)
          SELECT CASE WHEN x > 1 THEN 'yes' WHEN x > 0 THEN NULL ELSE 'no' END FROM (VALUES 1) t (x); VARCHAR(3)
          SELECT GREATEST(CAST('a' AS CHAR(2)), CAST('a' AS CHAR(3))); CHAR(3)
          """)
  void aCommonTypeIsFixedWhereAllAre(String sql, String type) {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t AS SELECT * FROM (" + sql + ") q (x)");
      String columns = "SELECT %s FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'T'";
      assertThat(db.rows(columns.formatted("DATA_TYPE || '(' || CHARACTER_MAXIMUM_LENGTH || ')'")))
          .containsExactly(type);
    }
  }

  /** A column that is made of literals keeps its length where a longer literal is beside it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          SELECT 'a'
          SELECT 'a' AS n
          VALUES 'a'
          SELECT LOWER('A')
          SELECT NULLIF('a', 'b')
          SELECT 'a' || ''
          SELECT MAX('a')
          SELECT MIN(CASE WHEN i > 0 THEN 'a' ELSE 'b' END) FROM (VALUES 1, 2) t (i)
          SELECT LAST_VALUE('a') OVER (ORDER BY i) FROM (VALUES 1) t (i)
          SELECT CASE WHEN i > 0 THEN 'a' ELSE 'b' END FROM (VALUES 1) t (i)
          SELECT CASE WHEN i > 0 THEN 'a' ELSE 'b' END FROM (VALUES 1) t (i) GROUP BY CASE WHEN i > 0 THEN 'a' ELSE 'b' END
          SELECT 'a' FROM (VALUES 1) t (i) GROUP BY 'a' ORDER BY 'a'
          SELECT DISTINCT 'a' FROM (VALUES 1, 2) t (i) ORDER BY 'a'
          SELECT 'a' UNION SELECT 'a'
          SELECT 'a' UNION ALL (SELECT 'b' EXCEPT SELECT 'b')
          SELECT (SELECT 'a')
          WITH q AS (SELECT 'a') SELECT * FROM q
          WITH RECURSIVE q (n, i) AS (SELECT 'a', 1 UNION ALL SELECT n, i + 1 FROM q WHERE i < 3) SELECT MAX(n) FROM q
          """)
  void aColumnOfLiteralsIsNotPadded(String sql) {
    try (EndToEnd db = new EndToEnd()) {
      String longer = "SELECT '[' || COALESCE(n, 'unknown') || ']' FROM (" + sql + ") q (n)";
      assertThat(db.rows(longer)).as(longer).containsExactly("[a]");
    }
  }
}
