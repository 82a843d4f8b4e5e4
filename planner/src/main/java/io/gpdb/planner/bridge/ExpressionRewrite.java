package io.gpdb.planner.bridge;

import com.google.common.collect.ImmutableList;
import io.gpdb.planner.text.Characters;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
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
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * Gives expressions gpDB's meaning: checked exact arithmetic rounding half up, and times in
 * microseconds. What only moves or compares values keeps Calcite's operators.
 */
final class ExpressionRewrite extends RexShuttle {
  private final RexBuilder builder;
  private final CastRewrite casts;
  private final ArithmeticRewrite arithmetic;
  private final TimeRewrite times;
  private final StringRewrite strings;
  private final SubQueryCalls subQueries = new SubQueryCalls(this);

  ExpressionRewrite(RexBuilder builder) {
    this.builder = builder;
    this.casts = new CastRewrite(this);
    this.arithmetic = new ArithmeticRewrite(this);
    this.times = new TimeRewrite(this);
    this.strings = new StringRewrite(this);
  }

  SubQueryCalls subQueries() {
    return subQueries;
  }

  RexBuilder builder() {
    return builder;
  }

  /** A call of a function of ours with the type given. */
  RexNode call(RelDataType type, String function, RexNode... arguments) {
    return builder.makeCall(
        stored(type), BridgeOperators.scalar(function), Arrays.asList(arguments));
  }

  /** The type in generated code: a TIME needs 64 bits, so it goes as a TIMESTAMP. */
  RelDataType stored(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIME
        ? type(SqlTypeName.TIMESTAMP, type.isNullable())
        : type;
  }

  /** The fields of a row with their types in generated code. */
  RelDataType storedRow(RelDataType row) {
    List<RelDataType> types = new ArrayList<>();
    for (RelDataTypeField field : row.getFieldList()) {
      types.add(stored(field.getType()));
    }
    return builder.getTypeFactory().createStructType(types, row.getFieldNames());
  }

  RexNode integer(int value) {
    return builder.makeExactLiteral(BigDecimal.valueOf(value));
  }

  RexNode text(String value) {
    return builder.makeLiteral(value);
  }

  RelDataType type(SqlTypeName name, boolean nullable) {
    return builder
        .getTypeFactory()
        .createTypeWithNullability(builder.getTypeFactory().createSqlType(name), nullable);
  }

  /** The value of an integer type as BIGINT. */
  RexNode asLong(RexNode value) {
    return value.getType().getSqlTypeName() == SqlTypeName.BIGINT
        ? value
        : builder.makeAbstractCast(
            type(SqlTypeName.BIGINT, value.getType().isNullable()), value, false);
  }

  RexNode asDouble(RexNode value) {
    SqlTypeName name = value.getType().getSqlTypeName();
    return name == SqlTypeName.DOUBLE || name == SqlTypeName.FLOAT
        ? value
        : builder.makeAbstractCast(
            type(SqlTypeName.DOUBLE, value.getType().isNullable()), value, false);
  }

