package io.gpdb.bench.grammar;

import io.gpdb.bench.grammar.RandomSchema.Column;
import io.gpdb.bench.grammar.RandomSchema.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Statements over a schema: most of them valid or nearly so. */
final class RandomStatement {
  private static final int DEPTH = 3;
  private static final int PARTS_DEPTH = 2;
  private static final String[] JOINS = {
    "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "INNER JOIN"
  };
  private static final String[] SET_OPERATIONS = {
    "UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL", "MINUS"
  };
  private static final String[] OTHERS = {
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT p",
    "ROLLBACK TO p",
    "RELEASE p",
    "SHOW ALL",
    "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    "START TRANSACTION ISOLATION LEVEL SNAPSHOT",
    "START TRANSACTION READ WRITE, ISOLATION LEVEL READ COMMITTED, DIAGNOSTICS SIZE 5",
    "COMMIT AND CHAIN",
    "ROLLBACK AND NO CHAIN",
    "{call current_schema}",
    "{? = call x()}",
    "CALL x(1)",
    "TRUNCATE t1",
    "VACUUM t0",
    "CHECKPOINT",
    "DROP TABLE IF EXISTS x",
    "DESCRIBE t0",
    "CREATE INDEX x ON t0 (i)",
    "MERGE INTO t0 USING t1 ON TRUE",
    "TABLE t0",
    "DROP TABLE t9",
    "CREATE OR REPLACE VIEW x AS SELECT 1",
    "CREATE OR REPLACE VIEW y AS SELECT * FROM t0",
    "SELECT * FROM y, x",
    "CREATE OR REPLACE VIEW y AS SELECT * FROM t0 WHERE i > 1 WITH CHECK OPTION",
    "UPDATE y SET i = i + 1 RETURNING *",
    "INSERT INTO y SELECT * FROM t0",
    "DELETE FROM y WHERE i = 2",
    "ALTER VIEW IF EXISTS x RENAME TO y",
    "DROP VIEW y CASCADE",
    "DROP VIEW IF EXISTS x",
    "CREATE SCHEMA IF NOT EXISTS s",
    "SET SCHEMA s",
    "SET SCHEMA public",
    "CREATE TABLE IF NOT EXISTS s.t1 AS SELECT * FROM public.t1",
    "DROP SCHEMA IF EXISTS s CASCADE",
    "CREATE TEMPORARY TABLE x (i INT) ON COMMIT DELETE ROWS",
    "CREATE TABLE IF NOT EXISTS x (LIKE t0 INCLUDING DEFAULTS)",
    "COMMENT ON COLUMN t0.i IS 'a number'",
    "ALTER TABLE t0 ADD q INT",
    "CREATE SEQUENCE IF NOT EXISTS x INCREMENT BY 3 MAXVALUE 20 CYCLE",
    "ALTER SEQUENCE IF EXISTS x RESTART WITH 2 NO CYCLE",
    "SELECT NEXT VALUE FOR x, nextval('x') FROM t0",
    "SELECT currval('x'), lastval()",
    "UPDATE t0 SET i = NEXT VALUE FOR x",
    "INSERT INTO t0 OVERRIDING SYSTEM VALUE SELECT * FROM t0",
    "CREATE TABLE x (a INT GENERATED ALWAYS AS IDENTITY (START WITH 5), b SERIAL)",
    "INSERT INTO x VALUES (DEFAULT, DEFAULT), (DEFAULT, 7)",
    "TRUNCATE x RESTART IDENTITY",
    "CREATE TABLE y (a INT, b INT GENERATED ALWAYS AS (a * 2), c VARCHAR(3) AS ('x' || a))",
    "INSERT INTO y (a) SELECT i FROM t0 RETURNING b, c AS d",
    "UPDATE y SET a = a + 1 RETURNING *",
    "DELETE FROM y WHERE b > 1 RETURNING a || c",
    "DROP SEQUENCE IF EXISTS x",
    "ALTER TABLE t0 ADD COLUMN IF NOT EXISTS q VARCHAR(5) DEFAULT 'q'",
    "ALTER TABLE t0 DROP COLUMN IF EXISTS q CASCADE",
    "ALTER TABLE t0 RENAME COLUMN q TO i",
    "ALTER TABLE t1 ALTER COLUMN i SET DATA TYPE BIGINT USING i + 1",
    "ALTER TABLE t1 ADD CONSTRAINT k UNIQUE (i)",
    "ALTER TABLE t1 DROP CONSTRAINT IF EXISTS k",
    "ALTER TABLE t1 ALTER i SET NOT NULL, ALTER i DROP NOT NULL",
    "CREATE UNIQUE INDEX IF NOT EXISTS x ON t1 (i DESC)",
    "ALTER INDEX IF EXISTS x RENAME TO y",
    "DROP INDEX IF EXISTS x",
    "EXPLAIN UPDATE t0 SET i = 1",
    "SELECT * FROM information_schema.columns",
    "SELECT * FROM TABLE(x(1))",
    "SELECT * FROM UNNEST(ARRAY[1, 2])",
    "RESET x",
    "SET x = 1",
    "SELECT * FROM t0 MATCH_RECOGNIZE (PATTERN (a) DEFINE a AS a.i > 1)",
    "UPSERT INTO t0 VALUES (1)",
    "SELECT * FROM t0 TABLESAMPLE BERNOULLI (10)",
    "SELECT * FROM t0 FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP",
    "SELECT * FROM t0 PIVOT (SUM(i) FOR s IN (1, 2))",
    "SELECT STREAM * FROM t0"
  };

