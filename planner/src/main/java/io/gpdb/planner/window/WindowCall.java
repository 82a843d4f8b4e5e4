package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowFrame.Amount;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function over a window.
 *
 * @param arguments fields of the input
 * @param amount the offset of LAG and LEAD, the tiles of NTILE
 * @param type the result's
 */
public record WindowCall(
    Function function,
    List<Integer> arguments,
    boolean distinct,
    @Nullable Amount amount,
    WindowFrame frame,
    SqlTypeSpec type,
    String text) {
  /** What a call computes. */
  public enum Function {
    ROW_NUMBER,
    RANK,
    DENSE_RANK,
    NTILE,
    LAG,
    LEAD,
    /** Whether LAG or LEAD have a row or no offset, as TRUE or NULL. */
    HAS_LAG,
    HAS_LEAD,
    FIRST_VALUE,
    LAST_VALUE,
    COUNT,
    SUM,
    /** SUM with 0 for no rows. */
    SUM_OR_ZERO,
    AVG,
    MIN,
    MAX,
    ARG_MIN,
    ARG_MAX,
    VAR_POP,
    VAR_SAMP,
    STDDEV_POP,
    STDDEV_SAMP,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    MODE,
    LISTAGG;

    /** Whether the result is one of the values of the first argument, and has its type. */
    public boolean returnsArgument() {
      return switch (this) {
        case LAG, LEAD, FIRST_VALUE, LAST_VALUE, MIN, MAX, ARG_MIN, ARG_MAX, MODE -> true;
        default -> false;
      };
    }

    boolean needsPeers() {
      return this == RANK || this == DENSE_RANK;
    }

    /** Whether it is an aggregate of the rows of a frame. */
    boolean isAggregate() {
      return compareTo(COUNT) >= 0;
    }

    /** Whether it is computed of a frame. */
    public boolean hasFrame() {
      return isAggregate() || this == FIRST_VALUE || this == LAST_VALUE;
    }
  }

  boolean needsPeers() {
    return function.needsPeers() || (function.hasFrame() && frame.needsPeers());
  }

  /** For EXPLAIN. */
  public String described() {
    boolean framed = function.hasFrame() && !frame.equals(WindowFrame.PARTITION);
    return framed ? text + " " + frame.text() : text;
  }
}
