package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.planner.keyed.KeyedChange;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectAnalysis;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is planned from its words is what the whole planner makes of the text: columns, parameters
 * and rows of random statements, many of them wrong. {@code -Dgpdb.seed=S} replays one round,
 * {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class DirectPlansTest {
  private static final int ROUNDS = 3;
  private static final int STATEMENTS = 500;
  private static final int[] ROW_COUNTS = {0, 1, 2, 33, 200, 513};
  private static final List<String> TABLES = List.of("t", "T", "u", "v", "\"t\"", "PUBLIC.t", "no");
  private static final List<String> COLUMNS =
      List.of("id", "ID", "a", "b", "name", "s", "d", "r", "k", "c", "date", "\"ID\"", "t.a", "no");
  private static final List<String> ALIASES =
      List.of("", "", "", "", "", " AS n", " n", " AS select", " user", " AS value", " \"n\"");
  private static final List<String> SIGNS =
      List.of("=", "=", "<>", "<", "<=", ">", ">=", "!=", "IS", "==");

  private static final List<String> TYPES =
      List.of(
          "INTEGER",
          "int",
          "BIGINT",
          "SMALLINT",
          "BOOLEAN",
          "REAL",
          "DOUBLE",
          "DOUBLE PRECISION",
          "DATE",
          "VARCHAR",
          "VARCHAR(20)",
          "VARCHAR(0)",
          "VARCHAR(16777217)",
          "DECIMAL",
          "DECIMAL(5)",
          "DECIMAL(18, 18)",
          "DECIMAL(19, 4)",
          "DECIMAL(3, 4)",
          "DECIMAL(39)",
          "CHAR(3)",
          "TIMESTAMP(3)",
          "TEXT",
          "no");

  private Random random = new Random(0);
  private final Map<Class<?>, Integer> direct = new HashMap<>();

  @Test
  void directPlansAgreeWithPlans() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
    assertThat(direct.keySet())
        .as("%s", direct)
        .containsExactlyInAnyOrder(DirectStatement.class.getPermittedSubclasses());
  }

  @Test
  void batchesNeedNoPlannerAndHaveThePlannersKernels() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b BIGINT NOT NULL, c VARCHAR(9))");
      db.run("INSERT INTO t VALUES (1, 2, 3, 'x'), (2, 3, 4, 'y')");
      for (String sql :
          List.of(
              "UPDATE t SET a = ?, b = ? WHERE id = ?",
              "UPDATE t SET b = b + ?, a = ? WHERE id = ?",
              "UPDATE t SET a = ?, c = ?, b = b - ? WHERE id = ?",
              "UPDATE t SET a = id - ? WHERE id = ?",
              "UPDATE t SET a = a + 1 WHERE id = ?",
              "UPDATE t SET b = b - ?, a = id - 0 WHERE id = ?",
              "UPDATE t SET a = 7 WHERE id = ?",
              "UPDATE t SET c = ?, a = 0 WHERE id = ?",
              "UPDATE t SET id = ? WHERE id = ?",
              "DELETE FROM t WHERE id = ?")) {
        Transaction tx = db.begin();
        DirectPlan plan = (DirectPlan) db.direct.prepare(sql, tx);
        ParameterColumns batch = new ParameterColumns(plan.parameters());
        for (int row = 0; row < 100; row++) {
          for (int i = 0; i < plan.parameters().size(); i++) {
            boolean text = plan.parameters().get(i).type().kind() == SqlTypeSpec.Kind.VARCHAR;
            EndToEnd.bind(batch, i, text ? "z" : (Object) (long) (row + 2));
          }
          batch.addRow();
        }
        assertThat(plan.executeBatch(tx, batch)).as(sql).startsWith(1).endsWith(0).hasSize(100);
        assertThat(plan.isPlanned()).as(sql).isFalse();
        DirectStatement words = DirectAnalysis.of(sql, db.catalogSnapshot());
        assertThat(texts(KeyedChange.of(db.device, (DirectStatement.Change) words).kernels()))
            .as(sql)
            .isEqualTo(texts(plan.kernels()));
        tx.rollback();
      }
    }
  }

  private static List<String> texts(List<Kernel> kernels) {
    return kernels.stream().map(KernelPrinter::print).toList();
  }

  private void round(long seed, List<String> problems) {
    random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b BIGINT NOT NULL UNIQUE, name"
              + " VARCHAR(10), s SMALLINT, d DECIMAL(8, 2), r DOUBLE, \"DATE\" DATE, c CHAR(3))",
          "CREATE TABLE u (k BIGINT, name VARCHAR(10), a INTEGER, PRIMARY KEY (name, k))",
          "CREATE TABLE w (id INTEGER PRIMARY KEY, a INTEGER DEFAULT 7, t INTEGER REFERENCES t)",
          "CREATE TABLE n (id INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, a INTEGER)",
          "CREATE TABLE g (a INTEGER PRIMARY KEY, b BIGINT GENERATED ALWAYS AS (a + 1))");
      if (random.nextBoolean()) {
        db.run("CREATE VIEW v AS SELECT id, a FROM t");
      }
      if (random.nextInt(3) == 0) {
        db.run("ALTER TABLE w ADD CHECK (a < 1000)");
        db.run("CREATE INDEX i ON t (a)");
      }
      if (random.nextInt(4) > 0) {
        db.run("DROP TABLE w");
      }
      fill(db, ROW_COUNTS[random.nextInt(ROW_COUNTS.length)]);
      for (int i = 0; i < STATEMENTS; i++) {
        String sql = i == 0 ? "CREATE TABLE z (a INTEGER NOT NULL)" : statement();
        List<@Nullable Object> values = new ArrayList<>();
        sql.chars().filter(c -> c == '?').forEach(_ -> values.add(value()));
        int rows = random.nextInt(5) == 0 ? one(List.of(0, 3, 40, 300)) : -1;
        int names = one(List.of(1, 7, 1000));
        String wanted = answer(db, db.unshared, sql, values, rows, names);
        String found = answer(db, db.direct, sql, values, rows, names);
        if (!wanted.equals(found)) {
          problems.add("seed " + seed + ": " + sql + values + "\n " + wanted + "\n " + found);
        }
        DirectStatement statement = DirectAnalysis.of(sql, db.catalogSnapshot());
        if (statement != null) {
          boolean ofFewRows = statement instanceof DirectStatement.Query;
          Class<?> kind = ofFewRows ? DirectStatement.Query.class : statement.getClass();
          direct.merge(kind, 1, Integer::sum);
        }
      }
    }
  }

  private void fill(EndToEnd db, int rows) {
    for (int r = 0; r < rows; r++) {
      String name = random.nextInt(5) == 0 ? "NULL" : "'n" + random.nextInt(9) + "'";
      db.run(
          "INSERT INTO t VALUES ("
              + r
              + ", "
              + number()
              + ", "
              + r * 3
              + ", "
              + name
              + ", 1, 2.5, 0.1, NULL, 'c')");
      if (random.nextInt(3) == 0) {
        db.run("INSERT INTO u VALUES (" + r + ", 'n" + random.nextInt(3) + "', " + number() + ")");
      }
    }
    db.run("DELETE FROM t WHERE a = 2");
  }

  private String number() {
    return one(List.of("NULL", "0", "1", "2", "7", "-5", "2147483647"));
  }

  private @Nullable Object value() {
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> "n" + random.nextInt(9);
      case 2 -> (long) random.nextInt(2000);
      default -> (long) random.nextInt(6);
    };
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Mostly of the table's own columns; sometimes anything. */
  private String column(String table) {
    if (random.nextInt(20) == 0) {
      return one(COLUMNS);
    }
    return one(
        table.equals("u") ? List.of("k", "name", "a") : List.of("id", "a", "b", "name", "ID", "s"));
  }

  private String statement() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> insert();
      case 2, 3, 4 -> update();
      case 5 -> "DELETE FROM " + one(List.of("t", "u", "t", "u", "v", "t AS x")) + where("t");
      case 6 -> definition();
      default -> query();
    };
  }

  private String insert() {
    boolean named = random.nextInt(3) > 0;
    String table = one(List.of("t", "u", "t", "u", "w", "v", "g"));
    String written = random.nextInt(4) == 0 ? quoted(table) : table;
    List<String> names = named ? some(columns(table)) : columns(table);
    int rows = 1 + random.nextInt(2) * random.nextInt(3);
    int width = names.size() - (random.nextInt(20) == 0 ? 1 : 0);
    return "INSERT INTO "
        + written
        + (named ? one(List.of("(", " (")) + String.join(", ", quotedAtTimes(names)) + ")" : "")
        + " VALUES "
        + Stream.generate(
                () ->
                    Stream.generate(this::inserted)
                        .limit(width)
                        .collect(Collectors.joining(", ", "(", ")")))
            .limit(rows)
            .collect(Collectors.joining(", "));
  }

  private List<String> quotedAtTimes(List<String> names) {
    boolean quotes = random.nextInt(3) == 0;
    return names.stream().map(name -> quotes ? quoted(name) : name).toList();
  }

  /** The name in quotes, mostly in the letters that it has without them. */
  private String quoted(String name) {
    String written = random.nextInt(12) == 0 ? name : name.toUpperCase(Locale.ROOT);
    return '"' + written + (random.nextInt(25) == 0 ? "\"\"" : "") + '"';
  }

  private String inserted() {
    return random.nextInt(25) == 0
        ? one(List.of("NULL", "NULL", "NULL", "DEFAULT", "1 + 1", "'n1'", "1.5", "-7", "TRUE"))
        : one(List.of("?", "?", "100"));
  }

  private static List<String> columns(String table) {
    return switch (table) {
      case "t" -> List.of("id", "a", "b", "name", "s", "d", "r", "c");
      case "u" -> List.of("k", "name", "a");
      case "w" -> List.of("id", "a", "t");
      case "n" -> List.of("id", "a");
      case "g" -> List.of("a", "b");
      default -> List.of("id", "a");
    };
  }

  private List<String> some(List<String> names) {
    List<String> some = new ArrayList<>(names);
    Collections.shuffle(some, random);
    return random.nextInt(20) == 0
        ? List.of("id", "id")
        : some.subList(0, 1 + random.nextInt(some.size()));
  }

  private String update() {
    String table = one(List.of("t", "u", "t", "u", "w", "v", "n", "g"));
    return "UPDATE "
        + table
        + " SET "
        + some(columns(table)).stream()
            .limit(1 + random.nextInt(2))
            .map(column -> one(quotedAtTimes(List.of(column))) + " = " + assigned(column, table))
            .collect(Collectors.joining(", "))
        + where(table);
  }

  private String assigned(String column, String table) {
    return switch (random.nextInt(8)) {
      case 0 -> one(List.of("NULL", "DEFAULT", "7", "'n2'", "? + 1", "id * ?", "-?", "7 + 1"));
      case 1, 2, 3 ->
          one(quotedAtTimes(random.nextInt(3) == 0 ? columns(table) : List.of(column)))
              + one(List.of(" + ", " - ", "-", " + "))
              + one(List.of("?", "?", "3", "2147483647", "2147483648", "07", "1 + 1", "2.0"));
      default -> "?";
    };
  }

  private String definition() {
    String columns =
        Stream.generate(
                () -> one(List.of("a", "b", "id", "name", "c", "year", "user", "a", "d", "e")))
            .limit(1 + random.nextInt(3))
            .map(
                name ->
                    name
                        + " "
                        + one(TYPES)
                        + one(List.of("", "", "", " NOT NULL", " NOT NULL", " NULL", " UNIQUE"))
                        + one(List.of("", "", "", "", "", " PRIMARY KEY", " DEFAULT 1")))
            .collect(Collectors.joining(", "));
    return "CREATE "
        + one(List.of("TABLE ", "TABLE ", "TABLE ", "TABLE IF NOT EXISTS ", "TEMPORARY TABLE "))
        + one(List.of("z", "Z", "z", "t", "v", "x.y", "select"))
        + one(List.of(" (", "("))
        + columns
        + one(List.of("", "", ", PRIMARY KEY (a)", ", PRIMARY KEY (id, a)", ", CHECK (a > 0)"))
        + one(List.of(")", ")", ")", ")", ");", ") ON COMMIT DROP", ""));
  }

  private String query() {
    String table = random.nextInt(6) == 0 ? one(TABLES) : one(List.of("t", "u"));
    boolean totals = random.nextBoolean();
    String items =
        random.nextInt(8) == 0
            ? one(List.of("*", "COUNT(*)", "count( * )", "DISTINCT a", "a, *", "COUNT(*), a"))
            : IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(_ -> (totals ? total(table) : column(table)) + one(ALIASES))
                .collect(Collectors.joining(one(List.of(",", ", "))));
    return "SELECT "
        + items
        + one(List.of(" ", "\n"))
        + "FROM "
        + table
        + where(table)
        + one(List.of("", "", "", "", "", ";", " ;; ", " LIMIT 3", " ORDER BY 1"));
  }

  private String total(String table) {
    String function = one(List.of("COUNT", "SUM", "MIN", "MAX", "sum", "Count", "AVG"));
    return function + one(List.of("(", "( ", " (")) + column(table) + one(List.of(")", "\n )"));
  }

  private String where(String table) {
    if (random.nextInt(3) == 0) {
      return "";
    }
    if (random.nextInt(3) > 0) {
      return switch (table) {
        case "u" -> one(List.of(" WHERE name = ? AND k = ?", " WHERE k = ? AND name = ?"));
        case "g" -> " WHERE a = ?";
        default ->
            one(List.of(" WHERE id = ?", " WHERE id = ?", " where b = ? ", " WHERE \"ID\" = ?"));
      };
    }
    return Stream.generate(() -> condition(table))
        .limit(1 + random.nextInt(2))
        .collect(Collectors.joining(random.nextInt(8) == 0 ? " OR " : " and ", " WHERE ", ""));
  }

  private String condition(String table) {
    String operand = random.nextInt(4) == 0 ? one(List.of("3", "'n1'", "NULL", "1.5")) : "?";
    return column(table) + " " + one(SIGNS) + " " + operand;
  }

  /**
   * What a statement, or a batch of so many rows, is and does, as text.
   *
   * @param names how many rows of a batch differ; those after them bind the same again
   */
  private static String answer(
      EndToEnd db,
      QueryEngine engine,
      String sql,
      List<@Nullable Object> values,
      int rows,
      int names) {
    Transaction tx = db.begin();
    try {
      Prepared prepared = engine.prepare(sql, tx);
      List<ParameterDef> parameters = prepared.parameters();
      String is = prepared.kind() + " " + prepared.columns() + " " + parameters;
      Object[] fitting = new Object[parameters.size()];
      for (int i = 0; i < fitting.length; i++) {
        fitting[i] = fitting(parameters.get(i).type(), values.get(i));
      }
      return switch (prepared.kind()) {
        case QUERY -> is + EndToEnd.rows(engine, tx, sql, fitting);
        case CHANGE -> is + changed(db, tx, prepared, fitting, rows, names);
        default -> is + defined(tx, prepared);
      };
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    } finally {
      tx.rollback();
    }
  }

  private static @Nullable Object fitting(SqlTypeSpec type, @Nullable Object value) {
    boolean text = value instanceof String;
    return switch (type.kind()) {
      case CHAR, VARCHAR -> text || value == null ? value : "n" + value;
      case DATE, BOOLEAN -> null;
      default -> text ? Long.valueOf(1) : value;
    };
  }

  private static String changed(
      EndToEnd db,
      Transaction tx,
      Prepared prepared,
      @Nullable Object[] values,
      int rows,
      int names) {
    String counts;
    if (rows < 0) {
      counts = prepared.execute(tx, EndToEnd.bound(prepared, values)).toString();
    } else {
      ParameterColumns batch = new ParameterColumns(prepared.parameters());
      for (int row = 0; row < rows; row++) {
        for (int i = 0; i < values.length; i++) {
          boolean isNumber = values[i] instanceof Long;
          EndToEnd.bind(batch, i, isNumber ? (Long) values[i] + row % names : values[i]);
        }
        batch.addRow();
      }
      counts = Arrays.toString(prepared.executeBatch(tx, batch));
    }
    return counts
        + EndToEnd.rows(db.unshared, tx, "SELECT * FROM t ORDER BY id")
        + EndToEnd.rows(db.unshared, tx, "SELECT * FROM u ORDER BY k, name")
        + EndToEnd.rows(db.unshared, tx, "SELECT * FROM g, n ORDER BY 1");
  }

  private static String defined(Transaction tx, Prepared prepared) {
    String is = "";
    if (prepared.analyzed() instanceof Analyzed.CreateTable create) {
      TableDef table = create.def();
      is = table.withKeys(List.of()) + " " + create.ifNotExists();
      for (KeyDef key : table.keys()) {
        is += key.name() + key.primary() + Arrays.toString(key.columns()) + key.indexId();
      }
    }
    return is + prepared.execute(tx, EndToEnd.bound(prepared));
  }
}
