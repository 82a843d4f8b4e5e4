package io.gpdb.planner.expression;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.dialect.KeptNumber;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** Turns row expressions into {@link HostExpression}s, with SQL's nulls, rounding and overflow. */
public final class HostCompiler {
  private final RexBuilder rexBuilder;
  private final boolean subQueries;

  public HostCompiler(RexBuilder rexBuilder) {
    this(rexBuilder, false);
  }

  /**
   * @param subQueries whether the rows evaluate subqueries
   */
  public HostCompiler(RexBuilder rexBuilder, boolean subQueries) {
    this.rexBuilder = rexBuilder;
    this.subQueries = subQueries;
  }

  /** An expression of which only TRUE counts. */
  public HostExpression condition(RexNode node) throws NotCovered {
    return compile(LazyLogic.condition(rexBuilder, node));
  }

  public HostExpression compile(RexNode node) throws NotCovered {
    return switch (node) {
      case RexLiteral literal -> {
        Object value = literal(literal);
        yield row -> value;
      }
      case RexDynamicParam parameter -> parameter(parameter);
      case RexInputRef input -> {
        int index = input.getIndex();
        yield row -> row.column(index);
      }
      case RexCall call -> call(call);
      default -> throw new NotCovered(node.toString());
    };
  }

  private HostExpression parameter(RexDynamicParam parameter) throws NotCovered {
    int index = parameter.getIndex();
    SqlTypeSpec type = spec(parameter.getType());
    return row -> value(row.parameters(), index, type);
  }

  /** One bound value as an object. */
  public static @Nullable Object value(ParameterValues values, int index, SqlTypeSpec type) {
    if (values.isNull(index)) {
      return null;
    }
    return type.kind().isString()
        ? HostValue.ofBytes(type, values.bytes(index))
        : HostValue.ofRaw(type, values.raw(index));
  }

  /** The stored type of an expression. */
  public static SqlTypeSpec spec(RelDataType type) throws NotCovered {
    if (type.getSqlTypeName() == SqlTypeName.NULL) {
      return SqlTypeSpec.VARCHAR;
    }
    try {
      return GpTypes.spec(type);
    } catch (GpdbException e) {
      throw new NotCovered("type " + GpTypes.named(type));
    }
  }

  /** A literal's value. */
  public static @Nullable Object literal(RexLiteral literal) throws NotCovered {
    if (literal.isNull()) {
      return null;
    }
    Comparable<?> value = Objects.requireNonNull(RexLiteral.value(literal), "literal");
    if (SqlTypeName.INTERVAL_TYPES.contains(literal.getType().getSqlTypeName())) {
      return ((BigDecimal) value).longValueExact();
    }
    return switch (value) {
      case Boolean bool -> bool;
      case NlsString text -> text.getValue();
      case ByteString bytes -> bytes.getBytes();
      case BigDecimal number -> number(number, spec(literal.getType()));
      case DateString date -> (long) date.getDaysSinceEpoch();
      case TimeString time -> TemporalText.parseTime(time.toString());
      case TimestampString timestamp -> TemporalText.parseTimestamp(timestamp.toString());
      case Double number when !Double.isFinite(number) ->
          throw new GpdbException(
              ErrorCode.NUMERIC_OUT_OF_RANGE, "a number of the statement is beyond DOUBLE");
      case Double number -> number(BigDecimal.valueOf(number), spec(literal.getType()));
      case Calendar ignored -> throw new NotCovered("calendar literal");
      default -> throw new NotCovered("literal " + literal);
    };
  }

