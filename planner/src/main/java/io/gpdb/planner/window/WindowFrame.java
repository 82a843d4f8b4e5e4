package io.gpdb.planner.window;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Which rows of its partition a row's frame has. */
public record WindowFrame(Unit unit, Bound lower, Bound upper, Exclusion exclusion) {
  /** In what a distance is measured. */
  public enum Unit {
    ROWS,
    /** Peers: rows with equal keys of the order are one group. */
    GROUPS,
    /** Values of the only key of the order; rows with equal keys are one place. */
    RANGE
  }

  /** What the frame leaves out. */
  public enum Exclusion {
    NOTHING,
    CURRENT_ROW,
    /** The row and its peers. */
    GROUP,
    /** The row's peers. */
    TIES
  }

  /** On which side of the row a frame begins or ends. */
  public enum Side {
    PARTITION_START,
    PRECEDING,
    CURRENT_ROW,
    FOLLOWING,
    PARTITION_END
  }

  /**
   * A number, or an interval as its months or microseconds: a constant, or a field of the input
   * where the constant is null.
   */
  public record Amount(@Nullable BigDecimal constant, int field, Measure measure) {
    /** The unit of an amount. */
    public enum Measure {
      NUMBER,
      MONTHS,
      MICROS
    }

    public static Amount of(BigDecimal constant) {
      return new Amount(constant, -1, Measure.NUMBER);
    }
  }

  /** Where a frame begins or ends; only PRECEDING and FOLLOWING have a distance. */
  public record Bound(Side side, @Nullable Amount distance) {
    public boolean hasDistance() {
      return distance != null;
    }
  }

  /** All rows of the partition. */
  public static final WindowFrame PARTITION =
      new WindowFrame(
          Unit.ROWS,
          new Bound(Side.PARTITION_START, null),
          new Bound(Side.PARTITION_END, null),
          Exclusion.NOTHING);

  /** Whether rows with equal keys of the order must be known. */
  boolean needsPeers() {
    return unit != Unit.ROWS || exclusion == Exclusion.GROUP || exclusion == Exclusion.TIES;
  }

  boolean hasRangeDistance() {
    return unit == Unit.RANGE && (lower.hasDistance() || upper.hasDistance());
  }

  /** As in SQL, for EXPLAIN. */
  String text() {
    String text =
        unit.name().toLowerCase(java.util.Locale.ROOT)
            + " "
            + text(lower, "unbounded preceding")
            + " to "
            + text(upper, "unbounded following");
    return exclusion == Exclusion.NOTHING
        ? text
        : text
            + " without "
            + exclusion.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }

  private static String text(Bound bound, String unbounded) {
    return switch (bound.side()) {
      case PARTITION_START, PARTITION_END -> unbounded;
      case CURRENT_ROW -> "current row";
      case PRECEDING -> distance(bound) + " preceding";
      case FOLLOWING -> distance(bound) + " following";
    };
  }

  private static String distance(Bound bound) {
    Amount amount = bound.distance();
    BigDecimal constant = amount == null ? null : amount.constant();
    return constant == null ? "n" : constant.toPlainString();
  }
}
