package io.gpdb.sql.dialect;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;

/** {@code row MATCH [UNIQUE] [SIMPLE | PARTIAL | FULL] (query)}. */
public final class MatchOperator extends SqlBinaryOperator {
  /** What NULLs in the row mean. */
  public enum Kind {
    /** A row with a NULL matches. */
    SIMPLE,
    /** NULLs match whatever is in their places. */
    PARTIAL,
    /** A row of NULLs matches, one with some NULLs does not. */
    FULL
  }

  /** That of IN. */
  private static final int PRECEDENCE = 32;

  private final boolean unique;
  private final Kind match;

  public MatchOperator(boolean unique, Kind match) {
    super(
        "MATCH",
        SqlKind.OTHER,
        PRECEDENCE,
        true,
        ReturnTypes.BOOLEAN_NOT_NULL,
        null,
        OperandTypes.ANY_ANY);
    this.unique = unique;
    this.match = match;
  }

  /** Whether one row alone may match. */
  public boolean isUnique() {
    return unique;
  }

  public Kind match() {
    return match;
  }
}
