package io.gpdb.bench.grammar;

import io.gpdb.bench.grammar.RandomSchema.Column;
import io.gpdb.bench.grammar.RandomSchema.Table;
import io.gpdb.bench.grammar.RandomStatement.Scope;
import java.util.List;
import java.util.Random;

/**
 * Statements that make, alter and drop what a schema has, and settings of transactions. Names are
 * few, so that statements meet what others made.
 */
final class RandomDefinition {
  private static final int DEPTH = 2;
  private static final String[] ACTIONS = {
    "NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"
  };
  private static final String[] LOCK_MODES = {
    "", " IN SHARE MODE", " IN EXCLUSIVE MODE NOWAIT", " IN ROW SHARE MODE"
  };
  private static final String[] SEQUENCE_OPTIONS = {
    "",
    " START WITH 3",
    " INCREMENT BY -2",
    " MINVALUE -9 MAXVALUE 9",
    " CYCLE",
    " NO CACHE",
    " AS SMALLINT",
    " CACHE 5 NO MAXVALUE",
    " RESTART",
    " RESTART WITH 4"
  };

  private final Random random;
  private final RandomSchema schema;
  private final RandomStatement statement;

  RandomDefinition(Random random, RandomSchema schema, RandomStatement statement) {
    this.random = random;
    this.schema = schema;
    this.statement = statement;
  }

  String text() {
    Table table = schema.tables().get(random.nextInt(schema.tables().size()));
    return switch (random.nextInt(19)) {
      case 0, 1, 2, 3, 4 ->
          "ALTER TABLE " + (random.nextInt(5) == 0 ? table() : table.name()) + actions(table);
      case 5 -> createIndex(table);
      case 6 -> dropped();
      case 7 -> createView();
      case 8, 9 -> createTable(table);
      case 10 -> sequence();
      case 11 -> numbers(table);
      case 12 -> schemas();
      case 13 -> comment(table);
      case 14 -> "LOCK TABLE " + table.name() + pick(LOCK_MODES);
      case 15 -> privileges(table);
      case 16 -> domains(table);
      case 17 -> routines(table);
      default -> transactions(table);
    };
  }

  private String domains(Table table) {
    Column column = column(table);
    String checked = statement.text("boolean", DEPTH, List.of(new Scope("d", List.of(column))));
    return switch (random.nextInt(6)) {
      case 4 -> type(column);
      case 3 -> "ALTER DOMAIN " + name("d") + alteration(column, checked);
      case 0 -> "DROP DOMAIN" + exists("") + name("d") + behavior();
      case 1 -> "CREATE TABLE " + table() + " (o " + name("d") + ", p " + name("d") + " NOT NULL)";
      case 2 -> "CREATE DOMAIN " + name("d") + " AS " + column.type() + " CHECK (" + checked + ")";
      default ->
          "CREATE DOMAIN "
              + name("d")
              + " "
              + type()
              + pick("", " DEFAULT " + RandomSchema.value(random, column))
              + pick("", " CHECK (VALUE IS NOT NULL)", " NOT NULL");
    };
  }

  private String type(Column source) {
    return random.nextInt(3) == 0
        ? "DROP TYPE" + exists("") + name("d") + behavior()
        : "CREATE TYPE "
            + name("d")
            + " AS "
            + source.type()
            + pick("", " FINAL")
            + pick("", " CAST (SOURCE AS DISTINCT) WITH " + name("f"))
            + pick("", " CAST (DISTINCT AS SOURCE) WITH " + name("f"));
  }

  private String alteration(Column column, String checked) {
    return switch (random.nextInt(4)) {
      case 0 -> " SET DEFAULT " + RandomSchema.value(random, column);
      case 1 -> " DROP DEFAULT";
      case 2 -> " ADD CONSTRAINT " + name("k") + " CHECK (" + checked + ")";
      default -> " DROP CONSTRAINT" + exists("") + name("k");
    };
  }