  /** A table of a FROM clause under its alias. */
  record Scope(String alias, List<Column> columns) {}

  private final Random random;
  private final RandomSchema schema;
  private final Productions productions;
  private final RandomChange changes;
  private final RandomDefinition definitions;
  private final Deque<List<Scope>> scopes = new ArrayDeque<>();
  private int aliases;

  RandomStatement(Random random, RandomSchema schema) {
    this.random = random;
    this.schema = schema;
    productions = new Productions(random, this::columnOrQuery);
    changes = new RandomChange(random, schema, this);
    definitions = new RandomDefinition(random, schema, this);
  }

  String text() {
    scopes.clear();
    aliases = 0;
    productions.plain(false);
    return switch (random.nextInt(32)) {
      case 0 -> insert();
      case 1, 2 -> update();
      case 3 -> "DELETE FROM " + target(" WHERE " + scoped("boolean"));
      case 4 -> createTable();
      case 5 -> "EXPLAIN " + (random.nextBoolean() ? "ANALYZE " : "") + query(columns(), DEPTH);
      case 6 -> OTHERS[random.nextInt(OTHERS.length)];
      case 7 -> recursive();
      case 8 -> "VALUES (" + list(columns(), 2) + "), (" + list(columns(), 2) + ")";
      case 9 -> "SELECT " + list(columns(), DEPTH);
      case 10, 11, 12, 13, 14 -> changes.text();
      case 15, 16, 17, 18, 19 -> definitions.text();
      default -> query(columns(), DEPTH) + end();
    };
  }

  /** A text for a name of the grammar over the columns of these tables. */
  String text(String name, int depth, List<Scope> of) {
    scopes.push(of);
    String text = productions.text(name, depth);
    scopes.pop();
    return text;
  }

  /** A query of a few columns. */
  String select() {
    return query(columns(), PARTS_DEPTH);
  }

  private void startParts() {
    scopes.clear();
    aliases = 0;
    productions.plain(true);
  }

  /** Pieces of a query whose answer follows from other queries of them. */
  Parts queryParts() {
    startParts();
    scopes.push(new ArrayList<>());
    String from = from(PARTS_DEPTH);
    Parts parts =
        new Parts.OfQuery(
            productions.text("any", PARTS_DEPTH),
            productions.text("any", PARTS_DEPTH),
            from,
            productions.text("boolean", PARTS_DEPTH));
    scopes.pop();
    return parts;
  }

