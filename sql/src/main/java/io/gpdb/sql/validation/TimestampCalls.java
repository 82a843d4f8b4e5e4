package io.gpdb.sql.validation;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;

/** TIMESTAMPADD and TIMESTAMPDIFF by intervals of microseconds, where Calcite has milliseconds. */
final class TimestampCalls {
  private static final BigDecimal MICROS_PER_MILLI = BigDecimal.valueOf(1000);

  private TimestampCalls() {}

  private static TimeUnit unit(SqlRexContext context, SqlCall call) {
    SqlIntervalQualifier written = call.operand(0);
    TimeUnit unit = context.getValidator().validateTimeFrame(written).unit();
    if (unit == null || unit.multiplier == null) { // such as DOW
      throw new GpdbException(
          SqlCondition.SYNTAX, written + " is not a unit of time" + TableNames.at(written));
    }
    return unit;
  }

  private static SqlIntervalQualifier qualifier(TimeUnit unit) {
    return new SqlIntervalQualifier(
        unit.yearMonth ? TimeUnit.MONTH : TimeUnit.SECOND, null, SqlParserPos.ZERO);
  }

  /** Months or microseconds of the unit; of a nanosecond a fraction of one. */
  private static BigDecimal size(TimeUnit unit) {
    return unit.yearMonth ? unit.multiplier : unit.multiplier.multiply(MICROS_PER_MILLI);
  }

  /** TIMESTAMPADD(unit, count, time). */
  static RexNode sum(SqlRexContext context, SqlCall call) {
    RexBuilder builder = context.getRexBuilder();
    TimeUnit unit = unit(context, call);
    RexNode count = context.convertExpression(call.operand(1));
    RexNode time = context.convertExpression(call.operand(2));
    BigDecimal size = size(unit);
    boolean whole = size.compareTo(BigDecimal.ONE) >= 0;
    RexNode one = builder.makeIntervalLiteral(whole ? size : BigDecimal.ONE, qualifier(unit));
    RexNode interval = builder.makeCall(SqlStdOperatorTable.MULTIPLY, one, count);
    RexNode moved =
        whole
            ? interval
            : builder.makeCall(
                SqlStdOperatorTable.DIVIDE, interval, builder.makeExactLiteral(MICROS_PER_MILLI));
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    RexNode from = builder.makeCast(type, time);
    return builder.makeCall(type, SqlStdOperatorTable.DATETIME_PLUS, List.of(from, moved));
  }

  /** TIMESTAMPDIFF(unit, from, to): how often the whole unit is between the two. */
  static RexNode difference(SqlRexContext context, SqlCall call) {
    RexBuilder builder = context.getRexBuilder();
    TimeUnit unit = unit(context, call);
    RexNode from = context.convertExpression(call.operand(1));
    RexNode to = context.convertExpression(call.operand(2));
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    boolean nullable = type.isNullable();
    RelDataType interval =
        builder
            .getTypeFactory()
            .createTypeWithNullability(
                builder.getTypeFactory().createSqlIntervalType(qualifier(unit)), nullable);
    RelDataType bigint =
        builder
            .getTypeFactory()
            .createTypeWithNullability(
                builder.getTypeFactory().createSqlType(SqlTypeName.BIGINT), nullable);
    RexNode distance =
        builder.makeReinterpretCast(
            bigint,
            builder.makeCall(interval, SqlStdOperatorTable.MINUS_DATE, List.of(to, from)),
            builder.makeLiteral(false));
    BigDecimal size = size(unit);
    RexNode count =
        size.compareTo(BigDecimal.ONE) >= 0
            ? builder.makeCall(
                bigint,
                SqlStdOperatorTable.DIVIDE,
                List.of(distance, builder.makeExactLiteral(size, bigint)))
            : builder.makeCall(
                bigint,
                SqlStdOperatorTable.MULTIPLY,
                List.of(distance, builder.makeExactLiteral(MICROS_PER_MILLI, bigint)));
    return builder.makeCast(type, count);
  }
}