  private String routines(Table table) {
    Column column = column(table);
    String name = name("f");
    String value = statement.text(column.kind(), DEPTH, List.of(new Scope(name, List.of(column))));
    return switch (random.nextInt(7)) {
      case 0 -> "DROP ROUTINE" + exists("") + name + behavior();
      case 1 -> "SELECT " + name + "(" + column.name() + ") FROM " + table.name();
      case 2 -> "GRANT EXECUTE ON ROUTINE " + name + " TO PUBLIC";
      case 3 -> "CALL " + name + "(" + value + ", NULL)";
      case 4 ->
          "CREATE PROCEDURE %s (%s %s, OUT o %s) BEGIN ATOMIC SET o = %s; DELETE FROM %s; END"
              .formatted(name, column.name(), column.type(), type(), value, table.name());
      default ->
          "CREATE FUNCTION %s (%s %s) RETURNS %s %s RETURN %s"
              .formatted(
                  name,
                  column.name(),
                  column.type(),
                  column.type(),
                  pick("", "DETERMINISTIC", "RETURNS NULL ON NULL INPUT", "CONTAINS SQL"),
                  value);
    };
  }

  private String privileges(Table table) {
    String grantee = pick("PUBLIC", name("r"), "CURRENT_USER");
    String what =
        pick("ALL", "SELECT", "UPDATE (" + column(table).name() + "), DELETE", "REFERENCES")
            + " ON "
            + pick(table.name(), table(), name("v"));
    return switch (random.nextInt(5)) {
      case 0 -> "CREATE ROLE " + name("r");
      case 1 -> "DROP ROLE" + exists("") + name("r");
      case 2 -> "REVOKE " + pick("", "GRANT OPTION FOR ") + what + " FROM " + grantee + behavior();
      case 3 -> "GRANT " + name("r") + " TO " + grantee + pick("", " WITH ADMIN OPTION");
      default -> "GRANT " + what + " TO " + grantee + pick("", " WITH GRANT OPTION");
    };
  }

  private String pick(String... words) {
    return words[random.nextInt(words.length)];
  }

  private String exists(String word) {
    return random.nextInt(3) == 0 ? " IF " + word + "EXISTS " : " ";
  }

  /** A table that this class makes. */
  private String table() {
    return "x" + random.nextInt(3);
  }

  private String name(String prefix) {
    return prefix + random.nextInt(3);
  }

  private String behavior() {
    return pick("", " CASCADE", " RESTRICT");
  }

  private Column column(Table table) {
    return table.columns().get(random.nextInt(table.columns().size()));
  }

  private String condition(Table table) {
    return statement.text("boolean", DEPTH, List.of(new Scope(table.name(), table.columns())));
  }

  private String expression(Table table, String kind) {
    return statement.text(kind, DEPTH, List.of(new Scope(table.name(), table.columns())));
  }

  private String type() {
    return statement.text("type", DEPTH, List.of());
  }

  private String actions(Table table) {
    String first = " " + action(table);
    return random.nextInt(5) == 0 ? first + ", " + action(table) : first;
  }

  private String action(Table table) {
    Column column = column(table);
    String c = column.name();
    return switch (random.nextInt(20)) {
      case 0, 1 -> "ADD COLUMN" + exists("NOT ") + name("g") + " " + columnClauses(table, column);
      case 2 -> "DROP COLUMN" + exists("") + pick(c, name("g")) + behavior();
      case 3 -> "RENAME COLUMN " + c + " TO " + name("g");
      case 4 -> "RENAME COLUMN " + name("g") + " TO " + c;
      case 5 -> "ALTER COLUMN " + c + " SET DATA TYPE " + type();
      case 6 -> "ALTER " + c + " TYPE " + type() + " USING " + expression(table, "any");
      case 7 -> "MODIFY " + c + " " + column.type();
      case 8 -> "ALTER COLUMN " + c + " SET DEFAULT " + expression(table, column.kind());
      case 9 -> "ALTER COLUMN " + c + " SET DEFAULT " + RandomSchema.value(random, column);
      case 10 -> "ALTER COLUMN " + c + pick(" DROP DEFAULT", " SET NOT NULL", " DROP NOT NULL");
      case 11 -> "ADD " + named() + "UNIQUE (" + c + ", " + column(table).name() + ")";
      case 12 -> "ADD " + named() + "PRIMARY KEY (" + c + ")";
      case 13, 14 -> "ADD " + named() + "CHECK (" + condition(table) + ")";
      case 15 -> "ADD " + named() + foreignKey(table);
      case 16 -> "DROP CONSTRAINT" + exists("") + name("k") + behavior();
      case 17 -> "RENAME CONSTRAINT " + name("k") + " TO " + name("k");
      case 18 -> pick("DROP PRIMARY KEY", "RENAME TO " + table());
      default ->
          "ALTER COLUMN "
              + c
              + pick(
                  " RESTART WITH 3",
                  " SET GENERATED ALWAYS",
                  " DROP IDENTITY IF EXISTS",
                  " ADD GENERATED BY DEFAULT AS IDENTITY",
                  " DROP EXPRESSION");
    };
  }

