package io.gpdb.exec.library.lane;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which of the small differences between launches a kernel text is written for.
 *
 * @param live whether a bitmap says which rows exist; otherwise all do
 * @param validity the columns that have a validity bitmap
 * @param nullParameters the parameters that are NULL
 * @param match how the rows of another table are looked up; null where there is none
 */
public record LaneVariant(
    boolean live, BitSet validity, BitSet nullParameters, RowMatch.@Nullable Shape match) {
  /** Without another table. */
  public LaneVariant(boolean live, BitSet validity, BitSet nullParameters) {
    this(live, validity, nullParameters, null);
  }

  public static LaneVariant of(LaneBindings bindings, boolean live) {
    BitSet validity = new BitSet();
    for (int i = 0; i < bindings.inputs().columnCount(); i++) {
      if (bindings.validity(i) != null) {
        validity.set(i);
      }
    }
    BitSet nullParameters = new BitSet();
    for (int i = 0; i < bindings.inputs().parameterCount(); i++) {
      if (bindings.isParameterNull(i)) {
        nullParameters.set(i);
      }
    }
    return new LaneVariant(live, validity, nullParameters, shape(bindings));
  }

  private static RowMatch.@Nullable Shape shape(LaneBindings bindings) {
    RowMatch match = bindings.match();
    return match == null ? null : match.shape();
  }

  /** Whether {@link #of} is equal to this. */
  public boolean isOf(LaneBindings bindings, boolean isLive) {
    if (live != isLive || !Objects.equals(match, shape(bindings))) {
      return false;
    }
    for (int i = 0; i < bindings.inputs().columnCount(); i++) {
      if (validity.get(i) != (bindings.validity(i) != null)) {
        return false;
      }
    }
    return hasNullsOf(bindings);
  }

  /** Whether the same parameters are NULL. */
  public boolean hasNullsOf(LaneBindings bindings) {
    for (int i = 0; i < bindings.inputs().parameterCount(); i++) {
      if (nullParameters.get(i) != bindings.isParameterNull(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a kernel may not see some of the rows. */
  public boolean dropsRows() {
    return live || (match != null && match.passing() != RowMatch.Passing.ALL);
  }

  /** The usual case: all rows live, no NULLs. */
  public static LaneVariant plain() {
    return new LaneVariant(false, new BitSet(), new BitSet());
  }

  /** The widest case: a live bitmap, validity wherever it may be, and all parameters NULL. */
  public static LaneVariant full(LaneInputs inputs) {
    BitSet validity = new BitSet();
    for (int i = 0; i < inputs.columnCount(); i++) {
      validity.set(i, inputs.column(i).nullable());
    }
    BitSet nullParameters = new BitSet();
    nullParameters.set(0, inputs.parameterCount());
    return new LaneVariant(true, validity, nullParameters);
  }
}
