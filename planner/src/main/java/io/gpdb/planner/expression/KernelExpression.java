package io.gpdb.planner.expression;

import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.sql.type.SqlTypeSpec;
import org.jspecify.annotations.Nullable;

/**
 * An expression as a lane program. Booleans are predicates; a string is its code.
 *
 * @param strings for a string: gives the domain of its codes, once bound
 */
public record KernelExpression(SqlTypeSpec type, LaneProgram program, @Nullable Strings strings) {

  /** Gives the domain that a string expression's codes belong to in one execution. */
  @FunctionalInterface
  public interface Strings {
    StringDomain domain(RunInputs run);
  }

  static KernelExpression number(SqlTypeSpec type, LaneProgram program) {
    return new KernelExpression(type, program, null);
  }

  /** The domain of a string expression's codes. */
  public @Nullable StringDomain domain(RunInputs run) {
    return strings == null ? null : strings.domain(run);
  }
}
