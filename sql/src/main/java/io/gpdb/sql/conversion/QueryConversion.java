package io.gpdb.sql.conversion;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.OwnNodes;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.tree.BoundSubQueries;
import io.gpdb.sql.tree.DistinctTypes;
import io.gpdb.sql.tree.FetchedRows;
import io.gpdb.sql.tree.ValueType;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ColumnNames;
import io.gpdb.sql.validation.ExactParameters;
import io.gpdb.sql.validation.GpValidator;
import io.gpdb.sql.validation.ListsInWindows;
import io.gpdb.sql.validation.MixedIntervals;
import io.gpdb.sql.validation.OuterAggregates;
import io.gpdb.sql.validation.OuterReferences;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.sql.validation.RecursiveTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Validates the queries and expressions of one statement and turns them into relational trees
 * without subqueries in expressions. Used by one thread, for one statement.
 */
public final class QueryConversion {
  /** Schema, table and column. */
  private static final int ORIGIN_PARTS = 3;

  /** What Calcite takes a parameter for whose place would take any type. */
  private static final SqlTypeSpec CALCITES_GUESS = SqlTypeSpec.varchar(1024);

  private final CatalogSnapshot catalog;
  private final RelOptCluster cluster;
  private final @Nullable List<SqlTypeSpec> boundTypes;
  private final List<ParameterFit> fits;
  private final ParameterGuesses guesses;
  private @Nullable CalciteConversion calcite;

  /**
   * For values of those types, where {@code fits} says how they fit the parameters; it is empty
   * where all types can represent them.
   */
  public QueryConversion(
      CatalogSnapshot catalog,
      @Nullable List<SqlTypeSpec> boundTypes,
      List<ParameterFit> fits,
      ParameterGuesses guesses) {
    this.boundTypes = boundTypes;
    this.fits = fits;
    this.guesses = guesses;
    this.catalog = catalog;
    cluster = CompletedTree.newCluster();
  }

  private CalciteConversion calcite() {
    CalciteConversion known = calcite;
    if (known == null) {
      known = new CalciteConversion(catalog.reader(), boundTypes, guesses, cluster);
      calcite = known;
    }
    return known;
  }

  public CatalogSnapshot catalog() {
    return catalog;
  }

  public GpValidator validator() {
    return calcite().validator();
  }

  public RelOptCluster cluster() {
    return cluster;
  }

  public RexBuilder rexBuilder() {
    return cluster.getRexBuilder();
  }

  /**
   * A validated query; its root has no subqueries in expressions and is decorrelated.
   *
   * @param types whether its columns are of distinct types; empty where there are no such types
   * @param numbered its parameters, by their index in the statement
   */
  public record Converted(
      RelRoot root,
      List<OutputColumn> output,
      List<ValueType> types,
      SortedMap<Integer, ParameterDef> numbered) {

    /** The parameters of the statement, all of which are the query's. */
    public List<ParameterDef> parameters() {
      return allOf(numbered);
    }
  }

  /** The parameters of a statement in the order of their question marks. */
  public static List<ParameterDef> allOf(Map<Integer, ParameterDef> numbered) {
    List<ParameterDef> all = new ArrayList<>();
    for (int i = 0; i < numbered.size(); i++) {
      ParameterDef parameter = numbered.get(i);
      if (parameter == null) {
        throw new GpdbException(ErrorCode.INTERNAL, "parameter " + (i + 1) + " is not numbered");
      }
      all.add(parameter);
    }
    return all;
  }

  /**
   * The query, which is changed in place; validated again with marks where a subquery turns out to
   * have aggregates of an enclosing query.
   */
  private SqlNode validated(SqlNode query) {
    SqlNode kept = OuterAggregates.mayBeIn(query) ? OwnNodes.copy(query) : null;
    GpValidator validator = validator();
    try {
      validator.withColumnNames(ColumnNames.in(query, catalog));
      validator.withRecursive(RecursiveTypes.of(query, this::attempt));
      return validator.validate(query);
    } catch (GpdbException e) {
      SqlNode marked = kept == null ? null : validator.outerAggregates().marked(kept);
      if (marked == null) {
        throw e;
      }
      calcite = null;
      return validated(marked);
    }
  }

  public Converted query(SqlNode query) {
    SqlNode validated = validated(query);
    MixedIntervals.refuse(validator(), validated);
    Written written = written(validated);
    RelRoot root = written.root;
    CompletedTree completed = new CompletedTree(fits);
    RelNode tree = completed.of(root.rel, parametersBelow(validated));
    SortedMap<Integer, ParameterDef> parameters = parameters(validated, completed);
    return new Converted(root.withRel(tree), output(validated, root), written.types, parameters);
  }

  /** The rows of a change and what is computed of each; their columns have no names. */
  public Converted change(SqlNode query) {
    Converted plain =
        boundTypes == null
            ? PlainConversion.ofChange(query, catalog, cluster, fits, guesses)
            : null;
    return plain != null ? plain : query(query);
  }

  private GpValidator attempt(RecursiveTypes types) {
    ParameterGuesses again = new ParameterGuesses(guesses.unknown());
    return new GpValidator(calcite().reader(), boundTypes, again)
        .withColumnNames(validator().columnNames())
        .withOuterAggregates(validator().outerAggregates())
        .withRecursive(types);
  }

  /** A query as a tree in which nothing has been rewritten. The query is changed in place. */
  RelRoot asWritten(SqlNode query) {
    return written(validated(query)).root;
  }

