package io.gpdb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.CopyFormat;
import io.gpdb.sql.statement.InsertSource;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.statement.ParameterDef.Use;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.txn.api.IsolationLevel;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementTest {
  private static <T extends Analyzed> T analyze(Class<T> kind, String sql) {
    return kind.cast(SampleCatalog.analyze(sql));
  }

  private static String plan(RelNode tree) {
    return RelOptUtil.toString(tree).replace("\r", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT value, year, name, result, date, count FROM (SELECT 1 AS value, 2 AS year, 3 AS"
            + " name, 4 AS result, 5 AS date, 6 AS count) AS x",
        "SELECT date, delay FROM flights WHERE date > TIMESTAMP '2001-01-15 00:00:00'",
        "SELECT origin, count(*) c FROM flights GROUP BY origin ORDER BY c DESC LIMIT 5",
        "SELECT id FROM t WHERE a IN (1, 2, 3) AND b BETWEEN 1 AND 5 AND name LIKE 'a%'",
        "SELECT t.id FROM t JOIN u USING (id) ORDER BY t.a",
        "SELECT name FROM t WHERE a = (SELECT max(b) FROM t t2 WHERE t2.id = t.id)",
        "SELECT id, row_number() OVER (PARTITION BY a ORDER BY b) FROM t",
        "WITH RECURSIVE r (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 5)"
            + " SELECT * FROM r",
        "SELECT id FROM t UNION SELECT id FROM u EXCEPT SELECT 1",
        "SELECT a::varchar, CAST(1.5 AS TEXT) FROM t",
        "SELECT * FROM information_schema.columns",
        "SELECT * FROM t NATURAL JOIN u",
        "SELECT count(*), sum(DISTINCT a) FILTER (WHERE b > 1) FROM t GROUP BY ROLLUP (name)",
        "TABLE t",
        "VALUES (1, 'a'), (2, 'b')"
      })
  void queriesAreAnalysed(String sql) {
    Analyzed.Query query = analyze(Analyzed.Query.class, sql);
    assertThat(query.output()).isNotEmpty();
    assertThat(plan(query.root().rel)).doesNotContain("$SCALAR_QUERY").doesNotContain("EXISTS(");
  }

  @Test
  void outputColumnsHaveNamesTypesAndTables() {
    assertThat(
            analyze(Analyzed.Query.class, "SELECT id, price * 2 AS double_price FROM t").output())
        .containsExactly(
            new OutputColumn("ID", SqlTypeSpec.INTEGER, false, "PUBLIC", "T", "ID", true, false),
            new OutputColumn("DOUBLE_PRICE", SqlTypeSpec.decimal(18, 2), true));
  }

  @Test
  void typesOfAggregatesAreAsDocumented() {
    List<OutputColumn> output =
        analyze(
                Analyzed.Query.class,
                "SELECT sum(a), avg(a), sum(price), avg(price), stddev(a), count(*) FROM t")
            .output();
    assertThat(output)
        .extracting(OutputColumn::type)
        .containsExactly(
            SqlTypeSpec.BIGINT,
            SqlTypeSpec.decimal(16, 6),
            SqlTypeSpec.decimal(18, 2),
            SqlTypeSpec.decimal(18, 5),
            SqlTypeSpec.DOUBLE,
            SqlTypeSpec.BIGINT);
  }

  @Test
  void updateReadsTheRowIdAndOnlyItsValues() {
    Analyzed.Update update =
        analyze(
            Analyzed.Update.class,
            "UPDATE flights SET delay = delay - 15 WHERE origin = 'ORD' AND delay > 15");
    assertThat(update.setColumns()).containsExactly(1);
    assertThat(plan(update.source().rel))
        .isEqualTo(
            """
            LogicalProject(_ROWID=[$5], $S0=[-($1, 15)])
              LogicalFilter(condition=[AND(=($3, _UTF-8'ORD'), >($1, 15))])
                LogicalTableScan(table=[[$ROWS, FLIGHTS]])
            """);
  }

  @Test
  void updateTakesParametersDefaultsAndCorrelatedQueries() {
    Analyzed.Update update =
        analyze(
            Analyzed.Update.class,
            "UPDATE t x SET a = ?, name = ?, price = DEFAULT,"
                + " b = (SELECT max(u.t_id) FROM u WHERE u.t_id = x.id) WHERE x.id = ?");
    assertThat(update.params())
        .containsExactly(
            new ParameterDef(SqlTypeSpec.INTEGER),
            new ParameterDef(SqlTypeSpec.VARCHAR),
            new ParameterDef(SqlTypeSpec.INTEGER, true, Use.COMPARED));
    assertThat(update.source().rel.getRowType().getFieldNames())
        .containsExactly("_ROWID", "$S0", "$S1", "$S2", "$S3");
  }

  @Test
  void deleteReadsTheRowIdAlone() {
    Analyzed.Delete delete =
        analyze(Analyzed.Delete.class, "DELETE FROM t WHERE id IN (SELECT t_id FROM u)");
    assertThat(delete.source().rel.getRowType().getFieldNames()).containsExactly("_ROWID");
  }

  @Test
  void rowIdsAreHiddenFromQueries() {
    assertThat(analyze(Analyzed.Query.class, "SELECT * FROM u").output()).hasSize(3);
  }

  @Test
  void insertValuesBecomeExpressionsWithDefaults() {
    Analyzed.Insert insert =
        analyze(
            Analyzed.Insert.class,
            "INSERT INTO t (id, name) VALUES (?, ?), (1 + 1, 'x' || 'y'), (DEFAULT, ?)");
    assertThat(insert.columns()).containsExactly(0, 3, 4, 5);
    assertThat(insert.params())
        .containsExactly(
            new ParameterDef(SqlTypeSpec.INTEGER),
            new ParameterDef(SqlTypeSpec.VARCHAR),
            new ParameterDef(SqlTypeSpec.VARCHAR));
    List<List<RexNode>> rows = ((InsertSource.Rows) insert.source()).rows();
    assertThat(rows).hasSize(3);
    assertThat(rows.getFirst().toString())
        .isEqualTo("[?0, ?1, 1.50:DECIMAL(3, 2), CURRENT_TIMESTAMP]");
    assertThat(rows.get(1).get(0).toString()).isEqualTo("+(1, 1)");
  }

  @Test
  void insertKeepsWhatTheSinkMustCheck() {
    Analyzed.Insert insert =
        analyze(
            Analyzed.Insert.class,
            "INSERT INTO t VALUES (99999999999, 2, 3, 'a name that is longer than twenty', 1.239,"
                + " '2001-01-01 10:00:00')");
    List<RexNode> row = ((InsertSource.Rows) insert.source()).rows().getFirst();
    assertThat(row.get(0).toString()).startsWith("99999999999");
    assertThat(row.get(3).toString()).contains("longer than twenty");
    assertThat(row.get(4).toString()).startsWith("1.239");
    assertThat(row.get(5).toString()).isEqualTo("2001-01-01 10:00:00:TIMESTAMP(6)");
  }

  @Test
  void insertQueriesAndSubqueriesAreTrees() {
    Analyzed.Insert select =
        analyze(Analyzed.Insert.class, "INSERT INTO u (id, t_id) SELECT id, a FROM t");
    assertThat(select.source()).isInstanceOf(InsertSource.Select.class);
    Analyzed.Insert scalar =
        analyze(
            Analyzed.Insert.class, "INSERT INTO u (id, t_id) VALUES ((SELECT max(id) FROM t), ?)");
    assertThat(scalar.source()).isInstanceOf(InsertSource.Select.class);
    assertThat(scalar.params()).containsExactly(new ParameterDef(SqlTypeSpec.INTEGER));
  }

  @Test
  void parametersWithoutATypeAreGuessedAndMarked() {
    assertThat(analyze(Analyzed.Query.class, "SELECT ?").params())
        .containsExactly(new ParameterDef(SqlTypeSpec.VARCHAR, false, Use.STORED));
    assertThat(analyze(Analyzed.Query.class, "SELECT ? + ?").params())
        .containsOnly(new ParameterDef(SqlTypeSpec.DOUBLE, false, Use.STORED));
    assertThat(analyze(Analyzed.Query.class, "SELECT COALESCE(?, 1), ? || 'x'").params())
        .containsExactly(
            new ParameterDef(SqlTypeSpec.BIGINT, false, Use.STORED),
            new ParameterDef(SqlTypeSpec.VARCHAR, false, Use.STORED));
    assertThat(analyze(Analyzed.Query.class, "SELECT * FROM t WHERE ? IS NULL OR a = ?").params())
        .containsExactly(
            new ParameterDef(SqlTypeSpec.VARCHAR, false, Use.COMPUTED),
            new ParameterDef(SqlTypeSpec.INTEGER, true, Use.COMPARED));
  }

  @Test
  void typesOfBoundValuesDecide() {
    SqlFrontEnd frontEnd = new SqlFrontEnd();
    Analyzed.Query query =
        (Analyzed.Query)
            frontEnd.analyze(
                "SELECT ? + 1 FROM t WHERE price > ?",
                SampleCatalog.SNAPSHOT,
                List.of(SqlTypeSpec.DOUBLE, SqlTypeSpec.BIGINT));
    assertThat(query.output().getFirst().type()).isEqualTo(SqlTypeSpec.DOUBLE);
    assertThat(query.params())
        .containsExactly(
            new ParameterDef(SqlTypeSpec.DOUBLE, true, Use.COMPUTED),
            new ParameterDef(SqlTypeSpec.BIGINT, true, Use.COMPUTED));
  }

  @Test
  void literalsOfTimesAreFolded() {
    Analyzed.Query query =
        analyze(Analyzed.Query.class, "SELECT delay FROM flights WHERE date > '2001-01-15'");
    assertThat(plan(query.root().rel)).contains(">($0, 2001-01-15 00:00:00)");
  }

  @Test
  void controlStatementsAreRecognised() {
    assertThat(SampleCatalog.analyze("begin;")).isEqualTo(new Analyzed.Begin(null, null));
    assertThat(SampleCatalog.analyze("BEGIN WORK")).isEqualTo(new Analyzed.Begin(null, null));
    assertThat(SampleCatalog.analyze("START TRANSACTION"))
        .isEqualTo(new Analyzed.Begin(null, null));
    assertThat(SampleCatalog.analyze("BEGIN ISOLATION LEVEL SERIALIZABLE"))
        .isEqualTo(new Analyzed.Begin(IsolationLevel.SERIALIZABLE, null));
    assertThat(SampleCatalog.analyze("START TRANSACTION ISOLATION LEVEL READ COMMITTED"))
        .isEqualTo(new Analyzed.Begin(IsolationLevel.READ_COMMITTED, null));
    assertThat(SampleCatalog.analyze("SET TRANSACTION ISOLATION LEVEL snapshot"))
        .isEqualTo(new Analyzed.SetTransaction(IsolationLevel.SNAPSHOT, null, false));
    assertThat(SampleCatalog.analyze("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"))
        .isEqualTo(new Analyzed.SetTransaction(IsolationLevel.READ_COMMITTED, null, false));
    assertThat(
            SampleCatalog.analyze(
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        .isEqualTo(new Analyzed.SetTransaction(IsolationLevel.SNAPSHOT, null, true));
    assertThat(SampleCatalog.analyze("SET transaction = 1"))
        .isEqualTo(new Analyzed.SetOption("TRANSACTION", "1"));
    assertThat(SampleCatalog.analyze("SET TRANSACTION READ ONLY, DIAGNOSTICS SIZE 5"))
        .isEqualTo(new Analyzed.SetTransaction(null, true, false));
    assertThatThrownBy(() -> SampleCatalog.analyze("BEGIN READ ONLY READ WRITE"))
        .hasMessageContaining("READ ONLY or READ WRITE is said twice");
    assertThatThrownBy(() -> SampleCatalog.analyze("SET TRANSACTION ISOLATION LEVEL chaos"))
        .hasMessageContaining("not an isolation level");
    assertThat(SampleCatalog.analyze("COMMIT WORK")).isEqualTo(new Analyzed.Commit(false));
    assertThat(SampleCatalog.analyze("rollback")).isEqualTo(new Analyzed.Rollback(false));
    assertThat(SampleCatalog.analyze("SAVEPOINT a")).isEqualTo(new Analyzed.Savepoint("A"));
    assertThat(SampleCatalog.analyze("ROLLBACK TO SAVEPOINT a"))
        .isEqualTo(new Analyzed.RollbackTo("A"));
    assertThat(SampleCatalog.analyze("ROLLBACK TO \"b\"")).isEqualTo(new Analyzed.RollbackTo("b"));
    assertThat(SampleCatalog.analyze("RELEASE SAVEPOINT a")).isEqualTo(new Analyzed.Release("A"));
    assertThat(SampleCatalog.analyze("CHECKPOINT")).isEqualTo(new Analyzed.Checkpoint());
    assertThat(SampleCatalog.analyze("SET persistency = cap-fs"))
        .isEqualTo(new Analyzed.SetOption("PERSISTENCY", "CAP-FS"));
    assertThat(SampleCatalog.analyze("SET x TO 'abc'"))
        .isEqualTo(new Analyzed.SetOption("X", "abc"));
    assertThat(SampleCatalog.analyze("SET x = DEFAULT"))
        .isEqualTo(new Analyzed.SetOption("X", null));
    assertThat(SampleCatalog.analyze("SHOW ALL")).isEqualTo(new Analyzed.Show("ALL"));
  }

  @Test
  void explainWrapsAnyOtherStatement() {
    assertThat(analyze(Analyzed.Explain.class, "EXPLAIN SELECT 1").kind())
        .isEqualTo(Analyzed.ExplainKind.PLAN);
    assertThat(analyze(Analyzed.Explain.class, "EXPLAIN PLAN FOR DELETE FROM t").inner())
        .isInstanceOf(Analyzed.Delete.class);
    Analyzed.Explain kernel =
        analyze(Analyzed.Explain.class, "EXPLAIN KERNEL UPDATE t SET a = ? WHERE id = 1");
    assertThat(kernel.kind()).isEqualTo(Analyzed.ExplainKind.KERNEL);
    assertThat(kernel.params()).hasSize(1);
    assertThat(
            analyze(Analyzed.Explain.class, "EXPLAIN ANALYZE INSERT INTO u DEFAULT VALUES").kind())
        .isEqualTo(Analyzed.ExplainKind.ANALYZE);
  }

  @Test
  void copyHasAFileAndAFormat() {
    Analyzed.CopyFrom from =
        analyze(
            Analyzed.CopyFrom.class,
            "COPY flights FROM '/x/y.csv.gz' (FORMAT CSV, HEADER, DELIMITER ';', NULL 'NA')");
    assertThat(from.file()).isEqualTo("/x/y.csv.gz");
    assertThat(from.format()).isEqualTo(new CopyFormat(true, ';', '"', "NA", false));
    assertThat(from.columns()).hasSize(5);
    assertThat(
            analyze(Analyzed.CopyTo.class, "COPY flights (delay, origin) TO 'x.csv' (HEADER false)")
                .query()
                .output())
        .hasSize(2);
    assertThat(analyze(Analyzed.CopyTo.class, "COPY (SELECT 1 AS one) TO 'x.csv'").file())
        .isEqualTo("x.csv");
  }

  @Test
  void scriptsAreSplitOutsideOfQuotesAndComments() {
    assertThat(
            SqlFrontEnd.splitStatements(
                "SELECT ';'; -- no; end\nSELECT \"a;b\" /* ; */ ;;  INSERT 'it''s;'\n; -- tail"))
        .containsExactly("SELECT ';'", "-- no; end\nSELECT \"a;b\" /* ; */", "INSERT 'it''s;'");
  }

  @Test
  void blocksOfStatementsAreNotSplit() {
    String block =
        "CREATE PROCEDURE p() begin /* ; */ atomic SET a = CASE 1 WHEN 1 THEN 2 END; END";
    assertThat(SqlFrontEnd.splitStatements(block + "; BEGIN; SELECT 1 AS atomic; END;"))
        .containsExactly(block, "BEGIN", "SELECT 1 AS atomic", "END");
  }
}
