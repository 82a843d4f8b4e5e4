package io.gpdb.planner.bridge;

import com.google.common.collect.ImmutableList;
import io.gpdb.planner.expression.StatementTime;
import io.gpdb.planner.expression.compiler.Functions;
import io.gpdb.planner.expression.compiler.ScalarFunction;
import io.gpdb.planner.function.CastFunctions;
import io.gpdb.planner.function.RexTypes;
import io.gpdb.planner.function.TimeCalls;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites expressions to gpDB's meaning: checked exact arithmetic rounding half up, and times in
 * microseconds. What only moves or compares values keeps Calcite's operators.
 */
final class ExpressionRewrite extends RexShuttle {
  private final RexBuilder builder;
  private final BridgeExpressions made;
  private final ComparisonRewrite comparisons;
  private final SubQueryCalls subQueries;

  ExpressionRewrite(BridgeExpressions made) {
    this.builder = made.builder();
    this.made = made;
    this.comparisons = new ComparisonRewrite(made);
    this.subQueries = new SubQueryCalls(made);
  }

  SubQueryCalls subQueries() {
    return subQueries;
  }

  /** An expression of which only TRUE counts. */
  RexNode condition(RexNode node) {
    return LazyLogic.condition(builder, node).accept(this);
  }

  @Override
  public RexNode visitInputRef(RexInputRef reference) {
    RelDataType type = made.stored(reference.getType());
    return type.equals(reference.getType())
        ? reference
        : builder.makeInputRef(type, reference.getIndex());
  }

  @Override
  public RexNode visitDynamicParam(RexDynamicParam parameter) {
    return builder.makeDynamicParam(made.stored(parameter.getType()), parameter.getIndex());
  }

  @Override
  public RexNode visitFieldAccess(RexFieldAccess access) {
    if (access.getReferenceExpr() instanceof RexCorrelVariable variable) {
      RexNode stored = builder.makeCorrel(made.storedRow(variable.getType()), variable.id);
      return builder.makeFieldAccess(stored, access.getField().getIndex());
    }
    return super.visitFieldAccess(access);
  }

  @Override
  public RexNode visitLiteral(RexLiteral literal) {
    requireInRange(literal);
    RexNode stored = made.stored(literal);
    if (stored != null) {
      return stored;
    }
    if (!RexTypes.isClock(literal.getType())) {
      return literal;
    }
    if (literal.isNull()) {
      return builder.makeNullLiteral(made.stored(literal.getType()));
    }
    RexNode number =
        builder.makeExactLiteral(
            BigDecimal.valueOf(BridgeExpressions.micros(literal)),
            made.methods().type(SqlTypeName.BIGINT, false));
    return made.call(literal.getType(), "micros", number);
  }

  /** Refuses a REAL that only a DOUBLE holds, which Calcite would make infinite. */
  static void requireInRange(RexLiteral literal) {
    if (literal.getType().getSqlTypeName() == SqlTypeName.REAL && !literal.isNull()) {
      CastFunctions.doubleToReal(RexLiteral.numberValue(literal).doubleValue());
    }
  }

  @Override
  public RexNode visitCall(RexCall call) {
    if (call.getKind() == SqlKind.SEARCH) {
      return RexUtil.expandSearch(builder, null, call).accept(this);
    }
    if (call.getKind() == SqlKind.GREATEST || call.getKind() == SqlKind.LEAST) {
      return comparisons.chosen(call).accept(this);
    }
    if (subQueries.areLazyIn(call)) {
      return subQueries.inOrder(call).accept(this);
    }
    RelDataType type = made.stored(call.getType());
    ScalarFunction function = Functions.of(call);
    RexNode methods = function == null ? null : function.calls(made.methods(), call);
    if (methods != null) {
      return as(type, methods.accept(this));
    }
    if (function == null || !function.opaque()) {
      requireNoClock(call);
    }
    List<RexNode> operands = new ArrayList<>();
    int count = call.getOperands().size();
    for (int i = 0; i < count; i++) {
      RexNode operand = call.getOperands().get(i);
      boolean tested = call.getKind() == SqlKind.CASE && i % 2 == 0 && i + 1 < count;
      operands.add(tested ? condition(operand) : operand.accept(this));
    }
    RexNode own = own(call, operands);
    RexNode result = own == null ? call.clone(type, operands) : own;
    return call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR
        ? RexUtil.flatten(builder, result)
        : as(type, result);
  }