  /** The value of an exact type as DECIMAL, of any number of digits. */
  RexNode asDecimal(RexNode value) {
    if (value.getType().getSqlTypeName() == SqlTypeName.DECIMAL) {
      return value;
    }
    RelDataType decimal =
        builder
            .getTypeFactory()
            .createTypeWithNullability(
                builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, 18, 0),
                value.getType().isNullable());
    return call(decimal, "decimalOf", asLong(value));
  }

  /** A floating point value by which rows are matched, grouped or sorted, without a zero's sign. */
  RexNode asKey(RexNode value) {
    if (!isFloat(value.getType())) {
      return value;
    }
    boolean real = value.getType().getSqlTypeName() == SqlTypeName.REAL;
    return call(value.getType(), real ? "unsignedZeroReal" : "unsignedZero", value);
  }

  /** A value by which rows are sorted or compared: texts in the order of their characters. */
  RexNode asOrder(RexNode value) {
    if (!StringRewrite.isText(value)
        || (value instanceof RexLiteral literal && isOrdered(literal))) {
      return asKey(value);
    }
    return call(type(SqlTypeName.VARCHAR, value.getType().isNullable()), "ordered", value);
  }

  private static boolean isOrdered(RexLiteral literal) {
    String text = literal.getValueAs(String.class);
    return text == null || Characters.ordered(text).equals(text);
  }

  static boolean isInteger(RelDataType type) {
    return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
  }

  static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  static boolean isFloat(RelDataType type) {
    return SqlTypeName.APPROX_TYPES.contains(type.getSqlTypeName());
  }

  static boolean isInterval(RelDataType type) {
    return SqlTypeName.INTERVAL_TYPES.contains(type.getSqlTypeName());
  }

  /** Whether values of the type are microseconds, where Calcite would have milliseconds. */
  static boolean isClock(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return name == SqlTypeName.TIME || name == SqlTypeName.TIMESTAMP;
  }

  /** Microseconds of a TIME or TIMESTAMP literal. */
  static long micros(RexLiteral literal) {
    if (literal.getType().getSqlTypeName() == SqlTypeName.TIME) {
      TimeString time = literal.getValueAs(TimeString.class);
      return io.gpdb.sql.type.TemporalText.parseTime(String.valueOf(time));
    }
    TimestampString timestamp = literal.getValueAs(TimestampString.class);
    return io.gpdb.sql.type.TemporalText.parseTimestamp(String.valueOf(timestamp));
  }

  /** An expression of which only TRUE counts. */
  RexNode condition(RexNode node) {
    return LazyLogic.condition(builder, node).accept(this);
  }

  @Override
  public RexNode visitInputRef(RexInputRef reference) {
    RelDataType type = stored(reference.getType());
    return type.equals(reference.getType())
        ? reference
        : builder.makeInputRef(type, reference.getIndex());
  }

  @Override
  public RexNode visitDynamicParam(RexDynamicParam parameter) {
    return builder.makeDynamicParam(stored(parameter.getType()), parameter.getIndex());
  }

  @Override
  public RexNode visitFieldAccess(RexFieldAccess access) {
    if (access.getReferenceExpr() instanceof RexCorrelVariable variable) {
      RexNode stored = builder.makeCorrel(storedRow(variable.getType()), variable.id);
      return builder.makeFieldAccess(stored, access.getField().getIndex());
    }
    return super.visitFieldAccess(access);
  }

  @Override
  public RexNode visitLiteral(RexLiteral literal) {
    requireInRange(literal);
    if (!isClock(literal.getType())) {
      return literal;
    }
    if (literal.isNull()) {
      return builder.makeNullLiteral(stored(literal.getType()));
    }
    RexNode number =
        builder.makeExactLiteral(
            BigDecimal.valueOf(micros(literal)), type(SqlTypeName.BIGINT, false));
    return call(literal.getType(), "micros", number);
  }

  /** Refuses a REAL that only a DOUBLE holds, which Calcite would make infinite. */
  static void requireInRange(RexLiteral literal) {
    if (literal.getType().getSqlTypeName() == SqlTypeName.REAL && !literal.isNull()) {
      BridgeCasts.doubleToReal(RexLiteral.numberValue(literal).doubleValue());
    }
  }

  @Override
  public RexNode visitCall(RexCall call) {
    if (call.getKind() == SqlKind.SEARCH) {
      return RexUtil.expandSearch(builder, null, call).accept(this);
    }
    if (subQueries.areLazyIn(call)) {
      return subQueries.inOrder(call).accept(this);
    }
    List<RexNode> operands = new ArrayList<>();
    int count = call.getOperands().size();
    for (int i = 0; i < count; i++) {
      RexNode operand = call.getOperands().get(i);
      boolean tested = call.getKind() == SqlKind.CASE && i % 2 == 0 && i + 1 < count;
      operands.add(tested ? condition(operand) : operand.accept(this));
    }
    RexNode own = own(call, operands);
    RelDataType type = stored(call.getType());
    RexNode result = own == null ? call.clone(type, operands) : own;
    if (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR) {
      return RexUtil.flatten(builder, result);
    }
    return result.getType().equals(type) ? result : builder.makeAbstractCast(type, result, false);
  }

  private @Nullable RexNode own(RexCall call, List<RexNode> operands) {
    if (call.getOperator() instanceof SubQueryFunction function) {
      return subQueries.call(function, operands);
    }
    if (call.getKind() == SqlKind.CAST) {
      return casts.cast(
          call.getType(), call.getOperands().getFirst().getType(), operands.getFirst());
    }
    RexNode time = times.rewrite(call, operands);
    if (time != null) {
      return time;
    }
    RexNode string = strings.rewrite(call, operands);
    return string != null ? string : arithmetic.rewrite(call, operands);
  }

  @Override
  public RexNode visitOver(RexOver over) {
    checkRange(over.getWindow());
    RexOver plain = (RexOver) super.visitOver(over);
    RexWindow window = plain.getWindow();
    BridgeAggregates.Replacement own =
        BridgeAggregates.of(builder, plain.getAggOperator(), plain.getType(), plain.getOperands());
    return builder.makeOver(
        stored(plain.getType()),
        own == null ? calcites(plain.getAggOperator()) : own.function(),
        own == null ? plain.getOperands() : own.arguments(),
        window.partitionKeys.stream().map(this::asKey).toList(),
        window.orderKeys.stream()
            .map(key -> new RexFieldCollation(asOrder(key.left), key.right))
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

  /** A distance in RANGE over dates or times would be added in the wrong unit. */
  private static void checkRange(RexWindow window) {
    if (window.isRows()
        || (!isDistance(window.getLowerBound()) && !isDistance(window.getUpperBound()))) {
      return;
    }
    window.orderKeys.forEach(
        key -> {
          RelDataType type = key.left.getType();
          if (isClock(type) || type.getSqlTypeName() == SqlTypeName.DATE) {
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