  private static Object number(BigDecimal number, SqlTypeSpec type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT -> HostCasts.exactLong(number, type);
      case REAL -> {
        float real = number.floatValue();
        if (Float.isInfinite(real)) {
          throw outOfRange(number, type);
        }
        yield real;
      }
      case DOUBLE -> number.doubleValue();
      default -> number;
    };
  }

  private HostExpression call(RexCall call) throws NotCovered {
    switch (call.getKind()) {
      case SEARCH -> {
        return compile(RexUtil.expandSearch(rexBuilder, null, call));
      }
      case CAST -> {
        return cast(call);
      }
      case CASE -> {
        return caseOf(call);
      }
      case COALESCE -> {
        return coalesce(operands(call));
      }
      default -> {}
    }
    if (KeptNumber.is(call)) {
      return compile(call.getOperands().getFirst());
    }
    HostExpression now = now(call);
    if (now != null) {
      return now;
    }
    List<HostExpression> operands = operands(call);
    if (subQueries && call.getOperator() instanceof SubQueryFunction function) {
      return row -> row.subQuery(function, values(operands, row));
    }
    HostExpression logic = HostLogic.compile(call, operands);
    if (logic != null) {
      return logic;
    }
    HostExpression arithmetic = HostArithmetic.compile(call, operands);
    if (arithmetic != null) {
      return arithmetic;
    }
    HostExpression text = HostStrings.compile(call, operands);
    if (text != null) {
      return text;
    }
    throw new NotCovered(call.getOperator().getName());
  }

  /** The time of the execution in the type that the call names, or null where it names none. */
  private static @Nullable HostExpression now(RexCall call) throws NotCovered {
    if (!StatementTime.isAsked(call)) {
      return null;
    }
    Kind kind = spec(call.getType()).kind();
    return row -> StatementTime.of(row.parameters(), kind);
  }

  private List<HostExpression> operands(RexCall call) throws NotCovered {
    boolean ordered = call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR;
    List<HostExpression> operands = new ArrayList<>();
    for (RexNode operand : ordered ? LazyLogic.ordered(call.getOperands()) : call.getOperands()) {
      operands.add(
          operand instanceof RexLiteral flag
                  && flag.getType().getSqlTypeName() == SqlTypeName.SYMBOL
              ? row -> null
              : compile(operand));
    }
    return operands;
  }

  private static @Nullable Object[] values(List<HostExpression> expressions, HostRow row) {
    @Nullable Object[] values = new Object[expressions.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = expressions.get(i).evaluate(row);
    }
    return values;
  }

  private HostExpression cast(RexCall call) throws NotCovered {
    RexNode operand = call.getOperands().getFirst();
    HostExpression inner = compile(operand);
    if (operand.getType().getSqlTypeName() == SqlTypeName.NULL) {
      return inner;
    }
    SqlTypeSpec from = spec(operand.getType());
    SqlTypeSpec to = spec(call.getType());
    if (to.kind() == Kind.VARBINARY && !from.kind().isString()) {
      throw new GpdbException(SqlCondition.TYPE_MISMATCH, from + " cannot be cast to " + to);
    }
    return row -> {
      Object value = inner.evaluate(row);
      return value == null ? null : HostCasts.cast(value, from, to);
    };
  }

  private HostExpression caseOf(RexCall call) throws NotCovered {
    List<HostExpression> operands = new ArrayList<>();
    for (int i = 0; i < call.getOperands().size(); i++) {
      RexNode operand = call.getOperands().get(i);
      boolean tested = i % 2 == 0 && i + 1 < call.getOperands().size();
      operands.add(tested ? condition(operand) : compile(operand));
    }
    return row -> {
      for (int i = 0; i + 1 < operands.size(); i += 2) {
        if (HostValue.isTrue(operands.get(i).evaluate(row))) {
          return operands.get(i + 1).evaluate(row);
        }
      }
      return operands.getLast().evaluate(row);
    };
  }

  private static HostExpression coalesce(List<HostExpression> operands) {
    return row -> {
      for (HostExpression operand : operands) {
        Object value = operand.evaluate(row);
        if (value != null) {
          return value;
        }
      }
      return null;
    };
  }

  static GpdbException outOfRange(Object value, SqlTypeSpec type) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, value + " is out of range for " + type);
  }

  static BigDecimal rounded(BigDecimal value, int scale) {
    return value.setScale(scale, RoundingMode.HALF_UP);
  }
}
