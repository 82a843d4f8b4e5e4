package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.compared.Scope.Column;
import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Random queries have the rows that DuckDB has, and the same rows with parameters in the places of
 * literals. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds, from the
 * seed's on where both are given; {@code -Dgpdb.rows=N} makes tables of up to N rows.
 */
class QueriesBesideDuckDbTest {
  private static final int ROUNDS = 2;
  private static final int QUERIES = 30;
  static final int TABLES = 4;
  static final int ROWS_MAX = Integer.getInteger("gpdb.rows", 8);
  private static final int INSERTED_MAX = 500;
  private static final int DIGITS = 11;
  private static final Pattern LITERAL = Pattern.compile("⟦([^⟧]*)⟧");

  /** Rows in the order of their texts, or a state. */
  private record Answer(List<String> rows, String error) {
    boolean isRefused() {
      return error.startsWith("0A000");
    }
  }

  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int refused;
  private int unknown;

  @Test
  void randomQueriesHaveTheRowsThatDuckDbHas() throws SQLException {
    long[] seeds = Seeds.of(ROUNDS);
    for (long seed : seeds) {
      round(seed);
    }
    String counts =
        "%d compared, %d refused by gpDB, %d by DuckDB".formatted(compared, refused, unknown);
    System.out.println("QueriesBesideDuckDbTest: " + counts);
    assertThat(problems).as(counts).isEmpty();
    assertThat(compared).isGreaterThan(seeds.length * QUERIES * 3 / 4);
  }

  private void round(long seed) throws SQLException {
    Random random = new Random(seed);
    try (Connection gpdb = DriverManager.getConnection("jdbc:gpdb:mem:");
        Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      Map<String, List<Column>> tables = new LinkedHashMap<>();
      for (int i = 0; i < TABLES; i++) {
        tables.put("t" + i, table(random, "t" + i, gpdb, duck));
      }
      RandomSelect queries = new RandomSelect(random, tables);
      for (int i = 0; i < QUERIES; i++) {
        compare(seed, queries.next(), random, gpdb, duck);
      }
    }
  }

  /** The same table in several databases, in the first one with an index at times. */
  static List<Column> table(Random random, String name, Connection... databases)
      throws SQLException {
    return table(random, name, ROWS_MAX, kind -> kind.sql, databases);
  }

  /** A table of up to so many rows, whose columns have types of their kinds. */
  static List<Column> table(
      Random random,
      String name,
      int rowsMax,
      Function<Kind, String> types,
      Connection... databases)
      throws SQLException {
    List<Column> columns = new ArrayList<>(List.of(new Column("id", Kind.INTEGER)));
    List<String> declared = new ArrayList<>();
    declared.add("id INTEGER" + (random.nextBoolean() ? " PRIMARY KEY" : ""));
    for (int i = 2 + random.nextInt(4); i > 0; i--) {
      Kind kind = columns.size() == 1 ? Kind.INTEGER : Kind.any(random);
      columns.add(new Column("k" + columns.size(), kind));
      declared.add("k" + (columns.size() - 1) + " " + types.apply(kind));
    }
    execute("CREATE TABLE " + name + " (" + String.join(", ", declared) + ")", databases);
    int different = 1 + random.nextInt(6);
    List<String> rows = new ArrayList<>();
    for (int id = random.nextInt(rowsMax + 1); id > 0; id--) {
      List<String> row = new ArrayList<>(List.of(String.valueOf(id)));
      for (Column column : columns.subList(1, columns.size())) {
        row.add(random.nextInt(6) == 0 ? "NULL" : column.kind().value(random, different));
      }
      rows.add("(" + String.join(", ", row) + ")");
    }
    for (int i = 0; i < rows.size(); i += INSERTED_MAX) {
      List<String> some = rows.subList(i, Math.min(rows.size(), i + INSERTED_MAX));
      execute("INSERT INTO " + name + " VALUES " + String.join(", ", some), databases);
    }
    if (random.nextBoolean()) {
      String column = columns.get(1 + random.nextInt(columns.size() - 1)).sql();
      execute("CREATE INDEX i_" + name + " ON " + name + " (" + column + ")", databases[0]);
    }
    return columns;
  }

  static void execute(String sql, Connection... databases) throws SQLException {
    for (Connection database : databases) {
      try (Statement statement = database.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  private void compare(long seed, String marked, Random random, Connection gpdb, Connection duck) {
    String sql = Kind.unmarked(marked);
    Answer expected = answer(duck, sql, List.of());
    Answer found = answer(gpdb, sql, List.of());
    List<String> literals = new ArrayList<>();
    Answer bound = answer(gpdb, withParameters(marked, random, literals), literals);
    if (found.isRefused() || !expected.error.isEmpty()) {
      refused += found.isRefused() ? 1 : 0;
      unknown += expected.error.isEmpty() ? 0 : 1;
      return;
    }
    compared++;
    if (!found.equals(expected)) {
      problems.add(
          "-Dgpdb.seed=%d: %s%n  has %s%n  DuckDB %s".formatted(seed, sql, found, expected));
    } else if (!bound.equals(found) && !bound.isRefused() && !isOfTypes(bound)) {
      problems.add(
          "-Dgpdb.seed=%d: %s%n  has %s%n  with parameters %s: %s"
              .formatted(seed, marked, found, literals, bound));
    }
  }

  /** Where nothing around a parameter says what it is, it may be taken for something else. */
  private static boolean isOfTypes(Answer answer) {
    return answer.error.startsWith("42804") || answer.error.startsWith("22018");
  }

  /** A query with parameters in place of some literals, which it adds. */
  static String withParameters(String marked, Random random, List<String> literals) {
    StringBuilder sql = new StringBuilder();
    Matcher literal = LITERAL.matcher(marked);
    while (literal.find()) {
      boolean bind = random.nextInt(3) > 0;
      if (bind) {
        literals.add(literal.group(1));
      }
      literal.appendReplacement(sql, Matcher.quoteReplacement(bind ? "?" : literal.group(1)));
    }
    return literal.appendTail(sql).toString();
  }

  private static Answer answer(Connection database, String sql, List<String> literals) {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      for (int i = 0; i < literals.size(); i++) {
        bind(statement, i + 1, literals.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        return new Answer(rows(rows), "");
      }
    } catch (SQLException e) {
      return new Answer(List.of(), e.getSQLState() + " " + e.getMessage());
    }
  }

  /** Binds what a literal says. */
  static void bind(PreparedStatement statement, int parameter, String literal) throws SQLException {
    if (literal.startsWith("'")) {
      statement.setString(parameter, literal.substring(1, literal.length() - 1));
    } else if (literal.contains(".")) {
      statement.setBigDecimal(parameter, new BigDecimal(literal));
    } else {
      statement.setInt(parameter, Integer.parseInt(literal));
    }
  }

  static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int c = 1; c <= columns; c++) {
        row.add(text(result.getObject(c)));
      }
      rows.add(String.join("|", row));
    }
    return rows.stream().sorted().toList();
  }

  /** Numbers by their first digits, whatever their types. */
  static String text(Object value) {
    if (!(value instanceof Number)) {
      return String.valueOf(value);
    }
    BigDecimal number = new BigDecimal(value.toString());
    return number.signum() == 0
        ? "0"
        : number.round(new MathContext(DIGITS)).stripTrailingZeros().toPlainString();
  }
}