  private String named() {
    return random.nextBoolean() ? "CONSTRAINT " + name("k") + " " : "";
  }

  private String foreignKey(Table table) {
    Table parent = schema.tables().get(random.nextInt(schema.tables().size()));
    return "FOREIGN KEY (" + column(table).name() + ") " + references(parent);
  }

  private String references(Table parent) {
    return "REFERENCES %s (%s) ON DELETE %s ON UPDATE %s%s"
        .formatted(
            parent.name(),
            parent.columns().getLast().name(),
            pick(ACTIONS),
            pick(ACTIONS),
            deferral());
  }

  private String deferral() {
    return pick("", "", " DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED");
  }

  private String columnClauses(Table table, Column column) {
    return column.type()
        + switch (random.nextInt(9)) {
          case 0 -> " NOT NULL";
          case 1 -> " DEFAULT " + RandomSchema.value(random, column);
          case 2 -> " DEFAULT " + expression(table, column.kind());
          case 3 -> " UNIQUE" + deferral();
          case 4 -> " CHECK (" + condition(table) + ")" + deferral();
          case 5 -> " " + references(table);
          case 6 -> " GENERATED ALWAYS AS (" + expression(table, column.kind()) + ")";
          case 7 -> " GENERATED BY DEFAULT AS IDENTITY";
          default -> "";
        };
  }

  private String createIndex(Table table) {
    return "CREATE "
        + pick("", "UNIQUE ")
        + "INDEX"
        + exists("NOT ")
        + name("j")
        + " ON "
        + table.name()
        + " ("
        + column(table).name()
        + pick("", " DESC", " ASC", ", " + column(table).name())
        + ")"
        + pick("", "", " USING HASH", " USING BTREE");
  }

  private String dropped() {
    return switch (random.nextInt(6)) {
      case 0 -> "DROP INDEX" + exists("") + name("j");
      case 1 -> "DROP VIEW" + exists("") + name("w") + behavior();
      case 2 -> "DROP TABLE" + exists("") + table() + behavior();
      case 3 -> "DROP SEQUENCE" + exists("") + name("n");
      case 4 -> "ALTER INDEX" + exists("") + name("j") + " RENAME TO " + name("j");
      default -> "TRUNCATE TABLE " + table() + pick("", " RESTART IDENTITY");
    };
  }

  private String createView() {
    return switch (random.nextInt(6)) {
      case 0 -> "SELECT * FROM " + name("w") + ", " + name("w") + " AS o";
      case 1 -> "INSERT INTO " + name("w") + " VALUES (1)";
      case 2 -> "UPDATE " + name("w") + " SET v = NULL";
      case 3 -> "CREATE VIEW " + name("w") + " AS SELECT * FROM " + name("w") + " AS o";
      default ->
          "CREATE OR REPLACE VIEW "
              + name("w")
              + pick("", "", " (v)", " (v, o)")
              + " AS "
              + statement.select()
              + pick("", "", "", " WITH CHECK OPTION");
    };
  }

