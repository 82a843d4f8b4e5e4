package io.gpdb.planner.bridge;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.gpdb.planner.function.RexTypes;
import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.NotInKeys;
import io.gpdb.sql.tree.Raising;
import io.gpdb.sql.tree.SubQueryFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableIntList;

/**
 * Replaces expressions, aggregates and literal rows of a tree by their equivalents in the bridge.
 */
final class TreeRewrite {
  private final RexBuilder builder;
  private final BridgeExpressions made;
  private final ExpressionRewrite expressions;

  TreeRewrite(RelOptCluster cluster) {
    builder = cluster.getRexBuilder();
    made = new BridgeExpressions(builder);
    expressions = new ExpressionRewrite(made);
  }

  /** The subqueries that the rewritten tree calls. */
  List<SubQueryFunction> functions() {
    return expressions.subQueries().functions();
  }

  /** Rebuilds the tree from its leaves, for the types of fields may change below a node. */
  RelNode apply(RelNode node) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : node.getInputs()) {
      inputs.add(apply(input));
    }
    return switch (node) {
      case BridgeLeaf leaf -> leaf.stored(made);
      case DependentCalc calc -> calc.plain(inputs.getFirst(), expressions);
      case LogicalTableScan scan -> BridgeLeaf.ofRecursion(scan).stored(made);
      case LogicalValues values -> values(values);
      case Aggregate aggregate -> aggregate(aggregate, inputs.getFirst());
      case Project project ->
          LogicalProject.create(
              inputs.getFirst(),
              project.getHints(),
              expressions.apply(project.getProjects()),
              project.getRowType().getFieldNames(),
              project.getVariablesSet());
      case Filter filter ->
          LogicalFilter.create(
              inputs.getFirst(),
              expressions.condition(filter.getCondition()),
              ImmutableSet.copyOf(filter.getVariablesSet()));
      case Join join -> join(join, inputs.get(0), inputs.get(1));
      case SetOp set when !(set instanceof Union union && union.all) ->
          set.copy(set.getTraitSet(), inputs.stream().map(this::byKeys).toList());
      case RepeatUnion union when !union.all ->
          union.copy(union.getTraitSet(), inputs.stream().map(this::spooledByKeys).toList());
      case Sort sort -> sort(sort, inputs.getFirst());
      default -> node.copy(node.getTraitSet(), inputs).accept(expressions);
    };
  }

  private RelNode join(Join join, RelNode left, RelNode right) {
    NotInKeys notIn = NotInKeys.of(join);
    if (notIn != null) {
      return notIn(notIn, left, right);
    }
    boolean keepsRight = join.getJoinType().generatesNullsOnLeft();
    RelNode joined =
        LogicalJoin.create(
            left,
            keepsRight ? apart(right) : right,
            join.getHints(),
            condition(join),
            join.getVariablesSet(),
            join.getJoinType());
    int fields = left.getRowType().getFieldCount() + right.getRowType().getFieldCount();
    return keepsRight ? first(fields, joined) : joined;
  }

  /**
   * The rows with two fields more. Calcite keeps the rows on the right that have no match in a set
   * of objects, and rows of one field or none are objects that rows share.
   */
  private RelNode apart(RelNode rows) {
    List<RexNode> fields = new ArrayList<>(builder.identityProjects(rows.getRowType()));
    List<String> names = new ArrayList<>(rows.getRowType().getFieldNames());
    for (int i = 0; i < 2; i++) {
      names.add("$apart" + fields.size());
      fields.add(builder.makeLiteral(true));
    }
    return LogicalProject.create(rows, List.of(), fields, names, Set.of());
  }

  private RelNode first(int fields, RelNode rows) {
    return LogicalProject.create(
        rows,
        List.of(),
        builder.identityProjects(rows.getRowType()).subList(0, fields),
        rows.getRowType().getFieldNames().subList(0, fields),
        Set.of());
  }

  /** The keys apart, for what may raise an error is evaluated in order, which hides equalities. */
  private RexNode condition(Join join) {
    List<RexNode> keys = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode part : RelOptUtil.conjunctions(join.getCondition())) {
      boolean key = Raising.isKey(part, join) || part.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
      (key ? keys : others).add(part);
    }
    if (others.isEmpty()) {
      return expressions.apply(join.getCondition());
    }
    keys = new ArrayList<>(expressions.apply(keys));
    keys.add(expressions.condition(RexUtil.composeConjunction(builder, others)));
    return RexUtil.composeConjunction(builder, keys);
  }

  /**
   * NOT IN by operators that Calcite runs with a hash table: with n right rows, k of them not NULL,
   * the left rows for which n = 0, or which are not NULL where n = k, anti-joined by equality.
   */
  private RelNode notIn(NotInKeys keys, RelNode left, RelNode right) {
    RelBuilder rows = RelFactories.LOGICAL_BUILDER.create(left.getCluster(), null);
    int fields = left.getRowType().getFieldCount();
    rows.push(left)
        .push(right)
        .aggregate(rows.groupKey(), rows.countStar("n"), rows.count(rows.field(keys.right())))
        .join(JoinRelType.INNER);
    rows.filter(
        rows.or(
            rows.equals(rows.field(fields), rows.literal(0)),
            rows.and(
                rows.isNotNull(rows.field(keys.left())),
                rows.equals(rows.field(fields), rows.field(fields + 1)))));
    rows.push(right);
    RexNode equal = rows.equals(rows.field(2, 0, keys.left()), rows.field(2, 1, keys.right()));
    rows.join(JoinRelType.ANTI, expressions.apply(equal));
    return rows.project(rows.fields(ImmutableIntList.range(0, fields))).build();
  }

  /** The rows with floating point fields as keys. */
  private RelNode byKeys(RelNode rows) {
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < rows.getRowType().getFieldCount(); i++) {
      fields.add(made.asKey(builder.makeInputRef(rows, i)));
    }
    return fields.stream().allMatch(RexInputRef.class::isInstance)
        ? rows
        : LogicalProject.create(
            rows, List.of(), fields, rows.getRowType().getFieldNames(), Set.of());
  }

  /** Sorts by further fields where floating point fields or texts are asked for. */
  private RelNode sort(Sort sort, RelNode input) {
    List<RexNode> fields = new ArrayList<>(builder.identityProjects(input.getRowType()));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    int width = fields.size();
    List<RelFieldCollation> order = new ArrayList<>();
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      RexNode value = made.asOrder(fields.get(key.getFieldIndex()));
      if (value instanceof RexInputRef) {
        order.add(key);
      } else {
        order.add(key.withFieldIndex(fields.size()));
        names.add("$key" + fields.size());
        fields.add(value);
      }
    }
    RexNode offset = sort.offset == null ? null : expressions.apply(sort.offset);
    RexNode fetch = sort.fetch == null ? null : expressions.apply(sort.fetch);
    if (fields.size() == width) {
      return LogicalSort.create(input, sort.getCollation(), offset, fetch);
    }
    RelNode widened = LogicalProject.create(input, List.of(), fields, names, Set.of());
    RelNode sorted = LogicalSort.create(widened, RelCollations.of(order), offset, fetch);
    return LogicalProject.create(
        sorted,
        List.of(),
        builder.identityProjects(input.getRowType()),
        names.subList(0, width),
        Set.of());
  }

  /** The rows of a recursion as keys, so that equal ones become one. */
  private RelNode spooledByKeys(RelNode spool) {
    return spool.copy(spool.getTraitSet(), List.of(byKeys(spool.getInput(0))));
  }

  /** Puts the arguments of each aggregate that changes them into fields of a projection below. */
  private RelNode aggregate(Aggregate aggregate, RelNode input) {
    List<RexNode> fields = new ArrayList<>();
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    boolean changed = false;
    for (int i = 0; i < names.size(); i++) {
      RexNode field = builder.makeInputRef(input, i);
      boolean key = aggregate.getGroupSet().get(i) || isDistinct(aggregate, i);
      fields.add(key ? made.asKey(field) : field);
      changed |= key && RexTypes.isFloat(field.getType());
    }
    int before = fields.size();
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      AggregateCall own = call(call, input, fields);
      changed |= !own.equals(call);
      calls.add(own);
    }
    if (!changed) {
      return aggregate.copy(aggregate.getTraitSet(), List.of(input));
    }
    for (int i = before; i < fields.size(); i++) {
      names.add("$arg" + i);
    }
    RelNode project = LogicalProject.create(input, List.of(), fields, names, Set.of());
    return aggregate.copy(
        aggregate.getTraitSet(), project, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
  }

  /** Whether an aggregate is over the distinct values of the field. */
  private static boolean isDistinct(Aggregate aggregate, int field) {
    return aggregate.getAggCallList().stream()
        .anyMatch(
            call ->
                (call.isDistinct() || call.getAggregation().getKind() == SqlKind.MODE)
                    && call.getArgList().contains(field));
  }

  private AggregateCall call(AggregateCall call, RelNode input, List<RexNode> fields) {
    RelDataType type = made.stored(call.getType());
    List<RexNode> arguments = new ArrayList<>();
    for (int argument : call.getArgList()) {
      arguments.add(builder.makeInputRef(input, argument));
    }
    BridgeAggregates.Replacement own =
        BridgeAggregates.of(builder, call.getAggregation(), type, arguments);
    List<RelFieldCollation> order = order(call, input, fields);
    if (own == null && type.equals(call.getType()) && order.isEmpty()) {
      return call;
    }
    List<Integer> positions = new ArrayList<>();
    for (RexNode argument : own == null ? arguments : own.arguments()) {
      positions.add(fields.size());
      fields.add(argument);
    }
    return AggregateCall.create(
        own == null ? call.getAggregation() : own.function(),
        call.isDistinct(),
        call.isApproximate(),
        call.ignoreNulls(),
        call.rexList,
        positions,
        call.filterArg,
        call.distinctKeys,
        order.isEmpty() ? call.collation : RelCollations.of(order),
        type,
        call.getName());
  }

  /** The order of an aggregate's values with texts as keys; empty where none is a text. */
  private List<RelFieldCollation> order(AggregateCall call, RelNode input, List<RexNode> fields) {
    List<RelFieldCollation> order = new ArrayList<>();
    boolean changed = false;
    for (RelFieldCollation key : call.collation.getFieldCollations()) {
      RexNode field = builder.makeInputRef(input, key.getFieldIndex());
      RexNode value = RexTypes.isText(field) ? made.asOrder(field) : field;
      changed |= !value.equals(field);
      order.add(value.equals(field) ? key : key.withFieldIndex(fields.size()));
      if (!value.equals(field)) {
        fields.add(value);
      }
    }
    return changed ? order : List.of();
  }

  /** Literal rows hold times as numbers of microseconds, and decimals at their column's scale. */
  private RelNode values(LogicalValues values) {
    RelDataType rowType = values.getRowType();
    values.getTuples().forEach(row -> row.forEach(ExpressionRewrite::requireInRange));
    if (rowType.getFieldList().stream()
        .noneMatch(f -> isClock(f) || isDecimal(f) || isStoredOtherwise(f))) {
      return values;
    }
    List<RelDataType> types = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      types.add(isClock(field) ? bigint(field) : made.stored(field.getType()));
    }
    RelDataType stored =
        values.getCluster().getTypeFactory().createStructType(types, rowType.getFieldNames());
    ImmutableList.Builder<ImmutableList<RexLiteral>> rows = ImmutableList.builder();
    for (ImmutableList<RexLiteral> tuple : values.getTuples()) {
      ImmutableList.Builder<RexLiteral> row = ImmutableList.builder();
      for (int i = 0; i < tuple.size(); i++) {
        row.add(literal(tuple.get(i), rowType.getFieldList().get(i), types.get(i)));
      }
      rows.add(row.build());
    }
    Values numbers = LogicalValues.create(values.getCluster(), stored, rows.build());
    List<RexNode> fields = new ArrayList<>();
    for (int i = 0; i < rowType.getFieldCount(); i++) {
      RexNode field = builder.makeInputRef(numbers, i);
      RelDataTypeField target = rowType.getFieldList().get(i);
      fields.add(isClock(target) ? made.call(target.getType(), "micros", field) : field);
    }
    return LogicalProject.create(numbers, List.of(), fields, rowType.getFieldNames(), Set.of());
  }

  private RexLiteral literal(RexLiteral literal, RelDataTypeField field, RelDataType stored) {
    if (literal.isNull()) {
      return builder.makeNullLiteral(stored);
    }
    if (made.stored(literal) instanceof RexLiteral own) {
      return own;
    }
    if (isClock(field)) {
      return builder.makeExactLiteral(
          BigDecimal.valueOf(BridgeExpressions.micros(literal)), stored);
    }
    BigDecimal number = isDecimal(field) ? literal.getValueAs(BigDecimal.class) : null;
    if (number == null) {
      return literal;
    }
    return builder.makeExactLiteral(number.setScale(field.getType().getScale()), stored);
  }

  private RelDataType bigint(RelDataTypeField field) {
    return builder
        .getTypeFactory()
        .createTypeWithNullability(
            builder.getTypeFactory().createSqlType(SqlTypeName.BIGINT),
            field.getType().isNullable());
  }

  private static boolean isClock(RelDataTypeField field) {
    SqlTypeName name = field.getType().getSqlTypeName();
    return name == SqlTypeName.TIME || name == SqlTypeName.TIMESTAMP;
  }

  private static boolean isStoredOtherwise(RelDataTypeField field) {
    SqlTypeName name = field.getType().getSqlTypeName();
    return name == SqlTypeName.UUID
        || name == SqlTypeName.TIMESTAMP_TZ
        || SqlTypeName.INTERVAL_TYPES.contains(name);
  }

  private static boolean isDecimal(RelDataTypeField field) {
    return field.getType().getSqlTypeName() == SqlTypeName.DECIMAL;
  }
}
