package io.gpdb.sql.validation;

import static org.apache.calcite.util.Static.RESOURCE;

import io.gpdb.sql.dialect.Extracts;
import io.gpdb.sql.dialect.GpConformance;
import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.CorrespondingColumns;
import io.gpdb.sql.syntax.EmptyLists;
import io.gpdb.sql.syntax.FilteredWindows;
import io.gpdb.sql.syntax.GroupedSubQueries;
import io.gpdb.sql.syntax.GroupingInWindows;
import io.gpdb.sql.syntax.LiteralTexts;
import io.gpdb.sql.syntax.NamedWindows;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.OrderedDistinct;
import io.gpdb.sql.syntax.OrderedSets;
import io.gpdb.sql.syntax.OrderedTables;
import io.gpdb.sql.syntax.OwnNodes;
import io.gpdb.sql.syntax.QueryColumns;
import io.gpdb.sql.syntax.RowQueries;
import io.gpdb.sql.syntax.SeriesNames;
import io.gpdb.sql.syntax.SpelledComparisons;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.syntax.TemporalLiterals;
import io.gpdb.sql.syntax.WindowScopes;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.Utf8;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.AggregatingScope;
import org.apache.calcite.sql.validate.ListScope;
import org.apache.calcite.sql.validate.ParameterScope;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's validator, which also takes a parameter where its type does not follow from its place:
 * the type of the bound value, or else a guess that {@link #isGuessed} reports.
 */
public final class GpValidator extends SqlValidatorImpl {
  private static final Config CONFIG =
      SqlValidator.Config.DEFAULT
          .withConformance(GpConformance.INSTANCE)
          .withIdentifierExpansion(true)
          .withTypeCoercionEnabled(true)
          .withTypeCoercionFactory(GpCoercion::new);

  /** What ORDER BY writes behind an expression. */
  private static final Set<SqlKind> ORDER_MARKS =
      EnumSet.of(SqlKind.DESCENDING, SqlKind.NULLS_FIRST, SqlKind.NULLS_LAST);

  private final @Nullable List<SqlTypeSpec> boundTypes;
  private final ParameterGuesses guesses;
  private final ParameterPlaces parameters;
  private final QueryColumns columns;
  private final CorrespondingColumns corresponding;
  private final LiteralTexts literals = new LiteralTexts();
  private final RowQueries rowQueries;
  private final CommonColumns commonColumns = new CommonColumns(this);
  private final IdentityHashMap<SqlValidatorNamespace, RuntimeException> failures =
      new IdentityHashMap<>();
  private OuterAggregates outerAggregates = new OuterAggregates();
  private RecursiveTypes recursive = RecursiveTypes.NONE;
  private Set<String> columnNames = Set.of();
  private int rewriting;

  public GpValidator(
      CalciteCatalogReader reader,
      @Nullable List<SqlTypeSpec> boundTypes,
      ParameterGuesses guesses) {
    super(GpOperatorTable.INSTANCE, reader, GpTypes.FACTORY, CONFIG);
    this.boundTypes = boundTypes;
    this.guesses = guesses;
    this.parameters = new ParameterPlaces(this, this::inferUnknownTypes, guesses);
    this.columns = new QueryColumns(reader);
    this.corresponding = new CorrespondingColumns(columns);
    this.rowQueries = new RowQueries(columns);
  }

  /** Sets what the tables of the recursive queries hold in the statement to validate. */
  public GpValidator withRecursive(RecursiveTypes types) {
    recursive = types;
    return this;
  }

  /** Adds what it finds of these to those of the other validator. */
  public GpValidator withOuterAggregates(OuterAggregates found) {
    outerAggregates = found;
    return this;
  }

  public OuterAggregates outerAggregates() {
    return outerAggregates;
  }

  /**
   * Sets which names are those of columns in the statement, although they could be of functions.
   */
  public GpValidator withColumnNames(Set<String> names) {
    columnNames = names;
    return this;
  }

  public Set<String> columnNames() {
    return columnNames;
  }

  /** USER may be a column: no word that a table of the statement has is taken for a function. */
  @Override
  public @Nullable SqlCall makeNullaryCall(SqlIdentifier id) {
    return columnNames.contains(id.names.getLast()) ? null : super.makeNullaryCall(id);
  }

  @Override
  protected void registerNamespace(
      @Nullable SqlValidatorScope scope,
      @Nullable String alias,
      SqlValidatorNamespace namespace,
      boolean forceNullable) {
    super.registerNamespace(scope, alias, recursive.namespace(namespace), forceNullable);
  }

  /** Calcite takes LIMIT and OFFSET as they are, since it knows literals and parameters alone. */
  private void validateRowCount(@Nullable SqlNode count, String clause) {
    if (count == null || count instanceof SqlDynamicParam || count instanceof SqlNumericLiteral) {
      return;
    }
    if (NodeSearch.hasQuery(count)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, clause + " of a query is not supported" + TableNames.at(count));
    }
    if (!NodeSearch.columns(count).isEmpty()) {
      throw new GpdbException(
          SqlCondition.SYNTAX, clause + " cannot name a column" + TableNames.at(count));
    }
    SqlValidatorScope scope = new ParameterScope(this, Map.of());
    inferUnknownTypes(GpTypes.relType(SqlTypeSpec.BIGINT, true), scope, count);
    count.validateExpr(this, scope);
    RelDataType type = deriveType(scope, count);
    if (!SqlTypeName.INT_TYPES.contains(type.getSqlTypeName())) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          clause
              + " is a "
              + type.getSqlTypeName()
              + ", not a number of rows"
              + TableNames.at(count));
    }
  }

  public boolean isGuessed(int parameter) {
    return boundTypes == null && guesses.isGuessed(parameter);
  }

  @Override
  public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
    if (expression instanceof SqlDynamicParam parameter) {
      RelDataType bound = boundType(parameter.getIndex());
      if (bound != null) {
        setValidatedNodeType(expression, bound);
        return bound;
      }
    }
    if (expression instanceof SqlNodeList list && getValidatedNodeTypeIfKnown(list) == null) {
      RelDataType common = ListTypes.common(this, scope, list);
      return common == null ? unknownType : common;
    }
    if (expression instanceof SqlCall call && ParameterGuesses.isArithmetic(call)) {
      parameters.beside(scope, call);
    }
    if (expression instanceof SqlCall call) {
      parameters.among(scope, ParameterGuesses.ofOneType(call));
    }
    RelDataType type = derived(scope, expression);
    if (expression instanceof SqlCharStringLiteral literal
        && type.getSqlTypeName() == SqlTypeName.CHAR) {
      String text = literal.getValueAs(String.class);
      if (GpRexBuilder.characters(text) < type.getPrecision()) {
        type = GpRexBuilder.literalType(typeFactory, type, text);
        setValidatedNodeType(expression, type);
      }
    }
    return type;
  }

  /**
   * CASE and CAST ask for the types of what is in them before the parameters in there have one:
   * LOWER(?) then has the type that it has alone.
   */
  private RelDataType derived(SqlValidatorScope scope, SqlNode expression) {
    try {
      return super.deriveType(scope, expression);
    } catch (CalciteContextException e) {
      if (!(expression instanceof SqlCall call && !parameters.untyped(call).isEmpty())) {
        throw e;
      }
      inferUnknownTypes(unknownType, scope, call);
      return super.deriveType(scope, expression);
    }
  }

  /** Calcite would hold integers to the digits of DECIMAL, one fewer than a BIGINT needs. */
  @Override
  public void validateLiteral(SqlLiteral literal) {
    if (literal instanceof SqlCharStringLiteral text) {
      Utf8.requireCharacters(text.getValueAs(String.class)); // U&'\d83d'
    }
    if (!(literal instanceof SqlNumericLiteral number && isLong(number))) {
      super.validateLiteral(literal);
    }
  }

  /** Calcite's own reading has the Julian calendar before 1582-10-15. */
  @Override
  public SqlLiteral resolveLiteral(SqlLiteral literal) {
    return literal instanceof SqlUnknownLiteral written
        ? TemporalLiterals.resolved(written)
        : super.resolveLiteral(literal);
  }

  static boolean isLong(SqlNumericLiteral number) {
    BigDecimal value = number.isInteger() ? number.bigDecimalValue() : null;
    return value != null && value.toBigInteger().bitLength() < Long.SIZE;
  }

  /**
   * Unary plus is its operand, whatever its type. It stays before a literal, which without it could
   * be an ordinal of GROUP BY or ORDER BY.
   */
  @Override
  protected @Nullable SqlNode performUnconditionalRewrites(
      @Nullable SqlNode node, boolean underFrom) {
    boolean isStatement = rewriting == 0;
    if (isStatement) {
      columns.begin(node);
    }
    if (node instanceof SqlJoin join) {
      markCondition(join);
    }
    if (node instanceof SqlCase choice) {
      OwnNodes.separateQueries(choice);
    }
    rewriting++;
    SqlNode rewritten = super.performUnconditionalRewrites(spelled(node), underFrom);
    rewriting--;
    if (rewritten instanceof SqlSelect select) {
      GroupedSubQueries.mark(select);
      NamedWindows.writeOut(select);
    }
    if (isStatement && rewritten != null) {
      SqlNode own = OwnNodes.of(rewritten);
      if (own == null) {
        return null;
      }
      WindowScopes.separate(own);
      return IntervalLiterals.of(own);
    }
    return rewritten != null
            && rewritten.getKind() == SqlKind.PLUS_PREFIX
            && !(((SqlCall) rewritten).operand(0) instanceof SqlLiteral)
        ? ((SqlCall) rewritten).operand(0)
        : rewritten;
  }

  /** The node as Calcite knows it, where SQL or gpDB have another spelling. */
  private @Nullable SqlNode spelled(@Nullable SqlNode node) {
    SqlNode own = SeriesNames.of(node);
    own = OrderedDistinct.of(OrderedTables.of(own));
    own = FunctionSpellings.of(Extracts.ofFunction(own));
    own = corresponding.of(literals.of(own));
    own = OrderedSets.of(EmptyLists.of(Overlaps.of(own)));
    own = GroupingInWindows.of(FilteredWindows.of(own));
    return SpelledComparisons.of(rowQueries.of(own));
  }

  /** A parameter alone is the same value for each row, of any type. */
  @Override
  protected void validateOrderList(SqlSelect select) {
    SqlNodeList order = select.getOrderList();
    if (order != null) {
      for (SqlNode item : order) {
        SqlNode value = item;
        while (ORDER_MARKS.contains(value.getKind())) {
          value = ((SqlCall) value).operand(0);
        }
        if (value instanceof SqlDynamicParam) {
          inferUnknownTypes(unknownType, getOrderScope(select), value);
        }
      }
    }
    super.validateOrderList(select);
  }

  /** ON (SELECT ...): Calcite takes the query for one of FROM, and would join with its rows. */
  private static void markCondition(SqlJoin join) {
    SqlNode condition = join.getCondition();
    if (condition != null && condition.isA(SqlKind.QUERY)) {
      int at = join.getOperandList().indexOf(condition);
      join.setOperand(
          at,
          SqlStdOperatorTable.SCALAR_QUERY.createCall(condition.getParserPosition(), condition));
    }
  }

  /** The type of a query's column, with which a parameter is compared by IN, ANY or ALL. */
  private RelDataType onlyColumn(RelDataType row, SqlDynamicParam parameter) {
    if (row.getFieldCount() != 1) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "one parameter is compared with a query of "
              + row.getFieldCount()
              + " columns"
              + TableNames.at(parameter));
    }
    return typeFactory.createTypeWithNullability(row.getFieldList().getFirst().getType(), true);
  }

  @Override
  protected void inferUnknownTypes(RelDataType inferred, SqlValidatorScope scope, SqlNode node) {
    if (node instanceof SqlDynamicParam parameter) {
      if (inferred.isStruct()) {
        inferUnknownTypes(onlyColumn(inferred, parameter), scope, node);
        return;
      }
      RelDataType bound = boundType(parameter.getIndex());
      if (bound != null) {
        setValidatedNodeType(node, bound);
        return;
      }
      if (inferred.equals(unknownType) || inferred.getSqlTypeName() == SqlTypeName.NULL) {
        if (!parameters.hasType(parameter)) {
          guesses.guess(parameter.getIndex());
          setValidatedNodeType(node, GpTypes.relType(guesses.unknown(), true));
        }
        return;
      }
    }
    if (node instanceof SqlCall call) {
      parameters.among(scope, ParameterGuesses.ofOneType(call));
      if (boundTypes == null) {
        parameters.ofFunction(scope, call);
      }
    }
    super.inferUnknownTypes(inferred, scope, node);
  }

  /**
   * What failed once fails again in the same way. Calcite takes it for validated, and asks it for
   * the type that it has not, without end.
   */
  @Override
  protected void validateNamespace(SqlValidatorNamespace namespace, RelDataType targetRowType) {
    RuntimeException failure = failures.get(namespace);
    if (failure != null) {
      throw failure;
    }
    try {
      super.validateNamespace(namespace, targetRowType);
    } catch (RuntimeException e) {
      failures.put(namespace, e);
      throw e;
    }
  }

  /** Calcite also finds, and refuses, windows of the subqueries in HAVING. */
  @Override
  protected void validateHavingClause(SqlSelect select) {
    try {
      super.validateHavingClause(select);
    } catch (CalciteContextException e) {
      SqlNode having = select.getHaving();
      if (having == null || NodeSearch.hasWindow(having) || !isOfWindows(e)) {
        throw e;
      }
      AggregatingScope scope = (AggregatingScope) getSelectScope(select);
      inferUnknownTypes(getTypeFactory().createSqlType(SqlTypeName.BOOLEAN), scope, having);
      scope.checkAggregateExpr(having, true);
      having.validate(this, scope);
      if (!SqlTypeUtil.inBooleanFamily(deriveType(scope, having))) {
        throw newValidationError(having, RESOURCE.havingMustBeBoolean());
      }
    }
  }

  private static boolean isOfWindows(CalciteContextException e) {
    String refusal = RESOURCE.windowInHavingNotAllowed().ex().getMessage();
    return e.getCause() != null && Objects.equals(refusal, e.getCause().getMessage());
  }

  /** Calcite asks for both types of a comparison before it infers that of a parameter in there. */
  @Override
  public RelDataType getValidatedNodeType(SqlNode node) {
    return node instanceof SqlDynamicParam && getValidatedNodeTypeIfKnown(node) == null
        ? unknownType
        : super.getValidatedNodeType(node);
  }

  @Override
  protected void validateValues(
      SqlCall values, RelDataType targetRowType, SqlValidatorScope scope) {
    commonColumns.writeOut(values, scope);
    super.validateValues(values, targetRowType, scope);
  }

  @Override
  protected void validateSelect(SqlSelect select, RelDataType targetRowType) {
    if (select.getWhere() != null && select.getWhere().getKind() == SqlKind.ROW) {
      throw newValidationError(select.getWhere(), RESOURCE.condMustBeBoolean("WHERE"));
    }
    commonColumns.writeOut(select, getWhereScope(select));
    if (getWhereScope(select) instanceof ListScope own) {
      outerAggregates.check(select, id -> enclosing(scope(id, own), own), this::isAggregate);
      if (isAggregate(select)) {
        OuterColumns.mark(select, id -> isOuter(id, own), id -> own.fullyQualify(id).identifier);
      }
    }
    validateRowCount(select.getFetch(), "LIMIT");
    validateRowCount(select.getOffset(), "OFFSET");
    super.validateSelect(select, targetRowType);
  }

  /** Whether a column is one of an enclosing query, not of this one's tables. */
  private boolean isOuter(SqlIdentifier id, ListScope own) {
    SqlValidatorScope scope = scope(id, own);
    return scope != null && !own.equals(scope);
  }

  /** The enclosing query that has a column and is in the text, or null. */
  private static @Nullable SqlSelect enclosing(@Nullable SqlValidatorScope scope, ListScope own) {
    return scope != null
            && !own.equals(scope)
            && scope.getNode() instanceof SqlSelect select
            && !select.getParserPosition().equals(SqlParserPos.ZERO)
        ? select
        : null;
  }

  /** The scope of the tables that have a column, or null. */
  private @Nullable SqlValidatorScope scope(SqlIdentifier id, ListScope own) {
    try {
      SqlValidatorScope.ResolvedImpl found = new SqlValidatorScope.ResolvedImpl();
      own.resolve(own.fullyQualify(id).prefix(), getCatalogReader().nameMatcher(), false, found);
      return found.count() == 1 ? found.only().scope : null;
    } catch (RuntimeException e) {
      return null; // an alias, or no column at all: validation says so
    }
  }

  private @Nullable RelDataType boundType(int index) {
    return boundTypes == null || index >= boundTypes.size()
        ? null
        : GpTypes.relType(boundTypes.get(index), true);
  }
}