  private Written written(SqlNode validated) {
    ListsInWindows.writeOut(validated, validator());
    boolean binds = OuterReferences.bind(validated, validator());
    RelRoot root = calcite().converter().convertQuery(validated, false, true);
    RelNode fetched = FetchedRows.in(root.rel);
    RelNode rows = binds ? BoundSubQueries.in(fetched) : fetched;
    if (!catalog.hasDistinctTypes()) {
      return new Written(root.withRel(rows), List.of());
    }
    List<ValueType> fields = DistinctTypes.of(rows, catalog);
    return new Written(
        root.withRel(DistinctTypes.unmarked(rows)),
        root.fields.stream().map(field -> fields.get(field.getKey())).toList());
  }

  /** A tree in which nothing has been rewritten, and the types of its columns. */
  private record Written(RelRoot root, List<ValueType> types) {
    ValueType first() {
      return types.isEmpty() ? ValueType.PLAIN : types.getFirst();
    }
  }

  private List<OutputColumn> output(SqlNode validated, RelRoot root) {
    RelDataType rowType = root.validatedRowType;
    List<List<String>> origins = validator().getFieldOrigins(validated);
    List<String> names = ResultNames.of(validated, rowType);
    boolean ofRow = RowsOfTable.are(validated, validator());
    List<OutputColumn> columns = new ArrayList<>();
    for (int i = 0; i < rowType.getFieldCount(); i++) {
      RelDataType type = rowType.getFieldList().get(i).getType();
      List<String> origin = i < origins.size() ? origins.get(i) : null;
      SqlTypeSpec spec = GpTypes.spec(type);
      if (origin == null || origin.size() < ORIGIN_PARTS) {
        columns.add(new OutputColumn(names.get(i), spec, type.isNullable()));
      } else {
        int last = origin.size() - 1;
        columns.add(
            new OutputColumn(
                names.get(i),
                spec,
                type.isNullable(),
                NameResolution.schemaOfRows(origin.get(last - 2)),
                origin.get(last - 1),
                origin.get(last),
                ofRow,
                isIdentity(origin)));
      }
    }
    return columns;
  }

  private boolean isIdentity(List<String> origin) {
    int last = origin.size() - 1;
    String schema = NameResolution.schemaOfRows(origin.get(last - 2));
    TableDef definition = catalog.table(new ObjectName(schema, origin.get(last - 1)));
    int index = definition == null ? -1 : definition.indexOf(origin.get(last));
    return definition != null && index >= 0 && definition.column(index).identity() != null;
  }

  /** Indexes of parameters are below this. */
  private static int parametersBelow(SqlNode validated) {
    int[] limit = {0};
    validated.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlDynamicParam parameter) {
            limit[0] = Math.max(limit[0], parameter.getIndex() + 1);
            return null;
          }
        });
    return limit[0];
  }

  private SortedMap<Integer, ParameterDef> parameters(SqlNode validated, CompletedTree completed) {
    SortedMap<Integer, ParameterDef> parameters = new TreeMap<>();
    Set<Integer> computed = ExactParameters.in(validated);
    validated.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlDynamicParam parameter) {
            int index = parameter.getIndex();
            SqlTypeSpec type = GpTypes.spec(validator().getValidatedNodeType(parameter));
            boolean certain = !validator().isGuessed(index) && !type.equals(CALCITES_GUESS);
            ParameterDef.Use use =
                !computed.contains(index)
                    ? ParameterDef.Use.STORED
                    : completed.isCompared(index)
                        ? ParameterDef.Use.COMPARED
                        : ParameterDef.Use.COMPUTED;
            parameters.put(index, new ParameterDef(type.unlimited(), certain, use));
            return null;
          }
        });
    return parameters;
  }

  /** A validated expression without columns. */
  public record ConvertedExpression(SqlNode validated, RexNode value, ValueType type) {}

  public ConvertedExpression expression(SqlNode expression) {
    if (NodeSearch.hasParameter(expression)) {
      return asQuery(expression);
    }
    SqlNode validated = validator().validateParameterizedExpression(expression, java.util.Map.of());
    RexNode value = calcite().converter().convertExpression(validated);
    return catalog.hasDistinctTypes()
        ? new ConvertedExpression(
            validated, DistinctTypes.unmarked(value), DistinctTypes.of(value, catalog))
        : new ConvertedExpression(validated, value, ValueType.PLAIN);
  }

  /** SELECT items FROM from WHERE where, of no place in the text. */
  public static SqlSelect select(
      SqlNodeList items, @Nullable SqlNode from, @Nullable SqlNode where) {
    return new SqlSelect(
        SqlParserPos.ZERO,
        null,
        items,
        from,
        where,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Calcite looks for the types of parameters in queries only. */
  private ConvertedExpression asQuery(SqlNode expression) {
    SqlNode query = select(SqlNodeList.of(expression), null, null);
    SqlNode validated = validator().validate(query);
    MixedIntervals.refuse(validator(), validated);
    Written written = written(validated);
    return switch (written.root.rel) {
      case Project project ->
          new ConvertedExpression(validated, project.getProjects().getFirst(), written.first());
      case Values folded when folded.getTuples().size() == 1 ->
          new ConvertedExpression(
              validated, folded.getTuples().getFirst().getFirst(), written.first());
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, "such an expression with a parameter among VALUES");
    };
  }
}
