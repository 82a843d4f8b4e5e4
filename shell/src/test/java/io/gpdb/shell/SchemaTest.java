package io.gpdb.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What .schema prints makes the same schema again. */
class SchemaTest {
  private static final String[] ASKED = {
    "SELECT table_name, table_type, is_insertable_into, remarks FROM information_schema.tables",
    "SELECT * FROM information_schema.columns",
    "SELECT * FROM information_schema.views",
    "SELECT * FROM information_schema.table_constraints",
    "SELECT * FROM information_schema.key_column_usage",
    "SELECT * FROM information_schema.referential_constraints",
    "SELECT * FROM information_schema.check_constraints",
    "SELECT * FROM information_schema.indexes",
    "SELECT * FROM information_schema.index_columns",
    "SELECT * FROM information_schema.sequences",
    "SELECT * FROM information_schema.domains",
    "SELECT * FROM information_schema.routines",
    "SELECT * FROM information_schema.parameters",
    "SELECT * FROM information_schema.routine_privileges",
    "SELECT * FROM information_schema.view_routine_usage",
    "SELECT * FROM information_schema.domain_constraints",
    "SELECT * FROM information_schema.applicable_roles",
    "SELECT * FROM information_schema.table_privileges",
    "SELECT * FROM information_schema.column_privileges"
  };

  private final List<String> statements = new ArrayList<>();
  private Random random = new Random();

  @Test
  void theStatementsMakeTheSameSchema() throws SQLException {
    long first = Long.getLong("gpdb.seed", 1);
    int rounds = Integer.getInteger("gpdb.fuzz", 5);
    for (long seed = first; seed < first + rounds; seed++) {
      System.out.println("SchemaTest: seed " + seed);
      random = new Random(seed);
      statements.clear();
      make();
      try (Connection one = open("one" + seed);
          Connection other = open("other" + seed)) {
        run(one, statements);
        List<String> written = Schema.create(one);
        run(other, written);
        assertThat(Schema.create(other)).isEqualTo(written);
        for (String query : ASKED) {
          assertThat(rows(other, query)).as(query).isEqualTo(rows(one, query));
        }
      }
    }
  }

  @Test
  void anInvalidViewIsAComment() throws SQLException {
    try (Connection connection = open("invalid")) {
      run(
          connection,
          List.of(
              "CREATE TABLE t (a INT)",
              "CREATE VIEW b AS SELECT a\nFROM t",
              "CREATE VIEW a AS SELECT a FROM b",
              "COMMENT ON VIEW a IS 'of b'",
              "DROP VIEW b"));
      assertThat(Schema.create(connection))
          .containsExactly(
              "CREATE TABLE T (\n  A INTEGER\n);",
              "-- view A reads B, which does not exist\n"
                  + "-- CREATE VIEW A (A) AS\n-- SELECT a FROM b;\n"
                  + "-- COMMENT ON VIEW A IS 'of b';");
      run(connection, List.of("CREATE VIEW b AS SELECT a FROM t"));
      assertThat(Schema.create(connection))
          .contains("CREATE VIEW A (A) AS\nSELECT a FROM b;", "COMMENT ON VIEW A IS 'of b';");
    }
  }

  /** Words of the grammar that are names only in quotes. */
  @Test
  void namesAreQuotedWhereTheyMustBe() throws SQLException {
    try (Connection connection = open("words");
        Statement statement = connection.createStatement()) {
      List<String> wrong = new ArrayList<>();
      int tried = 0;
      for (String image : GpSqlParserConstants.tokenImage) {
        String word = image.replace("\"", "");
        if (word.matches("[A-Z][A-Z_]*")) {
          tried++;
          try {
            statement.execute("CREATE TABLE x (" + Words.readable(word) + " INTEGER)");
            statement.execute("DROP TABLE x");
          } catch (SQLException e) {
            wrong.add(word);
          }
        }
      }
      assertThat(tried).isGreaterThan(500);
      assertThat(wrong).isEmpty();
    }
  }

  private static Connection open(String name) throws SQLException {
    return DriverManager.getConnection("jdbc:gpdb:mem:schema_" + name);
  }

