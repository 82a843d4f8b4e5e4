package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * String functions count code points by kernels, on the host and through the bridge: generated
 * strings of characters of one to four bytes, of those that combine, and of surrogate pairs,
 * against lists of code points. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs
 * N.
 */
class CharactersTest {
  private static final int ROUNDS = 2;
  private static final int STRINGS = 24;
  private static final int EXPRESSIONS = 24;
  private static final int[] ALPHABET = {
    'a', 'b', 'Z', '_', '%', ' ', 'é', 0x301, 'ß', 0xFFFD, 0xFFDC, 0xD7FF, 0xE000, '中', 0x1F600,
    0x1F44D, 0x1F600, 0x10000, 0x10FFFF, 0x200D
  };

  @Test
  void functionsCountCodePoints() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (k INTEGER PRIMARY KEY, s VARCHAR(12), c CHAR(12))");
      List<String> strings = new ArrayList<>();
      for (int i = 0; i < STRINGS; i++) {
        strings.add(string(random, random.nextInt(9)));
        db.run("INSERT INTO t VALUES (?, ?, ?)", i, strings.get(i), strings.get(i));
      }
      List<ExpressionCheck<String>> checks = new ArrayList<>();
      for (int i = 0; i < EXPRESSIONS; i++) {
        checks.add(check(random));
      }
      String select =
          "SELECT k, " + String.join(", ", checks.stream().map(ExpressionCheck::sql).toList());
      new ExpressionCheck.Path("kernels", db, db.engine, seed)
          .compare(select + " FROM t", strings, checks, problems);
      new ExpressionCheck.Path("bridge", db, db.bridge, seed)
          .compare(select + " FROM t", strings, checks, problems);
      for (ExpressionCheck<String> check : checks) {
        String alone = "SELECT k, " + check.sql() + " FROM t";
        new ExpressionCheck.Path("alone", db, db.engine, seed)
            .compare(alone, strings, List.of(check), problems);
      }
      int k = random.nextInt(STRINGS);
      new ExpressionCheck.Path("host", db, db.engine, seed)
          .compare(select + " FROM t WHERE k = " + k, strings, checks, problems);
      order(db, strings, seed, problems);
    }
  }

  /** ORDER BY, MIN, MAX and comparisons follow the code points. */
  private static void order(EndToEnd db, List<String> strings, long seed, List<String> problems) {
    List<String> sorted = new ArrayList<>(strings);
    sorted.sort(Comparator.comparing(CharactersTest::points, Arrays::compare));
    String middle = sorted.get(STRINGS / 2);
    List<String> below =
        sorted.stream().filter(s -> Arrays.compare(points(s), points(middle)) < 0).toList();
    for (QueryEngine engine : List.of(db.engine, db.bridge)) {
      String where = engine == db.bridge ? "bridge" : "kernels";
      Transaction tx = db.begin();
      try {
        List<String> answers =
            List.of(
                EndToEnd.rows(engine, tx, "SELECT s FROM t ORDER BY s").toString(),
                EndToEnd.rows(engine, tx, "SELECT s FROM t ORDER BY s DESC LIMIT 5").toString(),
                EndToEnd.rows(engine, tx, "SELECT MIN(s), MAX(s) FROM t").toString(),
                EndToEnd.rows(engine, tx, "SELECT s FROM t WHERE s < ? ORDER BY s", middle)
                    .toString());
        List<String> last = new ArrayList<>(sorted.subList(STRINGS - 5, STRINGS));
        Collections.reverse(last);
        List<String> expected =
            List.of(
                sorted.toString(),
                last.toString(),
                List.of(sorted.getFirst() + "|" + sorted.getLast()).toString(),
                below.toString());
        if (!answers.equals(expected)) {
          problems.add("-Dgpdb.seed=" + seed + " " + where + ": " + answers + " not " + expected);
        }
      } finally {
        tx.rollback();
      }
    }
  }

  private static ExpressionCheck<String> check(Random random) {
    String other = string(random, 1 + random.nextInt(3));
    String one = string(random, 1);
    int n = random.nextInt(12) - 2;
    int from = random.nextInt(14) - 4;
    int count = random.nextInt(6);
    return switch (random.nextInt(26)) {
      case 0 -> new ExpressionCheck<>("CHAR_LENGTH(s)", s -> "" + points(s).length);
      case 1 -> new ExpressionCheck<>("LEFT(s, %d)".formatted(n), s -> slice(s, 0, n));
      case 2 -> new ExpressionCheck<>("RIGHT(s, %d)".formatted(n), s -> last(s, n));
      case 3 ->
          new ExpressionCheck<>(
              "SUBSTRING(s FROM %d)".formatted(from), s -> slice(s, from - 1, points(s).length));
      case 4 ->
          new ExpressionCheck<>(
              "SUBSTRING(s FROM %d FOR %d)".formatted(from, count),
              s -> slice(s, from - 1, from - 1 + count));
      case 5 ->
          new ExpressionCheck<>(
              "SUBSTR(s, %d, %d)".formatted(from, count),
              s -> slice(s, from - 1, from - 1 + count));
      case 6 ->
          new ExpressionCheck<>(
              "POSITION(%s IN s)".formatted(quoted(one)), s -> "" + find(s, one, 1));
      case 7 ->
          new ExpressionCheck<>(
              "STRPOS(s, %s)".formatted(quoted(other)), s -> "" + find(s, other, 1));
      case 8 -> {
        int begin = 1 + random.nextInt(5);
        yield new ExpressionCheck<>(
            "POSITION(%s IN s FROM %d)".formatted(quoted(one), begin),
            s -> "" + find(s, one, begin));
      }
      case 9 -> overlay(other, 1 + random.nextInt(8), count);
      case 10 -> {
        int begin = 1 + random.nextInt(8);
        ExpressionCheck<String> with = overlay(other, begin, points(other).length);
        yield new ExpressionCheck<>(
            "OVERLAY(s PLACING %s FROM %d)".formatted(quoted(other), begin), with.expected());
      }
      case 11 -> pad("LPAD", n, other);
      case 12 -> pad("RPAD", n, other);
      case 13 -> trim("BOTH", one);
      case 14 -> trim("LEADING", one);
      case 15 -> random.nextBoolean() ? trim("TRAILING", one) : trimOf(random.nextBoolean(), other);
      case 16 ->
          new ExpressionCheck<>(
              "REVERSE(s)",
              s -> {
                List<Integer> list = new ArrayList<>(list(s));
                Collections.reverse(list);
                return text(list);
              });
      case 17 ->
          new ExpressionCheck<>(
              "ASCII(s)", s -> s.isEmpty() ? "0" : Integer.toString(s.codePointAt(0)));
      case 18 ->
          new ExpressionCheck<>("UPPER(s) || LOWER(s)", s -> s.toUpperCase() + s.toLowerCase());
      case 19 ->
          new ExpressionCheck<>(
              "REPLACE(s, %s, %s)".formatted(quoted(one), quoted(other)),
              s -> replaced(s, one, other));
      case 20 -> new ExpressionCheck<>("REPEAT(s, %d)".formatted(count), s -> s.repeat(count));
      case 21 -> {
        int length = 1 + random.nextInt(8);
        yield new ExpressionCheck<>(
            "CAST(s AS VARCHAR(%d))".formatted(length), s -> slice(s, 0, length));
      }
      case 22 -> {
        int length = 1 + random.nextInt(8);
        yield new ExpressionCheck<>(
            "CAST(s AS CHAR(%d))".formatted(length),
            s -> slice(s, 0, length) + " ".repeat(Math.max(0, length - points(s).length)));
      }
      case 23 -> new ExpressionCheck<>("CHAR_LENGTH(c)", s -> "12");
      case 24 -> new ExpressionCheck<>("CHR(ASCII(s || 'x'))", s -> slice(s + "x", 0, 1));
      default -> like(random, string(random, random.nextInt(5)));
    };
  }

  private static ExpressionCheck<String> overlay(String by, int from, int count) {
    return new ExpressionCheck<>(
        "OVERLAY(s PLACING %s FROM %d FOR %d)".formatted(quoted(by), from, count),
        s ->
            slice(s, 0, from - 1)
                + by
                + slice(s, Math.min(from - 1 + count, points(s).length), points(s).length));
  }

  private static ExpressionCheck<String> pad(String function, int n, String pad) {
    return new ExpressionCheck<>(
        "%s(s, %d, %s)".formatted(function, n, quoted(pad)),
        s -> {
          List<Integer> missing = new ArrayList<>();
          for (int i = 0; i < n - points(s).length; i++) {
            missing.add(points(pad)[i % points(pad).length]);
          }
          String kept = slice(s, 0, n);
          return function.equals("LPAD") ? text(missing) + kept : kept + text(missing);
        });
  }

  private static ExpressionCheck<String> trimOf(boolean before, String characters) {
    return new ExpressionCheck<>(
        "%s(s, %s)".formatted(before ? "LTRIM" : "RTRIM", quoted(characters)),
        s -> {
          List<Integer> list = new ArrayList<>(list(s));
          List<Integer> cut = list(characters);
          while (!list.isEmpty() && cut.contains(before ? list.getFirst() : list.getLast())) {
            list.remove(before ? 0 : list.size() - 1);
          }
          return text(list);
        });
  }

  private static ExpressionCheck<String> trim(String where, String one) {
    return new ExpressionCheck<>(
        "TRIM(%s %s FROM s)".formatted(where, quoted(one)),
        s -> {
          List<Integer> list = new ArrayList<>(list(s));
          while (!where.equals("TRAILING") && list.indexOf(one.codePointAt(0)) == 0) {
            list.removeFirst();
          }
          while (!where.equals("LEADING")
              && !list.isEmpty()
              && list.getLast() == one.codePointAt(0)) {
            list.removeLast();
          }
          return text(list);
        });
  }

  /** Every character of the pattern that is no sign is escaped at random. */
  private static ExpressionCheck<String> like(Random random, String pattern) {
    String escape = random.nextBoolean() ? "#" : Character.toString(0x1F602);
    StringBuilder written = new StringBuilder();
    List<Integer> parts = new ArrayList<>();
    for (int c : points(pattern)) {
      boolean sign = c == '_' || c == '%';
      boolean escaped = sign && random.nextBoolean();
      written.append(escaped ? escape : "").appendCodePoint(c);
      parts.add(sign && !escaped ? -c : c);
    }
    boolean similar = random.nextInt(4) == 0 && parts.stream().noneMatch(c -> c == '_' || c == '%');
    String sql =
        similar
            ? "s SIMILAR TO " + quoted(written.toString())
            : "s LIKE " + quoted(written.toString()) + " ESCAPE '" + escape + "'";
    return new ExpressionCheck<>("(" + sql + ")", s -> matches(list(s), parts) ? "TRUE" : "FALSE");
  }

  private static boolean matches(List<Integer> text, List<Integer> parts) {
    if (parts.isEmpty()) {
      return text.isEmpty();
    }
    List<Integer> rest = parts.subList(1, parts.size());
    if (parts.getFirst() == -'%') {
      for (int i = 0; i <= text.size(); i++) {
        if (matches(text.subList(i, text.size()), rest)) {
          return true;
        }
      }
      return false;
    }
    return !text.isEmpty()
        && (parts.getFirst() == -'_' || parts.getFirst().equals(text.getFirst()))
        && matches(text.subList(1, text.size()), rest);
  }

  private static int find(String s, String search, int from) {
    int at =
        from > points(s).length + 1 ? -1 : Collections.indexOfSubList(tail(s, from), list(search));
    return at < 0 ? 0 : at + from;
  }

  private static List<Integer> tail(String s, int from) {
    return list(s).subList(from - 1, points(s).length);
  }

  private static String replaced(String s, String one, String by) {
    StringBuilder all = new StringBuilder();
    for (int c : points(s)) {
      all.append(c == one.codePointAt(0) ? by : Character.toString(c));
    }
    return all.toString();
  }

  private static String last(String s, int count) {
    return slice(s, points(s).length - Math.max(count, 0), points(s).length);
  }

  private static String slice(String s, int from, int to) {
    List<Integer> all = list(s);
    int end = Math.clamp(to, 0, all.size());
    return text(all.subList(Math.clamp(from, 0, end), end));
  }

  private static int[] points(String s) {
    return s.codePoints().toArray();
  }

  private static List<Integer> list(String s) {
    return s.codePoints().boxed().toList();
  }

  private static String text(List<Integer> points) {
    StringBuilder text = new StringBuilder();
    points.forEach(text::appendCodePoint);
    return text.toString();
  }

  private static String string(Random random, int length) {
    StringBuilder string = new StringBuilder();
    for (int i = 0; i < length; i++) {
      string.appendCodePoint(ALPHABET[random.nextInt(ALPHABET.length)]);
    }
    return string.toString();
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "LEFT('👍x', 1); 👍",
        "CHAR_LENGTH('👍x'); 2",
        "CAST('👍' AS CHAR(2)) || '|'; 👍 |",
        "CAST('👍👍' AS VARCHAR(1)); 👍",
        "INITCAP('élan 👍a'); Élan 👍A",
        "'ÄB' ILIKE 'äb'; TRUE",
        "LPAD('a', -1) || '|'; |",
        "RPAD('aa', -9223372036854775808) || '|'; |",
        "RPAD('a', 3, '') || '|'; a|",
        "'😀' > CHR(65500); TRUE",
        "GREATEST('😀', CHR(65500)); 😀",
      })
  void casesAlone(String expression, String expected) {
    try (EndToEnd db = new EndToEnd()) {
      assertThat(db.rows("SELECT " + expression)).containsExactly(expected);
      assertThat(db.bridgeRows("SELECT " + expression)).containsExactly(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "SELECT U&'\\d83d'; 22021",
        "SELECT CHR(55357); 22021",
        "SELECT CHR(1114112); 22023",
        "SELECT 'a' LIKE 'a!' ESCAPE '!'; 22025",
        "SELECT 'a' LIKE 'a!b' ESCAPE '!'; 22025",
        "SELECT 'a' LIKE 'a' ESCAPE '!!'; 22019",
        "SELECT OVERLAY('a' PLACING 'b' FROM 0); 22011",
        "SELECT SUBSTRING('a' FROM 1 FOR -1); 22011",
        "SELECT TRIM('👍👍' FROM 'a'); 22027",
        "INSERT INTO t VALUES ('👍👍👍'); 22001",
      })
  void mistakesAreRefused(String sql, String state) {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (s VARCHAR(2))");
      db.run("INSERT INTO t VALUES ('👍👍')");
      assertThat(db.state(sql)).isEqualTo(state);
    }
  }

  @Test
  void halfOfASurrogatePairIsNoCharacter() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (s VARCHAR(2))");
      for (String half : List.of("\ud83d", "a\udc4d", "\udc4d\ud83d")) {
        assertThat(db.state("INSERT INTO t VALUES (?)", half)).isEqualTo("22021");
        assertThat(db.state("SELECT * FROM t WHERE s = '" + half + "'")).isEqualTo("22021");
      }
      assertThat(db.rows("SELECT * FROM t")).isEmpty();
    }
  }
}
