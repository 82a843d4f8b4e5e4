package io.gpdb.planner.rewrite;

import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.sql.type.DecimalTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import org.apache.calcite.rel.type.RelDataType;

/** Which sums may be made of sums of parts of the rows. */
public final class SumParts {
  /** Digits of numbers of which a hundred million have a sum of 18. */
  private static final int DIGITS_MAX = 10;

  private SumParts() {}

  /**
   * Whether no part of a sum of such values leaves its type where the sum does not. Not of floats:
   * their sums follow the order of the rows.
   */
  public static boolean addUp(RelDataType type) {
    try {
      SqlTypeSpec spec = RexValues.spec(type);
      return spec.kind().isExact() && DecimalTypes.wholeDigits(spec) + spec.scale() <= DIGITS_MAX;
    } catch (NotCovered e) {
      return false;
    }
  }
}
