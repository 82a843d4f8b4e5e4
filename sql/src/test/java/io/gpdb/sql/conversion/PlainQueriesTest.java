package io.gpdb.sql.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.change.ChangeScope;
import io.gpdb.sql.change.RowChangeAnalysis;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.StatementNode;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.RelShuttle;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is analysed as a plain query is analysed to the same tree, types, columns and parameters as
 * through Calcite's validator and converter, which do not refuse it: over generated queries ({@code
 * -Dgpdb.seed=S} replays them, {@code -Dgpdb.fuzz=N} makes N times as many) and over scripts.
 */
class PlainQueriesTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int GENERATED = 500 * Integer.getInteger("gpdb.fuzz", 1);
  private static final Path SCRIPTS = Path.of("../jdbc/src/test/resources/slt/sqlite");

  /** One in {@code PARTS} queries of a script is compared. */
  private static final int PARTS = Integer.getInteger("gpdb.fuzz", 1) > 1 ? 1 : 12;

  private static CatalogSnapshot catalog(List<String> creates) {
    List<TableDef> tables = new ArrayList<>();
    for (String sql : creates) {
      Analyzed.CreateTable create =
          (Analyzed.CreateTable) new SqlFrontEnd().analyze(sql, CatalogSnapshot.EMPTY, null);
      tables.add(create.def().withTableId(16 + tables.size()));
    }
    return new CatalogSnapshot(1, tables);
  }

  /** Parsed as {@code StatementAnalysis} does, ready to be converted. */
  private static SqlNode parsed(String sql, CatalogSnapshot catalog, ParameterGuesses guesses)
      throws SqlParseException {
    SqlText text = new SqlText(sql);
    SqlNode node = SequenceCalls.resolved(text.statement(), catalog);
    guesses.wrap(node);
    ResultNames.nameExpressions(node, text);
    return node;
  }

  /** How a plain query differs from what Calcite makes of it; null where it is not plain. */
  private static @Nullable String difference(String sql, CatalogSnapshot catalog)
      throws SqlParseException {
    ParameterGuesses guesses = new ParameterGuesses(SqlTypeSpec.VARCHAR);
    Analyzed.Query plain =
        PlainConversion.of(parsed(sql, catalog, guesses), catalog, List.of(), guesses);
    if (plain == null) {
      return null;
    }
    QueryConversion.Converted full;
    try {
      full =
          new QueryConversion(catalog, null, List.of(), guesses)
              .query(parsed(sql, catalog, guesses));
    } catch (RuntimeException e) {
      return "plain, but " + e.getMessage();
    }
    String a = described(plain.root(), plain.output(), plain.params());
    String b = described(full.root(), full.output(), full.parameters());
    return a.equals(b) ? "" : "plain:\n" + a + "\nconverted:\n" + b;
  }

  /** The query of an UPDATE or DELETE, ready to be converted. */
  private static SqlNode rows(String sql, CatalogSnapshot catalog, ParameterGuesses guesses)
      throws SqlParseException {
    ParsedStatement change = ((StatementNode) new SqlText(sql).statement()).statement();
    SqlNode[] rows = {null};
    RowChangeAnalysis analysis =
        new RowChangeAnalysis(
            new ChangeScope(
                catalog,
                query -> {
                  rows[0] = SequenceCalls.resolved(query, catalog);
                  guesses.wrap(rows[0]);
                  throw new IllegalStateException("seen");
                },
                () -> new QueryConversion(catalog, null, List.of(), guesses)));
    try {
      var _ =
          change instanceof ParsedStatement.Update update
              ? analysis.update(update)
              : analysis.delete((ParsedStatement.Delete) change);
    } catch (IllegalStateException seen) {
      return rows[0];
    }
    throw new AssertionError(sql);
  }

  /** As {@link #difference}, of UPDATE and DELETE. */
  private static @Nullable String differenceOfChange(String sql, CatalogSnapshot catalog)
      throws SqlParseException {
    ParameterGuesses guesses = new ParameterGuesses(SqlTypeSpec.VARCHAR);
    QueryConversion.Converted plain =
        PlainConversion.ofChange(
            rows(sql, catalog, guesses), catalog, CompletedTree.newCluster(), List.of(), guesses);
    if (plain == null) {
      return null;
    }
    QueryConversion.Converted full;
    try {
      full =
          new QueryConversion(catalog, null, List.of(), guesses).query(rows(sql, catalog, guesses));
    } catch (RuntimeException e) {
      return "plain, but " + e.getMessage();
    }
    String a = described(plain);
    String b = described(full);
    return a.equals(b) ? "" : "plain:\n" + a + "\nconverted:\n" + b;
  }

  /** A parameter that is cast to the type that it has. */
  private static final RexShuttle UNCAST =
      new RexShuttle() {
        @Override
        public RexNode visitCall(RexCall call) {
          return call.getKind() == SqlKind.CAST
                  && call.getOperands().getFirst() instanceof RexDynamicParam parameter
                  && parameter.getType().equals(call.getType())
              ? parameter
              : super.visitCall(call);
        }
      };

  private static final RelShuttle UNCAST_EVERYWHERE =
      new RelHomogeneousShuttle() {
        @Override
        public RelNode visit(RelNode node) {
          return super.visit(node).accept(UNCAST);
        }
      };

  private static String described(QueryConversion.Converted change) {
    StringBuilder text = new StringBuilder();
    describe(change.root().project().accept(UNCAST_EVERYWHERE), text);
    return text.append(change.parameters()).toString().replaceAll("\\$cor\\d+", "\\$cor");
  }

  private static String described(
      RelRoot root, List<OutputColumn> columns, List<ParameterDef> parameters) {
    StringBuilder text = new StringBuilder();
    describe(root.rel.accept(UNCAST_EVERYWHERE), text);
    text.append(root.validatedRowType.getFullTypeString())
        .append(root.fields)
        .append(root.collation)
        .append(root.kind)
        .append(columns)
        .append(parameters);
    return text.toString().replaceAll("\\$cor\\d+", "\\$cor");
  }

  private static void describe(RelNode tree, StringBuilder text) {
    text.append(RelOptUtil.toString(tree, SqlExplainLevel.EXPPLAN_ATTRIBUTES));
    describeTypes(tree, text);
  }

  private static void describeTypes(RelNode node, StringBuilder text) {
    text.append(node.getRowType().getFullTypeString()).append('\n');
    node.accept(new Types(text));
    node.getInputs().forEach(input -> describeTypes(input, text));
  }

  private static final class Types extends RexShuttle {
    private final StringBuilder text;

    Types(StringBuilder text) {
      this.text = text;
    }

    private RexNode noted(RexNode node) {
      text.append(node).append(": ").append(node.getType().getFullTypeString()).append('\n');
      return node;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      noted(call);
      return super.visitCall(call);
    }

    @Override
    public RexNode visitLiteral(RexLiteral literal) {
      return noted(literal);
    }

    @Override
    public RexNode visitInputRef(RexInputRef field) {
      return noted(field);
    }

    @Override
    public RexNode visitDynamicParam(RexDynamicParam parameter) {
      return noted(parameter);
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess field) {
      return noted(field);
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      describe(query.rel, text);
      return noted(query);
    }
  }

  @Test
  void generatedQueriesAreConvertedToTheSame() throws SqlParseException {
    CatalogSnapshot catalog = catalog(RandomPlainQuery.TABLES);
    int plain = 0;
    int derived = 0;
    int ranked = 0;
    int summed = 0;
    for (int i = 0; i < GENERATED; i++) {
      String sql = new RandomPlainQuery(new Random(SEED + i)).query();
      String difference = difference(sql, catalog);
      assertThat(difference).as("-Dgpdb.seed=%d: %s", SEED + i, sql).isIn(null, "");
      if (difference != null) {
        plain++;
        derived += sql.contains("FROM (") ? 1 : 0;
        ranked += sql.contains(") OVER (") ? 1 : 0;
        summed += RandomPlainQuery.hasAggregateOver(sql) ? 1 : 0;
      }
    }
    assertThat(plain).isGreaterThan(GENERATED / 10);
    assertThat(derived).isGreaterThan(GENERATED / 500);
    assertThat(ranked).isGreaterThan(GENERATED / 100);
    assertThat(summed).isGreaterThan(GENERATED / 200);
  }

  @Test
  void namesOfFunctionsAreNoColumnsWithoutQuotes() throws SqlParseException {
    List<String> functions =
        GpOperatorTable.INSTANCE.getOperatorList().stream()
            .filter(operator -> operator.getSyntax() == SqlSyntax.FUNCTION_ID)
            .map(SqlOperator::getName)
            .toList();
    for (String name : functions) {
      CatalogSnapshot catalog =
          catalog(List.of("CREATE TABLE t (a INTEGER, \"" + name + "\" INTEGER)"));
      for (String sql :
          List.of(
              "SELECT %s FROM t",
              "SELECT t.\"%s\" FROM t",
              "SELECT a FROM t WHERE \"%s\" = 7",
              "SELECT a FROM t ORDER BY %s",
              "SELECT COUNT(*) FROM t GROUP BY %s")) {
        assertThat(difference(String.format(sql, name), catalog)).as(sql, name).isIn(null, "");
      }
      String change = String.format("UPDATE t SET a = %s", name);
      assertThat(differenceOfChange(change, catalog)).as(change).isIn(null, "");
    }
  }

  @Test
  void generatedChangesAreConvertedToTheSame() throws SqlParseException {
    CatalogSnapshot catalog = catalog(RandomPlainQuery.TABLES);
    int plain = 0;
    for (int i = 0; i < GENERATED; i++) {
      String sql = new RandomPlainQuery(new Random(SEED + i)).change();
      String difference = differenceOfChange(sql, catalog);
      assertThat(difference).as("-Dgpdb.seed=%d: %s", SEED + i, sql).isIn(null, "");
      plain += difference == null ? 0 : 1;
    }
    assertThat(plain).isGreaterThan(GENERATED / 8);
  }

  @Test
  void queriesOfScriptsAreConvertedToTheSame() throws IOException, SqlParseException {
    int plain = 0;
    for (String script : List.of("select1", "select3", "random_select_125")) {
      List<String> creates = new ArrayList<>();
      List<String> queries = new ArrayList<>();
      for (String sql : statements(SCRIPTS.resolve(script + ".test.gz"))) {
        if (sql.startsWith("CREATE TABLE")) {
          creates.add(sql);
        } else if (sql.startsWith("SELECT")) {
          queries.add(sql);
        }
      }
      CatalogSnapshot catalog = catalog(creates);
      for (int i = Math.floorMod(SEED, PARTS); i < queries.size(); i += PARTS) {
        String difference = difference(queries.get(i), catalog);
        assertThat(difference).as("%s: %s", script, queries.get(i)).isIn(null, "");
        plain += difference == null ? 0 : 1;
      }
    }
    assertThat(plain).isGreaterThan(100);
  }

  /** The texts of a script's records. */
  private static List<String> statements(Path script) throws IOException {
    List<String> all = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    boolean inText = false;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(script)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        boolean ends = line.isBlank() || line.equals("----");
        if (inText && !ends) {
          text.append(line).append('\n');
        } else if (inText) {
          all.add(text.toString());
          text.setLength(0);
        }
        inText = inText ? !ends : line.startsWith("query") || line.startsWith("statement");
      }
    }
    return all;
  }
}
