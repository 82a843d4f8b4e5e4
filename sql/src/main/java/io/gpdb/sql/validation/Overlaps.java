package io.gpdb.sql.validation;

import io.gpdb.sql.syntax.OwnNodes;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.jspecify.annotations.Nullable;

/**
 * {@code (a, b) OVERLAPS (c, d)} as the standard has it: a period does not contain its end unless
 * it is a moment, its end may be an interval or before its start, and a NULL may leave the answer
 * open. Calcite's periods contain their ends.
 */
final class Overlaps {
  private Overlaps() {}

  /** The node with types for its NULLs, where it is such a predicate. */
  static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (node == null
        || node.getKind() != SqlKind.OVERLAPS
        || !(((SqlCall) node).operand(0) instanceof SqlCall left)
        || !(((SqlCall) node).operand(1) instanceof SqlCall right)
        || left.operandCount() != 2
        || right.operandCount() != 2) {
      return node;
    }
    SqlNode known = isNull(left.operand(0)) ? right.operand(0) : left.operand(0);
    if (!isNull(known)) {
      SqlParserPos at = node.getParserPosition();
      return SqlStdOperatorTable.OVERLAPS.createCall(at, typed(left, known), typed(right, known));
    }
    return node;
  }

  private static boolean isNull(SqlNode node) {
    return SqlUtil.isNullLiteral(node, false);
  }

  private static SqlNode typed(SqlCall period, SqlNode known) {
    SqlParserPos at = period.getParserPosition();
    List<SqlNode> values = period.getOperandList();
    return SqlStdOperatorTable.ROW.createCall(
        at, values.stream().map(value -> isNull(value) ? nullLike(known) : value).toList());
  }

  /** A NULL of the type that a value has. */
  private static SqlNode nullLike(SqlNode value) {
    return SqlStdOperatorTable.NULLIF.createCall(
        value.getParserPosition(), OwnNodes.copy(value), OwnNodes.copy(value));
  }

  /** Two moments, the first of which is not after the second. */
  private record Period(RexNode start, RexNode end) {}

  /** Converts a validated predicate. */
  static RexNode converted(SqlRexContext context, SqlCall call) {
    RexBuilder builder = context.getRexBuilder();
    List<RexNode> moments = new ArrayList<>(moments(context, call.operand(0)));
    moments.addAll(moments(context, call.operand(1)));
    return overlap(
        builder,
        period(builder, moments.get(0), moments.get(1)),
        period(builder, moments.get(2), moments.get(3)));
  }

  /** Start and end, as they are written. */
  private static List<RexNode> moments(SqlRexContext context, SqlCall period) {
    RexNode start = context.convertExpression(period.operand(0));
    RexNode end = context.convertExpression(period.operand(1));
    return SqlTypeUtil.isInterval(end.getType())
        ? List.of(start, moved(context.getRexBuilder(), start, end))
        : List.of(start, end);
  }

  /** A date that is moved by hours is a timestamp, which is not compared with the date. */
  private static RexNode moved(RexBuilder builder, RexNode start, RexNode by) {
    boolean isDate = start.getType().getSqlTypeName() == SqlTypeName.DATE;
    RexNode from =
        isDate && GpCoercion.hasParts(by.getType())
            ? builder.makeCast(GpTypes.relType(SqlTypeSpec.TIMESTAMP, true), start)
            : start;
    boolean nullable = isNullable(start) || isNullable(by);
    RelDataType type = builder.getTypeFactory().createTypeWithNullability(from.getType(), nullable);
    return builder.makeCall(type, SqlStdOperatorTable.DATETIME_PLUS, List.of(from, by));
  }

  private static boolean isNullable(RexNode node) {
    return node instanceof RexLiteral literal ? literal.isNull() : node.getType().isNullable();
  }

  private static Period period(RexBuilder builder, RexNode start, RexNode end) {
    RexNode turned =
        builder.makeCall(
            SqlStdOperatorTable.OR,
            builder.makeCall(SqlStdOperatorTable.IS_NULL, start),
            builder.makeCall(SqlStdOperatorTable.LESS_THAN, end, start));
    return new Period(
        builder.makeCall(SqlStdOperatorTable.CASE, turned, end, start),
        builder.makeCall(SqlStdOperatorTable.CASE, turned, start, end));
  }

  private static RexNode overlap(RexBuilder builder, Period a, Period b) {
    RexNode equalStarts = compared(builder, SqlStdOperatorTable.EQUALS, a.start, b.start);
    RexNode knownEnds =
        builder.makeCall(
            SqlStdOperatorTable.OR,
            compared(builder, SqlStdOperatorTable.NOT_EQUALS, a.end, b.end),
            compared(builder, SqlStdOperatorTable.EQUALS, a.end, b.end));
    return builder.makeCall(
        SqlStdOperatorTable.OR,
        startsWithin(builder, a, b),
        startsWithin(builder, b, a),
        builder.makeCall(SqlStdOperatorTable.AND, equalStarts, knownEnds));
  }

  /** Whether the later of two periods starts before the other ends. */
  private static RexNode startsWithin(RexBuilder builder, Period later, Period other) {
    RexNode behind =
        builder.makeCall(
            SqlStdOperatorTable.AND,
            compared(builder, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, later.start, other.end),
            compared(builder, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, later.end, other.end));
    return builder.makeCall(
        SqlStdOperatorTable.AND,
        compared(builder, SqlStdOperatorTable.GREATER_THAN, later.start, other.start),
        builder.makeCall(SqlStdOperatorTable.NOT, behind));
  }

  private static RexNode compared(RexBuilder builder, SqlOperator operator, RexNode a, RexNode b) {
    return builder.makeCall(operator, a, b);
  }
}
