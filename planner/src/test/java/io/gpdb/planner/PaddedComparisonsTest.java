package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaddedComparisonsTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, c CHAR(3), l CHAR(5), v VARCHAR(5))",
        "INSERT INTO t VALUES (1, 'a', 'a', 'a'), (2, 'ab', 'abc', 'ab '), (3, NULL, 'x', 'x'),"
            + " (4, 'xyz', 'xyz', 'xyz1'), (5, '', '', '')",
        "CREATE TABLE u (v VARCHAR(10), n INT)",
        "INSERT INTO u VALUES ('a', 10), ('ab  ', 20), ('xyz', 30), ('xyzz', 40), (NULL, 50)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void assertRows(String sql, Object[] parameters, String... rows) {
    assertThat(db.rows(sql, parameters)).as(sql).containsExactly(rows);
    assertThat(db.bridgeRows(sql, parameters)).as("bridge: " + sql).containsExactly(rows);
  }

  private static @Nullable Object[] with(@Nullable Object... parameters) {
    return parameters;
  }

  @Test
  void blanksAtTheEndOfCharDoNotCountAgainstOtherColumns() {
    assertRows("SELECT id FROM t WHERE c = v ORDER BY id", with(), "1", "2", "5");
    assertRows("SELECT id FROM t WHERE v = c ORDER BY id", with(), "1", "2", "5");
    assertRows("SELECT id FROM t WHERE c = l ORDER BY id", with(), "1", "4", "5");
    assertRows("SELECT id FROM t WHERE c <> l ORDER BY id", with(), "2");
    assertRows("SELECT id FROM t WHERE c < v ORDER BY id", with(), "4");
    assertRows("SELECT id FROM t WHERE c IS DISTINCT FROM v ORDER BY id", with(), "3", "4");
  }

  @Test
  void aParameterComparesWithCharAsAConstantDoes() {
    for (String value : new String[] {"ab", "ab ", "ab      "}) {
      assertRows("SELECT id FROM t WHERE c = ?", with(value), "2");
      assertRows("SELECT id FROM t WHERE c = '" + value + "'", with(), "2");
      assertRows("SELECT id FROM t WHERE c >= ? ORDER BY id", with(value), "2", "4");
      assertRows("SELECT id FROM t WHERE id < 3 AND ? <> c", with(value), "1");
    }
    assertRows("SELECT id FROM t WHERE c = ?", with("xyzz"));
    assertRows("SELECT id FROM t WHERE c = ?", with(""), "5");
    assertRows("SELECT id FROM t WHERE c = ?", with(new Object[] {null}));
    assertRows("SELECT id FROM t WHERE id = 2 AND c = ?", with("ab"), "2");
  }

  @Test
  void joinsAndSubqueriesPadToo() {
    assertRows(
        "SELECT id, n FROM t JOIN u ON t.c = u.v ORDER BY id", with(), "1|10", "2|20", "4|30");
    assertRows("SELECT id FROM t WHERE c IN (SELECT v FROM u) ORDER BY id", with(), "1", "2", "4");
    assertRows(
        "SELECT id FROM t WHERE c NOT IN (SELECT v FROM u WHERE v IS NOT NULL)", with(), "5");
    assertRows("SELECT id FROM t WHERE c NOT IN (SELECT v FROM u)", with());
  }

  @Test
  void aCastThatCutsOrFillsAChar() {
    assertRows("SELECT id FROM t WHERE CAST(l AS CHAR(2)) = 'ab'", with(), "2");
    assertRows("SELECT id FROM t WHERE CAST(c AS CHAR(5)) = 'ab'", with(), "2");
    assertRows("SELECT id FROM t WHERE CAST(l AS VARCHAR(2)) = 'ab'", with(), "2");
    assertRows("SELECT id FROM t WHERE CAST(c AS VARCHAR) = 'ab'", with(), "2");
    assertRows("SELECT id FROM t WHERE CAST(CAST(v AS CHAR(4)) AS VARCHAR) = 'ab'", with(), "2");
  }

  @Test
  void aCharThatIsChosenAsVarcharHasItsBlanksWhateverTheCondition() {
    for (String condition : new String[] {"TRUE", "1 = 1", "id > 0", "NULL IS NULL"}) {
      String choice = "CASE WHEN " + condition + " THEN c ELSE v END";
      assertRows("SELECT id FROM t WHERE " + choice + " = 'ab'", with());
      assertRows("SELECT id FROM t WHERE " + choice + " = 'ab '", with(), "2");
    }
    assertRows("SELECT id FROM t WHERE COALESCE(CAST(id AS CHAR(3)), v) = '2'", with());
    assertRows("SELECT id FROM t WHERE COALESCE(CAST(id AS CHAR(3)), v) = '2  '", with(), "2");
  }

  @Test
  void aChoiceOfConstantsComparesAsAConstant() {
    String[] all = {"1", "2", "3", "4", "5"};
    for (String choice : new String[] {"COALESCE('  ', '  ')", "CASE WHEN id = 9 THEN 'b' END"}) {
      String differs = "SUBSTRING(v FROM 7) IS DISTINCT FROM " + choice;
      assertRows("SELECT id FROM t WHERE " + differs + " ORDER BY id", with(), all);
      assertRows("SELECT id FROM t WHERE (" + differs + ") IS TRUE ORDER BY id", with(), all);
      assertRows(
          "SELECT id FROM (SELECT id, " + differs + " AS d FROM t) AS s WHERE d ORDER BY id",
          with(),
          all);
    }
  }

  /** What a text is in a row, how it is written, and whether blanks at its end do not count. */
  private record Text(String sql, boolean isChar, int length, boolean padded, String[] values) {
    private static final int UNBOUNDED = Integer.MAX_VALUE;

    static Text column(String name, boolean isChar, int length, String... values) {
      Text text = new Text(name, isChar, length, isChar, values);
      return isChar ? text.with(name, true, length, true) : text;
    }

    private static @Nullable String fitted(@Nullable String value, boolean fill, int length) {
      if (value == null) {
        return null;
      }
      String cut = value.length() > length ? value.substring(0, length) : value;
      return fill ? cut + " ".repeat(length - cut.length()) : cut;
    }

    private Text with(String sql, boolean isChar, int length, boolean padded) {
      String[] fitted = new String[values.length];
      for (int i = 0; i < fitted.length; i++) {
        fitted[i] = fitted(values[i], isChar, length);
      }
      return new Text(sql, isChar, length, padded, fitted);
    }

    Text asChar(int n) {
      return with("CAST(" + sql + " AS CHAR(" + n + "))", true, n, true);
    }

    Text asVarchar(int n) {
      String type = n == UNBOUNDED ? "VARCHAR" : "VARCHAR(" + n + ")";
      return with("CAST(" + sql + " AS " + type + ")", false, n, padded && length <= n);
    }

    Text or(Text other, String condition, IntPredicate holds) {
      boolean literals = isLiteral() && other.isLiteral() && length != other.length;
      boolean both = isChar && other.isChar && !literals; // else a VARCHAR
      int longer = Math.max(length, other.length);
      String[] chosen = new String[values.length];
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = fitted((holds.test(i + 1) ? this : other).values[i], both, longer);
      }
      String choice = "CASE WHEN " + condition + " THEN " + sql + " ELSE " + other.sql + " END";
      return new Text(choice, both, longer, both && (padded || other.padded), chosen);
    }

    /** Whether this is a literal, or chosen among literals of one length. */
    private boolean isLiteral() {
      return isChar && !padded;
    }

    /** The ids of the rows in which this is equal to the other. */
    String[] idsOfEqual(Text other) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        if (values[i] != null && other.values[i] != null) {
          boolean trims = padded || other.padded;
          String a = trims ? values[i].stripTrailing() : values[i];
          String b = trims ? other.values[i].stripTrailing() : other.values[i];
          if (a.equals(b)) {
            ids.add(Integer.toString(i + 1));
          }
        }
      }
      return ids.toArray(String[]::new);
    }
  }

  private static Text text(SplittableRandom random, int depth) {
    if (depth == 0) {
      return switch (random.nextInt(4)) {
        case 3 -> literal(random);
        case 0 -> Text.column("c", true, 3, "a", "ab", null, "xyz", "");
        case 1 -> Text.column("l", true, 5, "a", "abc", "x", "xyz", "");
        default -> Text.column("v", false, 5, "a", "ab ", "x", "xyz1", "");
      };
    }
    Text text = text(random, random.nextInt(depth));
    int n = 1 + random.nextInt(6);
    return switch (random.nextInt(5)) {
      case 0 -> text.asChar(n);
      case 1 -> text.asVarchar(n);
      case 2 -> text.asVarchar(Text.UNBOUNDED);
      default -> {
        Text other = text(random, random.nextInt(depth));
        yield switch (random.nextInt(4)) {
          case 0 -> text.or(other, "TRUE", _ -> true);
          case 1 -> text.or(other, "1 > 2", _ -> false);
          case 2 -> text.or(other, "id IS NOT NULL", _ -> true);
          default -> text.or(other, "id < 3", id -> id < 3);
        };
      }
    };
  }

  private static Text literal(SplittableRandom random) {
    String[] all = {"a", "ab", "ab ", "abc  ", "   ", " ", "xyz", "x"};
    String value = all[random.nextInt(all.length)];
    String[] values = {value, value, value, value, value};
    return new Text("'" + value + "'", true, value.length(), false, values);
  }

  @Test
  void generatedTextsCompareAsAPlainModelDoes() {
    for (int seed = 0; seed < 150; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Text left = text(random, 3);
      Text right = random.nextBoolean() ? literal(random) : text(random, 2);
      String sql = "SELECT id FROM t WHERE " + left.sql + " = " + right.sql + " ORDER BY id";
      assertRows(sql, with(), left.idsOfEqual(right));
    }
  }
}
