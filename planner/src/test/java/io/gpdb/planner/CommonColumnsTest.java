package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Trees of joins of all kinds by NATURAL, USING and ON return what the standard's definition
 * returns, and a name alone means the common column in every clause. {@code -Dgpdb.seed=S} replays
 * one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommonColumnsTest {
  private static final int ROUNDS = 6;
  private static final String[] TABLES = {"p", "q", "r", "s"};
  private static final String[][] COLUMNS = {
    {"a", "b", "c"}, {"a", "b", "d"}, {"a", "e"}, {"b", "a"}
  };
  private static final List<String> KINDS = List.of("", "INNER", "LEFT", "RIGHT", "FULL");

  private final EndToEnd db = new EndToEnd();
  private final List<Joined> tables = new ArrayList<>();
  private Random random = new Random();

  /** A table or a join as SQL, the names of its columns, and its rows. */
  private record Joined(String sql, List<String> names, List<List<@Nullable Integer>> rows) {
    boolean hasOne(String name) {
      return Collections.frequency(names, name) == 1;
    }
  }

  @BeforeAll
  void tables() {
    Random values = new Random(7);
    for (int t = 0; t < TABLES.length; t++) {
      String columns = String.join(" INTEGER, ", COLUMNS[t]) + " INTEGER";
      db.run("CREATE TABLE " + TABLES[t] + " (" + columns + ")");
      List<List<@Nullable Integer>> rows = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        List<@Nullable Integer> row = new ArrayList<>();
        for (int c = 0; c < COLUMNS[t].length; c++) {
          row.add(values.nextInt(6) == 0 ? null : values.nextInt(4));
        }
        rows.add(row);
        db.run("INSERT INTO " + TABLES[t] + " VALUES (" + joined(row, ", ") + ")");
      }
      tables.add(new Joined(TABLES[t], List.of(COLUMNS[t]), rows));
    }
  }

  @AfterAll
  void close() {
    db.close();
  }

  @Test
  void namesMeanCommonColumnsInEveryClause() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private void round(long seed, List<String> problems) {
    random = new Random(seed);
    List<Joined> left = new ArrayList<>(tables);
    Collections.shuffle(left, random);
    Joined from = tree(left.subList(0, 2 + random.nextInt(3)));
    String at = "-Dgpdb.seed=" + seed + ": ";
    compare(at, "SELECT * FROM " + from.sql, from.rows.stream().map(r -> joined(r, "|")), problems);
    List<String> usable = from.names.stream().distinct().filter(from::hasOne).toList();
    for (String name : usable) {
      List<@Nullable Integer> values =
          from.rows.stream().map(row -> row.get(from.names.indexOf(name))).toList();
      clauses(at, from.sql, name, values, problems);
    }
  }

  private void clauses(
      String at, String from, String n, List<@Nullable Integer> values, List<String> problems) {
    List<Integer> over = values.stream().filter(v -> v != null && v > 1).toList();
    List<Integer> known = values.stream().filter(Objects::nonNull).toList();
    List<Integer> groups = over.stream().distinct().toList();
    compare(at, "SELECT " + n + " FROM " + from + " WHERE " + n + " > 1", texts(over), problems);
    compare(
        at,
        "SELECT " + n + " + 1 FROM " + from + " WHERE " + n + " > 1 ORDER BY " + n + " + 1",
        over.stream().map(v -> String.valueOf(v + 1)),
        problems);
    compare(
        at,
        "SELECT " + n + ", COUNT(*) FROM " + from + " GROUP BY " + n + " HAVING " + n + " > 1",
        groups.stream().map(v -> v + "|" + Collections.frequency(over, v)),
        problems);
    compare(
        at,
        "SELECT COUNT(*) FROM " + from + " GROUP BY " + n + " HAVING " + n + " > 1 ORDER BY " + n,
        groups.stream().map(v -> String.valueOf(Collections.frequency(over, v))),
        problems);
    compare(
        at,
        "SELECT CASE WHEN "
            + n
            + " IN (2, 3) THEN 1 END, MAX("
            + n
            + ") OVER () FROM "
            + from
            + " WHERE "
            + n
            + " IS NOT NULL",
        known.stream().map(v -> (v > 1 ? "1" : "NULL") + "|" + Collections.max(known)),
        problems);
    compare(
        at,
        "SELECT (SELECT MAX(v) FROM (VALUES ("
            + n
            + "), (2)) AS x (v)) FROM "
            + from
            + " WHERE EXISTS"
            + " (SELECT 1 FROM (VALUES (2), (3)) AS y (w) WHERE w = "
            + n
            + ")",
        over.stream().map(v -> String.valueOf(Math.max(2, v))),
        problems);
    compare(
        at,
        "SELECT SUM(" + n + ") FILTER (WHERE " + n + " > 1) FROM " + from,
        Stream.of(
            over.isEmpty()
                ? "NULL"
                : String.valueOf(over.stream().mapToInt(Integer::intValue).sum())),
        problems);
  }

  private static Stream<String> texts(List<Integer> values) {
    return values.stream().map(String::valueOf);
  }

  private Joined tree(List<Joined> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    int cut = random.nextInt(3) == 0 ? 1 : parts.size() - 1;
    Joined left = tree(parts.subList(0, cut));
    Joined right = tree(parts.subList(cut, parts.size()));
    String second =
        right.names.isEmpty() || cut == 1 && parts.size() > 2 ? "(" + right.sql + ")" : right.sql;
    String kind = KINDS.get(random.nextInt(KINDS.size()));
    List<String> common =
        left.names.stream()
            .distinct()
            .filter(right.names::contains)
            .filter(name -> left.hasOne(name) && right.hasOne(name))
            .toList();
    boolean natural =
        left.names.stream().distinct().filter(right.names::contains).count() == common.size();
    if (!common.isEmpty() && random.nextInt(4) > 0) {
      if (natural && random.nextBoolean()) {
        return join(left.sql + " NATURAL " + kind + " JOIN " + second, kind, left, right, common);
      }
      List<String> using =
          common.stream()
              .filter(name -> random.nextBoolean())
              .collect(Collectors.toCollection(ArrayList::new));
      if (using.isEmpty()) {
        using.add(common.getFirst());
      }
      Collections.shuffle(using, random);
      String condition = " USING (" + String.join(", ", using) + ")";
      return join(left.sql + " " + kind + " JOIN " + second + condition, kind, left, right, using);
    }
    List<String> own =
        left.names.stream().filter(n -> left.hasOne(n) && !right.names.contains(n)).toList();
    List<String> other =
        right.names.stream().filter(n -> right.hasOne(n) && !left.names.contains(n)).toList();
    if (own.isEmpty() || other.isEmpty()) {
      return join(
          left.sql + " " + kind + " JOIN " + second + " ON TRUE", kind, left, right, List.of());
    }
    int l = left.names.indexOf(own.getFirst());
    int r = right.names.indexOf(other.getFirst());
    return combined(
        left.sql
            + " "
            + kind
            + " JOIN "
            + second
            + " ON "
            + own.getFirst()
            + " = "
            + other.getFirst(),
        kind,
        left,
        right,
        List.of(),
        (x, y) -> x.get(l) != null && Objects.equals(x.get(l), y.get(r)));
  }

  private static Joined join(
      String sql, String kind, Joined left, Joined right, List<String> common) {
    return combined(
        sql,
        kind,
        left,
        right,
        common,
        (x, y) ->
            common.stream()
                .allMatch(
                    name -> {
                      Integer value = x.get(left.names.indexOf(name));
                      return value != null && value.equals(y.get(right.names.indexOf(name)));
                    }));
  }

  private static Joined combined(
      String sql,
      String kind,
      Joined left,
      Joined right,
      List<String> common,
      BiPredicate<List<@Nullable Integer>, List<@Nullable Integer>> matching) {
    List<String> names = new ArrayList<>(common);
    left.names.stream().filter(name -> !common.contains(name)).forEach(names::add);
    right.names.stream().filter(name -> !common.contains(name)).forEach(names::add);
    List<List<@Nullable Integer>> rows = new ArrayList<>();
    List<@Nullable Integer> noLeft = Arrays.asList(new Integer[left.names.size()]);
    List<@Nullable Integer> noRight = Arrays.asList(new Integer[right.names.size()]);
    for (List<@Nullable Integer> x : left.rows) {
      right.rows.stream()
          .filter(y -> matching.test(x, y))
          .forEach(y -> rows.add(row(left, x, right, y, common)));
      if ((kind.equals("LEFT") || kind.equals("FULL"))
          && right.rows.stream().noneMatch(y -> matching.test(x, y))) {
        rows.add(row(left, x, right, noRight, common));
      }
    }
    if (kind.equals("RIGHT") || kind.equals("FULL")) {
      right.rows.stream()
          .filter(y -> left.rows.stream().noneMatch(x -> matching.test(x, y)))
          .forEach(y -> rows.add(row(left, noLeft, right, y, common)));
    }
    return new Joined(sql, names, rows);
  }

  private static List<@Nullable Integer> row(
      Joined left,
      List<@Nullable Integer> x,
      Joined right,
      List<@Nullable Integer> y,
      List<String> common) {
    List<@Nullable Integer> row = new ArrayList<>();
    for (String name : common) {
      Integer value = x.get(left.names.indexOf(name));
      row.add(value == null ? y.get(right.names.indexOf(name)) : value);
    }
    for (int i = 0; i < x.size(); i++) {
      if (!common.contains(left.names.get(i))) {
        row.add(x.get(i));
      }
    }
    for (int i = 0; i < y.size(); i++) {
      if (!common.contains(right.names.get(i))) {
        row.add(y.get(i));
      }
    }
    return row;
  }

  private void compare(String at, String sql, Stream<String> expected, List<String> problems) {
    List<String> wanted = expected.sorted().toList();
    try {
      List<String> found = db.rows(sql).stream().sorted().toList();
      if (!found.equals(wanted)) {
        problems.add(at + sql + "\n  expected " + wanted + "\n  found    " + found);
      }
    } catch (RuntimeException e) {
      problems.add(at + sql + "\n  " + e);
    }
  }

  private static String joined(List<@Nullable Integer> row, String between) {
    return String.join(between, row.stream().map(v -> v == null ? "NULL" : v.toString()).toList());
  }
}