  private static void run(Connection connection, List<String> all) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : all) {
        try {
          statement.execute(sql);
        } catch (SQLException e) {
          throw new AssertionError(sql, e);
        }
      }
    }
  }

  private static List<String> rows(Connection connection, String query) throws SQLException {
    List<String> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.append(rows.getString(i)).append('|');
        }
        if (row.indexOf("INFORMATION_SCHEMA") < 0) {
          all.add(row.toString());
        }
      }
    }
    all.sort(null);
    return all;
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private boolean sometimes() {
    return random.nextInt(3) == 0;
  }

  private void make() {
    statements.add(
        "CREATE SEQUENCE s1 AS INTEGER START WITH 5 INCREMENT BY -2 MAXVALUE 20 CYCLE CACHE 7");
    statements.add("CREATE SEQUENCE \"s 2\" MINVALUE -3 MAXVALUE 900");
    statements.add(
        "CREATE TYPE ty AS DECIMAL(7, 2) FINAL"
            + any(List.of("", " CAST (SOURCE AS DISTINCT) WITH to_ty"))
            + any(List.of("", " CAST (DISTINCT AS SOURCE) WITH of_ty")));
    statements.add("CREATE TABLE tys (a ty, b ty NOT NULL DEFAULT 3)");
    statements.add(
        "CREATE DOMAIN dm AS "
            + any(List.of("VARCHAR(7)", "DECIMAL(9, 2)", "TIMESTAMP(2)", "INTERVAL DAY TO HOUR"))
            + any(List.of("", " NOT NULL", " CONSTRAINT nn NOT NULL")));
    statements.add(
        "CREATE DOMAIN \"d m\" INTEGER"
            + any(List.of("", " DEFAULT 4", " DEFAULT 1 + 2"))
            + any(List.of("", " CHECK (value > 0)", " CONSTRAINT \"c c\" CHECK (VALUE <> 9)")));
    int tables = 3 + random.nextInt(3);
    for (int t = 0; t < tables; t++) {
      table(t);
    }
    for (int t = 0; t < tables; t++) {
      references("t" + t, "t" + random.nextInt(tables));
    }
    statements.add(
        "CREATE FUNCTION \"f 1\" (x DECIMAL(9, 2), y VARCHAR(7)) RETURNS VARCHAR(20) SPECIFIC sp"
            + any(List.of("", " DETERMINISTIC", " RETURNS NULL ON NULL INPUT"))
            + " RETURN CAST(x AS VARCHAR(9)) || y");
    statements.add(
        "CREATE FUNCTION af (x INTEGER) RETURNS INTEGER RETURN"
            + any(List.of(" x + 1", " (SELECT COUNT(*) FROM t0) + x")));
    statements.add("CREATE VIEW vf AS SELECT af(1) AS a, \"f 1\"(2, 'c') AS b FROM t1");
    statements.add(
        "CREATE PROCEDURE pr (IN x INTEGER, OUT y DECIMAL(9, 2))"
            + any(List.of(" SET y = x", " BEGIN ATOMIC SET y = af(x); DELETE FROM t0; END")));
    statements.add("CREATE FUNCTION aa () RETURNS INTEGER RETURN (SELECT MAX(a) FROM vf)");
    views(tables);
    for (int i = 0; i < 4; i++) {
      comment(tables);
    }
    statements.add("CREATE ROLE r1");
    statements.add("CREATE ROLE \"r 2\"");
    statements.add("GRANT EXECUTE ON FUNCTION af TO r1" + any(List.of("", " WITH GRANT OPTION")));
    statements.add(
        "GRANT USAGE ON DOMAIN \"d m\" TO " + any(List.of("PUBLIC", "\"r 2\" WITH GRANT OPTION")));
    statements.add("GRANT \"r 2\" TO r1" + any(List.of("", " WITH ADMIN OPTION")));
    for (int i = 0; i < 6; i++) {
      grant(tables);
    }
  }

  private void table(int t) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "id INTEGER" + any(List.of("", " NOT NULL", " DEFAULT 3", " DEFAULT NEXT VALUE FOR s1")));
    lines.add(
        "n BIGINT GENERATED "
            + any(List.of("ALWAYS", "BY DEFAULT"))
            + " AS IDENTITY"
            + any(List.of("", " (START WITH 4 INCREMENT BY 3)", " (CYCLE MAXVALUE 50)")));
    lines.add(
        "\"a b\" "
            + any(List.of("VARCHAR(9)", "CHAR(4)", "VARCHAR"))
            + any(List.of("", " DEFAULT ''';-'", " NOT NULL")));
    lines.add(
        "d "
            + any(List.of("DECIMAL(7, 2)", "DECIMAL(30, 5)", "DOUBLE", "REAL", "TINYINT"))
            + any(List.of("", " DEFAULT 1 + 2")));
    lines.add(
        "w "
            + any(
                List.of(
                    "TIMESTAMP(3)",
                    "TIMESTAMP WITH TIME ZONE",
                    "DATE",
                    "TIME(2)",
                    "UUID",
                    "BOOLEAN",
                    "VARBINARY(5)",
                    "CLOB",
                    "BLOB",
                    "SMALLINT")));
    lines.add("m dm, o \"d m\"" + any(List.of("", " DEFAULT 7", " NOT NULL")));
    lines.add("x INTEGER, y INTEGER DEFAULT 0");
    lines.add(
        "g "
            + any(
                List.of(
                    "INTEGER AS (x + /* why */ y)",
                    "VARCHAR(30) GENERATED ALWAYS AS" + " (\"a b\" || '-' || x) STORED",
                    "BIGINT NOT NULL AS (COALESCE(x, 0) * 2)")));
    lines.add("CONSTRAINT k" + t + (sometimes() ? " PRIMARY KEY (x, y)" : " UNIQUE (y, x)"));
    lines.add("UNIQUE (id)");
    String deferral = any(List.of("", " DEFERRABLE", " INITIALLY DEFERRED"));
    lines.add("UNIQUE (id, x)" + deferral);
    if (sometimes()) {
      lines.add("CHECK (x > 0 OR \"a b\" = ')' -- a comment\n)" + deferral);
    }
    if (sometimes()) {
      lines.add("CONSTRAINT \"c " + t + "\" CHECK (g IS NOT NULL AND (y <> 7))");
    }
    statements.add("CREATE TABLE t" + t + " (" + String.join(", ", lines) + ")");
    if (sometimes()) {
      statements.add("CREATE UNIQUE INDEX i" + t + " ON t" + t + " (x DESC, \"a b\")");
    }
    if (sometimes()) {
      statements.add("CREATE INDEX j" + t + " ON t" + t + " USING HASH (g)");
    }
  }

  private void references(String table, String parent) {
    String rules =
        sometimes()
            ? " MATCH FULL ON DELETE CASCADE"
            : any(List.of("", " ON DELETE CASCADE", " ON DELETE SET NULL ON UPDATE CASCADE"))
                + any(List.of("", " DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED"));
    statements.add(
        "ALTER TABLE "
            + table
            + " ADD "
            + (sometimes() ? "CONSTRAINT f_" + table + " " : "")
            + any(
                List.of(
                    "FOREIGN KEY (x, y) REFERENCES " + parent + " (x, y)",
                    "FOREIGN KEY (y, x) REFERENCES " + parent + " (y, x)",
                    "FOREIGN KEY (y) REFERENCES " + parent + " (id)"))
            + (parent.equals(table) ? "" : rules));
  }

  /** Names that do not follow the order in which they can be made. */
  private void views(int tables) {
    String below = "t" + random.nextInt(tables);
    boolean plain = true;
    for (String view : List.of("v9", "v5", "\"v 7\"", "v1")) {
      int kind = random.nextInt(3);
      statements.add(
          switch (kind) {
            case 0 ->
                "CREATE VIEW "
                    + view
                    + " AS SELECT * FROM "
                    + below
                    + " WHERE x > 3"
                    + (plain
                        ? any(List.of("", " WITH CHECK OPTION", " WITH LOCAL CHECK OPTION"))
                        : "");
            case 1 ->
                "CREATE VIEW "
                    + view
                    + " AS SELECT u.*, u.x + 1 AS \"more "
                    + view.replace("\"", "")
                    + "\" FROM "
                    + below
                    + " AS u";
            default ->
                "CREATE VIEW "
                    + view
                    + " AS WITH q AS (SELECT * FROM "
                    + below
                    + ") SELECT x, y FROM q UNION SELECT y, x FROM t0 ORDER BY 1";
          });
      below = view;
      plain &= kind == 0;
    }
  }

  private void grant(int tables) {
    statements.add(
        "GRANT "
            + any(List.of("ALL", "SELECT", "UPDATE (x)", "SELECT (x), DELETE", "INSERT (x, x)"))
            + " ON "
            + any(List.of("t" + random.nextInt(tables), "v5", "v9"))
            + " TO "
            + any(List.of("PUBLIC", "r1", "\"r 2\"", "r1, PUBLIC"))
            + any(List.of("", " WITH GRANT OPTION")));
  }

  private void comment(int tables) {
    String table = "t" + random.nextInt(tables);
    statements.add(
        any(
            List.of(
                "COMMENT ON TABLE " + table + " IS 'it''s a table; -- yes'",
                "COMMENT ON COLUMN " + table + ".\"a b\" IS 'two\nlines'",
                "COMMENT ON VIEW v9 IS 'of all'",
                "COMMENT ON COLUMN v5.x IS 'an x'")));
  }
}
