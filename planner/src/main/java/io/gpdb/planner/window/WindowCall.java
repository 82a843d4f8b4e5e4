package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowFrame.Amount;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function over a window.
 *
 * @param arguments fields of the input
 * @param amount the offset of LAG and LEAD, the tiles of NTILE, which row NTH_VALUE takes
 * @param isPresent whether only rows with a value count, for LAG, LEAD and values of frames
 * @param filter the field that is TRUE for the rows that an aggregate takes, -1 for all rows
 * @param type the result's
 */
public record WindowCall(
    Function function,
    List<Integer> arguments,
    boolean distinct,
    boolean isPresent,
    @Nullable Amount amount,
    WindowFrame frame,
    int filter,
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
    NTH_VALUE,
    /** NTH_VALUE counted from the end of the frame. */
    NTH_VALUE_FROM_LAST,
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
    LISTAGG,
    MEDIAN,
    /** Of a share and the values. */
    PERCENTILE_CONT,
    PERCENTILE_DISC,
    COVAR_POP,
    COVAR_SAMP,
    CORR,
    REGR_AVGX,
    REGR_AVGY,
    REGR_COUNT,
    REGR_INTERCEPT,
    REGR_R2,
    REGR_SLOPE,
    REGR_SXX,
    REGR_SXY,
    REGR_SYY;

    /** Functions that Calcite knows by no kind. */
    public static final Set<Function> ONLY_BY_NAME = EnumSet.range(MEDIAN, REGR_SYY);

    /** Functions of pairs of numbers. */
    static final Set<Function> OF_PAIRS = EnumSet.range(COVAR_POP, REGR_SYY);

    /** Whether the result is one of the values of an argument, and has its type. */
    public boolean returnsArgument() {
      return switch (this) {
        case LAG,
            LEAD,
            FIRST_VALUE,
            LAST_VALUE,
            NTH_VALUE,
            NTH_VALUE_FROM_LAST,
            MIN,
            MAX,
            ARG_MIN,
            ARG_MAX,
            MODE,
            PERCENTILE_DISC ->
            true;
        default -> false;
      };
    }

    /** The argument of which a value is returned. */
    public int returned() {
      return this == PERCENTILE_DISC ? 1 : 0;
    }

    boolean needsPeers() {
      return this == RANK || this == DENSE_RANK;
    }

    /** Whether it is an aggregate of the rows of a frame. */
    public boolean isAggregate() {
      return compareTo(COUNT) >= 0;
    }

    /** Whether it is computed of a frame. */
    public boolean hasFrame() {
      return isAggregate() || isOfPlace();
    }

    /** Whether it is the value of one row of a frame. */
    boolean isOfPlace() {
      return switch (this) {
        case FIRST_VALUE, LAST_VALUE, NTH_VALUE, NTH_VALUE_FROM_LAST -> true;
        default -> false;
      };
    }
  }

  /** Adds the fields of the input that are arguments or the filter. */
  void addRead(BitSet fields) {
    arguments.forEach(fields::set);
    if (filter >= 0) {
      fields.set(filter);
    }
  }

  /** The field of which a value is returned. */
  int returned() {
    return arguments.get(function.returned());
  }

  /** Whether its results are strings that it makes. */
  boolean makesStrings() {
    return type.kind().isString() && !function.returnsArgument();
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
