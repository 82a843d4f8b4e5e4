package io.gpdb.exec.library.lane;

import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import org.jspecify.annotations.Nullable;

/**
 * A value that a lane computed.
 *
 * @param value the value; a boolean is a {@link Type#PRED}. Without meaning where not present
 * @param present predicate "is not NULL"; null when the value is never NULL
 */
public record LaneValue(Reg value, @Nullable Reg present) {
  public LaneValue {
    if (present != null && present.type() != Type.PRED) {
      throw new IllegalArgumentException("present is " + present.type().text() + ", not pred");
    }
  }

  /** A value that is never NULL. */
  public static LaneValue of(Reg value) {
    return new LaneValue(value, null);
  }

  public Type type() {
    return value.type();
  }

  public boolean isNullable() {
    return present != null;
  }
}
