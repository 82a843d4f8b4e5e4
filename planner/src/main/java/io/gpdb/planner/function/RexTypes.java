package io.gpdb.planner.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/** Families of the types of expressions. */
public final class RexTypes {
  private RexTypes() {}

  public static boolean isInteger(RelDataType type) {
    return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
  }

  public static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  public static boolean isFloat(RelDataType type) {
    return SqlTypeName.APPROX_TYPES.contains(type.getSqlTypeName());
  }

  public static boolean isInterval(RelDataType type) {
    return SqlTypeName.INTERVAL_TYPES.contains(type.getSqlTypeName());
  }

  /** Whether values of the type are microseconds, where Calcite would have milliseconds. */
  public static boolean isClock(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return name == SqlTypeName.TIME || name == SqlTypeName.TIMESTAMP;
  }

  static boolean isTemporal(RelDataType type) {
    return isClock(type) || type.getSqlTypeName() == SqlTypeName.DATE;
  }

  static boolean isNull(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.NULL;
  }

  public static boolean isText(RexNode value) {
    return SqlTypeName.CHAR_TYPES.contains(value.getType().getSqlTypeName());
  }

  static boolean isBinary(RexNode value) {
    return SqlTypeName.BINARY_TYPES.contains(value.getType().getSqlTypeName());
  }
}
