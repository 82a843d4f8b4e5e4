package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import org.jspecify.annotations.Nullable;

/**
 * An expression as a lane program. Booleans are predicates; a string is its code.
 *
 * @param strings for a string: finds the domain of its codes, once bound
 */
public record KernelExpression(SqlTypeSpec type, LaneProgram program, @Nullable Strings strings) {

  /** Finds the domain that a string expression's codes belong to in one execution. */
  @FunctionalInterface
  public interface Strings {
    StringDomain domain(RunInputs run);
  }

  public static KernelExpression number(SqlTypeSpec type, LaneProgram program) {
    return new KernelExpression(type, program, null);
  }

  public static KernelExpression bool(LaneProgram program) {
    return number(SqlTypeSpec.BOOLEAN, program);
  }

  /** The NULL of a type. */
  public static KernelExpression noValue(SqlTypeSpec type) {
    Type register = register(type);
    StringDomain.Made none = new StringDomain.Made();
    return new KernelExpression(
        type,
        lane -> new LaneValue(lane.builder().constant(register, 0), lane.builder().pred(false)),
        type.kind().isString() ? run -> none : null);
  }

  /** The register type of a stored type; booleans are predicates. */
  public static Type register(SqlTypeSpec type) {
    return switch (type.kind()) {
      case BOOLEAN -> Type.PRED;
      case TINYINT, SMALLINT, INTEGER, DATE, WIDE_DECIMAL, CHAR, VARCHAR, VARBINARY, UUID ->
          Type.I32;
      case BIGINT, DECIMAL, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS ->
          Type.I64;
      case REAL -> Type.F32;
      case DOUBLE -> Type.F64;
    };
  }

  /** The domain of a string expression's codes. */
  public @Nullable StringDomain domain(RunInputs run) {
    return strings == null ? null : strings.domain(run);
  }
}