  /** Pieces of a join of two tables. */
  Parts joinParts() {
    startParts();
    scopes.push(new ArrayList<>());
    String left = item(0);
    String key = productions.text("any", 1);
    String right = item(0);
    Scope inner = scopes.getFirst().getLast();
    Column value = inner.columns.get(random.nextInt(inner.columns.size()));
    String condition = productions.text("boolean", PARTS_DEPTH);
    scopes.pop();
    return new Parts.OfJoin(key, inner.alias + "." + value.name(), left, right, condition);
  }

  /** Pieces of a change of the first table. */
  Parts changeParts() {
    startParts();
    scopeOfTarget();
    List<Column> columns = schema.tables().getFirst().columns();
    Column column = columns.get(random.nextInt(columns.size()));
    String value = productions.text(column.kind(), PARTS_DEPTH);
    String predicate = productions.text("boolean", PARTS_DEPTH);
    scopes.pop();
    return new Parts.OfChange(target(""), column.name(), column.type(), value, predicate);
  }

  private int columns() {
    return 1 + random.nextInt(3);
  }

  private String columnOrQuery(String what, int depth) {
    String kind = what.substring(what.indexOf(':') + 1);
    return what.startsWith("query") ? query(Integer.parseInt(kind), depth) : column(kind);
  }

  private String column(String kind) {
    List<String> found = new ArrayList<>();
    for (List<Scope> level : scopes) {
      for (Scope scope : level) {
        for (Column column : scope.columns) {
          if (kind.equals("any") || column.kind().equals(kind)) {
            found.add(scope.alias + "." + column.name());
          }
        }
      }
    }
    return found.isEmpty() ? "NULL" : found.get(random.nextInt(found.size()));
  }

  private String scoped(String name) {
    return productions.text(name, DEPTH);
  }

