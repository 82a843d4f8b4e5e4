package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.KernelTrap;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** The errors that a row may meet in a kernel. */
public final class TrapCodes {
  static final int OUT_OF_RANGE = 1;
  static final int DIVISION_BY_ZERO = 2;
  public static final int LOOK_UP = 3;
  static final int NULL_VALUE = 4;
  static final int DATETIME_OVERFLOW = 5;
  static final int DATE_OVERFLOW = 6;
  static final int INTERVAL_OVERFLOW = 7;

  private TrapCodes() {}

  /** The user's error for a trap that the code alone explains. */
  public static GpdbException translate(KernelTrap trap) {
    return switch (trap.code()) {
      case OUT_OF_RANGE ->
          new GpdbException(
              ErrorCode.NUMERIC_OUT_OF_RANGE, "a number is out of range for its type", trap);
      case DIVISION_BY_ZERO ->
          new GpdbException(SqlCondition.DIVISION_BY_ZERO, "division by zero", trap);
      case DATETIME_OVERFLOW -> TemporalText.overflow("TIMESTAMP", trap);
      case DATE_OVERFLOW -> TemporalText.overflow("DATE", trap);
      case INTERVAL_OVERFLOW ->
          new GpdbException(
              SqlCondition.INTERVAL_OVERFLOW, "the result is out of range for INTERVAL", trap);
      case NULL_VALUE ->
          new GpdbException(SqlCondition.NOT_NULL_VIOLATION, "a column that is NOT NULL", trap);
      default ->
          new GpdbException(ErrorCode.INTERNAL, "kernel trapped: " + trap.getMessage(), trap);
    };
  }
}