  private RexNode as(RelDataType type, RexNode value) {
    return value.getType().equals(type) ? value : builder.makeAbstractCast(type, value, false);
  }

  /** Refuses what Calcite would compute in milliseconds. */
  private static void requireNoClock(RexCall call) {
    boolean own =
        call.getOperator() instanceof SqlUserDefinedFunction
            || call.getOperator() instanceof SubQueryFunction;
    if (!own && call.getOperands().stream().anyMatch(o -> isOfMicros(o.getType()))) {
      throw TimeCalls.unsupported(call);
    }
  }

  private static boolean isOfMicros(RelDataType type) {
    return RexTypes.isClock(type) || RexTypes.isInterval(type);
  }

  /** What Calcite's operator with those operands has to be; null for itself. */
  private @Nullable RexNode own(RexCall call, List<RexNode> operands) {
    if (call.getOperator() instanceof SubQueryFunction subQuery) {
      return subQueries.call(subQuery, operands);
    }
    if (StatementTime.isAsked(call)) {
      return builder.makeDynamicParam(
          made.stored(call.getType()),
          switch (call.getType().getSqlTypeName()) {
            case DATE -> BridgeContext.DATE_PARAMETER;
            case TIME -> BridgeContext.TIME_PARAMETER;
            default -> BridgeContext.TIMESTAMP_PARAMETER;
          });
    }
    RexNode comparison = comparisons.rewrite(call, operands);
    boolean scaled =
        comparison == null
            && RexTypes.isDecimal(call.getType())
            && !(call.getOperator() instanceof SqlUserDefinedFunction)
            && call.getKind() != SqlKind.CAST;
    return scaled ? scaled(call, operands) : comparison;
  }

  /** A function of decimals that is Calcite's: brings the result to the scale of its type. */
  private RexNode scaled(RexCall call, List<RexNode> operands) {
    RelDataType type = call.getType();
    return made.call(
        type,
        "scaledDecimal",
        call.clone(type, operands),
        made.methods().integer(type.getPrecision()),
        made.methods().integer(type.getScale()));
  }

  @Override
  public RexNode visitOver(RexOver over) {
    checkRange(over.getWindow());
    checkRows(over);
    RexOver plain = (RexOver) super.visitOver(over);
    RexWindow window = plain.getWindow();
    BridgeAggregates.Replacement own =
        BridgeAggregates.of(builder, plain.getAggOperator(), plain.getType(), plain.getOperands());
    return builder.makeOver(
        made.stored(plain.getType()),
        own == null ? calcites(plain.getAggOperator()) : own.function(),
        own == null ? plain.getOperands() : own.arguments(),
        window.partitionKeys.stream().map(made::asKey).toList(),
        window.orderKeys.stream()
            .map(key -> new RexFieldCollation(made.asOrder(key.left), key.right))
            .collect(ImmutableList.toImmutableList()),
        window.getLowerBound(),
        window.getUpperBound(),
        window.getExclude(),
        window.isRows(),
        true,
        false,
        plain.isDistinct(),
        plain.ignoreNulls());
  }

  /** Calcite knows how to run its own LEAD and LAG only. */
  private static SqlAggFunction calcites(SqlAggFunction function) {
    return switch (function.getKind()) {
      case LEAD -> SqlStdOperatorTable.LEAD;
      case LAG -> SqlStdOperatorTable.LAG;
      default -> function;
    };
  }

  /** Calcite would take rows that are left out, and values more than once. */
  private static void checkRows(RexOver over) {
    if (over.isDistinct() || over.getWindow().getExclude() != RexWindowExclusion.EXCLUDE_NO_OTHER) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "DISTINCT or EXCLUDE in this call over a window");
    }
  }

  /** A distance in RANGE over dates or times would be added in the wrong unit. */
  private static void checkRange(RexWindow window) {
    if (window.isRows()
        || (!isDistance(window.getLowerBound()) && !isDistance(window.getUpperBound()))) {
      return;
    }
    window.orderKeys.forEach(
        key -> {
          RelDataType type = key.left.getType();
          if (RexTypes.isClock(type)
              || GpTypes.isInstant(type)
              || RexTypes.isInterval(type)
              || type.getSqlTypeName() == SqlTypeName.DATE) {
            throw new GpdbException(
                ErrorCode.NOT_SUPPORTED,
                "a window frame RANGE with a distance over "
                    + type.getSqlTypeName().getName().toUpperCase(Locale.ROOT));
          }
        });
  }

  private static boolean isDistance(RexWindowBound bound) {
    return bound.getOffset() != null;
  }
}
