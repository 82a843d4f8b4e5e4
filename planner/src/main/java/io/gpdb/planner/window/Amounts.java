package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowFrame.Amount;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The numbers and intervals that a call has beside its arguments, row by row. */
final class Amounts {
  private final @Nullable BigDecimal constant;
  private final long whole;
  private final boolean isMonths;
  private final @Nullable WindowColumn column;

  Amounts(Amount amount, @Nullable WindowColumn column) {
    constant = amount.constant();
    whole = constant == null ? 0 : whole(constant);
    isMonths = amount.measure() == Amount.Measure.MONTHS;
    this.column = column;
  }

  /** Whether they are intervals of months. */
  boolean isMonths() {
    return isMonths;
  }

  boolean isNull(int row) {
    return column != null && column.isNull(row);
  }

  /** The number without its fraction, the nearest BIGINT where it is beyond. */
  long whole(int row) {
    return column == null ? whole : whole(exact(row));
  }

  BigDecimal exact(int row) {
    BigDecimal known = constant;
    if (known != null) {
      return known;
    }
    WindowColumn values = column;
    if (values == null) {
      throw new IllegalStateException("no number");
    }
    SqlTypeSpec.Kind kind = values.type().kind();
    if (kind.isInterval()) {
      return BigDecimal.valueOf(values.raw(row));
    }
    boolean isFloat = kind == SqlTypeSpec.Kind.REAL || kind == SqlTypeSpec.Kind.DOUBLE;
    return isFloat ? BigDecimal.valueOf(values.number(row)) : values.decimal(row);
  }

  private static long whole(BigDecimal number) {
    BigDecimal rounded = number.setScale(0, RoundingMode.DOWN);
    return rounded.unscaledValue().bitLength() < Long.SIZE
        ? rounded.longValue()
        : rounded.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }
}