  private String list(int columns, int depth) {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      items.add(productions.text(random.nextInt(12) == 0 ? "windowed" : "any", depth));
    }
    return String.join(", ", items);
  }

  private String query(int columns, int depth) {
    String first = select(columns, depth);
    return random.nextInt(8) == 0
        ? first + " " + pick(SET_OPERATIONS) + " " + select(columns, depth - 1)
        : first;
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }

  private String select(int columns, int depth) {
    scopes.push(new ArrayList<>());
    String from = from(depth);
    StringBuilder text = new StringBuilder("SELECT ");
    text.append(random.nextInt(8) == 0 ? "DISTINCT " : "");
    boolean grouped = random.nextInt(4) == 0;
    if (grouped) {
      grouped(text, columns, depth, from);
    } else {
      text.append(random.nextInt(15) == 0 ? "*" : list(columns, depth))
          .append(" FROM ")
          .append(from);
      text.append(random.nextInt(2) == 0 ? " WHERE " + productions.text("boolean", depth) : "");
      text.append(random.nextInt(20) == 0 ? " WINDOW w AS " + productions.text("window", 1) : "");
      text.append(random.nextInt(25) == 0 ? " QUALIFY " + productions.text("boolean", 2) : "");
    }
    text.append(random.nextInt(12) == 0 ? end() : "");
    scopes.pop();
    return text.toString();
  }

  private void grouped(StringBuilder text, int columns, int depth, String from) {
    String key = random.nextBoolean() ? column("any") : productions.text("any", depth - 1);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      items.add(random.nextInt(3) == 0 ? key : productions.text("aggregate", depth));
    }
    text.append(String.join(", ", items)).append(" FROM ").append(from);
    text.append(random.nextInt(3) == 0 ? " WHERE " + productions.text("boolean", depth) : "");
    text.append(
        switch (random.nextInt(6)) {
          case 0 -> "";
          case 1 -> " GROUP BY ROLLUP (" + key + ", " + column("any") + ")";
          case 2 -> " GROUP BY GROUPING SETS ((" + key + "), ())";
          case 3 -> " GROUP BY CUBE (" + key + ")";
          default -> " GROUP BY " + key;
        });
    text.append(
        random.nextInt(3) == 0
            ? " HAVING " + productions.text("aggregate", 1) + " = " + productions.text("any", 1)
            : "");
  }

  private String from(int depth) {
    String first = item(depth);
    if (random.nextInt(3) > 0) {
      return first;
    }
    return switch (random.nextInt(5)) {
      case 0 -> first + ", " + item(depth);
      case 1 -> first + " CROSS JOIN " + item(depth);
      case 2 -> first + " NATURAL JOIN " + item(depth);
      case 3 -> first + " " + pick(JOINS) + " " + item(depth) + " USING (i)";
      default ->
          first + " " + pick(JOINS) + " " + item(depth) + " ON " + productions.text("boolean", 1);
    };
  }

  private String item(int depth) {
    String alias = "a" + aliases++;
    Table table = schema.tables().get(random.nextInt(schema.tables().size()));
    boolean nested = depth > 1 && random.nextInt(6) == 0;
    if (!nested) {
      scopes.getFirst().add(new Scope(alias, table.columns()));
      return table.name() + " AS " + alias;
    }
    String inner = random.nextBoolean() ? "LATERAL (" : "(";
    String text = inner + query(2, depth - 2) + ") AS " + alias + " (i, v)";
    scopes
        .getFirst()
        .add(
            new Scope(
                alias,
                List.of(
                    new Column("i", "", "number", List.of()),
                    new Column("v", "", "string", List.of()))));
    return text;
  }

  private String end() {
    return switch (random.nextInt(7)) {
      case 0 -> " ORDER BY 1";
      case 1 -> " ORDER BY " + productions.text("any", 1) + " DESC NULLS FIRST";
      case 2 -> " ORDER BY ?";
      case 3 -> " LIMIT " + productions.text("numeral", 1) + " OFFSET 1";
      case 4 -> " ORDER BY 1, 2 FETCH FIRST 2 ROWS ONLY";
      default -> "";
    };
  }

  private String target(String rest) {
    return "t0 AS q" + rest;
  }

  private void scopeOfTarget() {
    scopes.push(List.of(new Scope("q", schema.tables().getFirst().columns())));
  }

  private String update() {
    scopeOfTarget();
    List<Column> columns = schema.tables().getFirst().columns();
    Column column = columns.get(random.nextInt(columns.size()));
    String name = random.nextInt(4) == 0 ? "any" : column.kind();
    return "UPDATE "
        + target(" SET " + column.name() + " = " + scoped(name))
        + (random.nextBoolean() ? " WHERE " + scoped("boolean") : "");
  }

  private String insert() {
    Table table = schema.tables().get(random.nextInt(schema.tables().size()));
    int columns = table.columns().size();
    return switch (random.nextInt(4)) {
      case 0 -> "INSERT INTO " + table.name() + " DEFAULT VALUES";
      case 1 -> "INSERT INTO " + table.name() + " VALUES (" + list(columns, 2) + ")";
      case 2 ->
          "INSERT INTO "
              + table.name()
              + " ("
              + table.columns().getFirst().name()
              + ") "
              + query(1, 2);
      default -> schema.insert(table);
    };
  }

  private String createTable() {
    return "CREATE TABLE x"
        + random.nextInt(1000)
        + switch (random.nextInt(3)) {
          case 0 -> " AS " + query(columns(), 2);
          case 1 -> " (p " + productions.text("type", 2) + " DEFAULT " + scoped("any") + ")";
          default -> " (p " + productions.text("type", 2) + " NOT NULL, q INT PRIMARY KEY)";
        };
  }

  private String recursive() {
    String seed = productions.text("any", 1);
    scopes.push(
        List.of(
            new Scope(
                "r",
                List.of(
                    new Column("n", "", "number", List.of()),
                    new Column("x", "", "any", List.of())))));
    String next = productions.text("any", 1);
    return "WITH RECURSIVE r (n, x) AS (SELECT 1, "
        + seed
        + (random.nextBoolean() ? " UNION ALL" : " UNION")
        + " SELECT n + 1, "
        + next
        + " FROM r WHERE n < 4) SELECT * FROM r";
  }
}