  private String createTable(Table table) {
    Column column = column(table);
    String made =
        switch (random.nextInt(5)) {
          case 0 ->
              " (id "
                  + pick("SERIAL", "INT GENERATED ALWAYS AS IDENTITY", "INT")
                  + " PRIMARY KEY, "
                  + column.name()
                  + " "
                  + columnClauses(table, column)
                  + ")";
          case 1 ->
              " ("
                  + column.name()
                  + " "
                  + columnClauses(table, column)
                  + ", "
                  + named()
                  + "CHECK ("
                  + column.name()
                  + " IS NOT NULL), o INT)";
          case 2 -> " (LIKE " + table.name() + pick("", " INCLUDING DEFAULTS") + ", o INT)";
          case 3 ->
              " ("
                  + column.name()
                  + " "
                  + column.type()
                  + " "
                  + references(table)
                  + ", o INT UNIQUE)";
          default -> " AS " + statement.select() + pick("", " WITH NO DATA", " WITH DATA");
        };
    return "CREATE"
        + pick("", "", " TEMPORARY", " LOCAL TEMP")
        + " TABLE"
        + exists("NOT ")
        + table()
        + made
        + pick("", "", " ON COMMIT DELETE ROWS");
  }

  private String sequence() {
    return switch (random.nextInt(4)) {
      case 0 ->
          "ALTER SEQUENCE"
              + exists("")
              + name("n")
              + pick(SEQUENCE_OPTIONS)
              + pick(SEQUENCE_OPTIONS);
      case 1 -> "SELECT " + number() + ", " + number();
      default ->
          "CREATE SEQUENCE"
              + exists("NOT ")
              + name("n")
              + pick(SEQUENCE_OPTIONS)
              + pick(SEQUENCE_OPTIONS);
    };
  }

  private String number() {
    String n = name("n");
    return pick(
        "NEXT VALUE FOR " + n,
        "nextval('" + n + "')",
        "currval('" + n + "')",
        "lastval()",
        "CURRENT VALUE FOR " + n);
  }

  private String numbers(Table table) {
    String c = column(table).name();
    return switch (random.nextInt(5)) {
      case 0 -> "UPDATE " + table.name() + " SET " + c + " = " + number();
      case 1 -> "INSERT INTO " + table.name() + " (" + c + ") VALUES (" + number() + ")";
      case 2 ->
          "INSERT INTO "
              + table()
              + " OVERRIDING "
              + pick("SYSTEM", "USER")
              + " VALUE VALUES (1, NULL)";
      case 3 ->
          "INSERT INTO "
              + table()
              + pick(" DEFAULT VALUES", " VALUES (DEFAULT, NULL)")
              + " RETURNING *";
      default -> "SELECT " + number() + ", " + c + " FROM " + table.name();
    };
  }

  private String schemas() {
    return switch (random.nextInt(6)) {
      case 0 -> "CREATE SCHEMA" + exists("NOT ") + name("h");
      case 1 -> "DROP SCHEMA" + exists("") + name("h") + behavior();
      case 2 -> "SET SCHEMA " + pick("public", "public", name("h"));
      case 3 -> "CREATE TABLE " + name("h") + "." + table() + " (o INT PRIMARY KEY)";
      case 4 -> "SELECT CURRENT_SCHEMA, * FROM " + name("h") + "." + table();
      default -> "CREATE VIEW " + name("h") + "." + name("w") + " AS " + statement.select();
    };
  }

  private String comment(Table table) {
    return "COMMENT ON "
        + pick(
            "TABLE " + table.name(),
            "COLUMN " + table.name() + "." + column(table).name(),
            "VIEW " + name("w"),
            "SCHEMA " + name("h"))
        + " IS "
        + pick("NULL", "'a text'", "''");
  }

  private String transactions(Table table) {
    return pick(
        "SET CONSTRAINTS ALL DEFERRED",
        "SET CONSTRAINTS ALL IMMEDIATE",
        "SET CONSTRAINTS " + name("k") + " DEFERRED",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT a",
        "ROLLBACK TO a",
        "RELEASE a",
        "SET lock_timeout = 5",
        "VACUUM",
        "VACUUM " + table.name(),
        "ANALYZE",
        "ANALYZE " + table.name(),
        "CHECKPOINT",
        "TRUNCATE " + table.name());
  }
}
