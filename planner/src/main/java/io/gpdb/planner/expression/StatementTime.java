package io.gpdb.planner.expression;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import java.util.Set;
import org.apache.calcite.rex.RexCall;

/** CURRENT_TIMESTAMP and its kin: constants of one execution. */
public final class StatementTime {
  public static final Set<String> NAMES =
      Set.of("CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_TIME", "LOCALTIME", "CURRENT_DATE");

  private StatementTime() {}

  public static boolean isAsked(RexCall call) {
    return NAMES.contains(call.getOperator().getName());
  }

  /** The execution's time as a value of DATE, TIME or TIMESTAMP. */
  public static long of(ParameterValues execution, Kind kind) {
    long micros = execution.nowMicros();
    return switch (kind) {
      case DATE -> Math.floorDiv(micros, TemporalText.MICROS_PER_DAY);
      case TIME -> Math.floorMod(micros, TemporalText.MICROS_PER_DAY);
      default -> micros;
    };
  }
}
