package io.gpdb.sql.type;

import java.math.BigDecimal;

/** Where a value that is compared is among the values that its parameter's type holds. */
public enum ParameterFit {
  /** It is one of them. */
  HELD,
  /** It is less than all of them. */
  BELOW,
  /** It is between two of them; the lesser is bound. */
  BETWEEN,
  /** It is greater than all of them. */
  ABOVE;

  /**
   * Where a number is among those of an exact type, from {@code least} to {@code greatest}.
   *
   * @param floor the number rounded down to the type's digits after the point
   */
  public static ParameterFit of(
      BigDecimal number, BigDecimal floor, BigDecimal least, BigDecimal greatest) {
    if (floor.compareTo(greatest) > 0) {
      return ABOVE;
    }
    if (floor.compareTo(least) < 0) {
      return BELOW;
    }
    return floor.compareTo(number) == 0 ? HELD : BETWEEN;
  }
}
