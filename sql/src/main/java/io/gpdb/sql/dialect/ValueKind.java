package io.gpdb.sql.dialect;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of values. Any two types of one kind can be compared, none of two: Calcite checks that for
 * a plain comparison, but not in rows, lists and subqueries. Which kind can be cast to which is
 * said here too, because Calcite would make bytes of a number and times of bytes.
 */
public enum ValueKind {
  BOOLEAN,
  NUMBER,
  TEXT,
  BYTES,
  DATE,
  TIME,
  TIMESTAMP,
  INSTANT,
  UUID,
  MONTHS,
  SECONDS;

  static boolean isComparison(SqlKind operator) {
    return isNullForNull(operator)
        || operator == SqlKind.IS_DISTINCT_FROM
        || operator == SqlKind.IS_NOT_DISTINCT_FROM;
  }

  /** Whether the operator is a comparison that is NULL as soon as one operand is. */
  static boolean isNullForNull(SqlKind operator) {
    return switch (operator) {
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          true;
      default -> false;
    };
  }

  /** Fails where the types are of two kinds; a type of no kind (NULL, a row) goes with any. */
  static void requireOne(SqlOperator operator, RelDataType left, RelDataType right) {
    ValueKind one = of(left);
    ValueKind other = of(right);
    if (one != null && other != null && one != other) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          operator.getName()
              + " does not compare "
              + name(left)
              + " with "
              + name(right)
              + ": cast one of them");
    }
  }

  private static String name(RelDataType type) {
    return GpTypes.spec(type).toString();
  }

  /** Fails where no value of one type can become one of the other. */
  public static void requireCast(RelDataType from, RelDataType to) {
    ValueKind source = of(from);
    ValueKind target = of(to);
    if (source != null && target != null && !source.canBecome(target)) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH, name(from) + " cannot be cast to " + name(to));
    }
  }

  private boolean canBecome(ValueKind other) {
    if (this == other || this == TEXT || other == TEXT) {
      return true;
    }
    return switch (this) {
      case BOOLEAN -> other == NUMBER;
      case NUMBER -> other == BOOLEAN || other == MONTHS || other == SECONDS;
      case DATE -> other == TIMESTAMP || other == INSTANT;
      case TIME -> other == TIMESTAMP;
      case TIMESTAMP -> other == DATE || other == TIME || other == INSTANT;
      case INSTANT -> other == DATE || other == TIME || other == TIMESTAMP;
      case MONTHS, SECONDS -> other == NUMBER;
      default -> false;
    };
  }

  private static @Nullable ValueKind of(RelDataType type) {
    if (GpTypes.isInstant(type)) {
      return INSTANT;
    }
    return switch (type.getSqlTypeName().getFamily()) {
      case null -> null;
      case BOOLEAN -> BOOLEAN;
      case NUMERIC -> NUMBER;
      case CHARACTER -> TEXT;
      case BINARY -> BYTES;
      case DATE -> DATE;
      case TIME -> TIME;
      case TIMESTAMP -> TIMESTAMP;
      case UUID -> UUID;
      case INTERVAL_YEAR_MONTH -> MONTHS;
      case INTERVAL_DAY_TIME -> SECONDS;
      default -> null;
    };
  }
}
