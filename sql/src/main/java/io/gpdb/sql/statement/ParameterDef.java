package io.gpdb.sql.statement;

import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;

/**
 * A {@code ?} of a statement.
 *
 * @param certain false when its type does not follow from the place of the parameter and is a
 *     guess: analyse again with the types of the bound values
 * @param use what becomes of a value that the type cannot represent
 */
public record ParameterDef(SqlTypeSpec type, boolean certain, Use use) {
  /** One whose value is stored. */
  public ParameterDef(SqlTypeSpec type) {
    this(type, true, Use.STORED);
  }

  /** What a statement does with a value. */
  public enum Use {
    /** It is stored or cast: rounded to the type. */
    STORED,
    /** It is an operand of a computation: refused when the type does not hold it. */
    COMPUTED,
    /** It is only compared: analyse again with its {@link ParameterFit}. */
    COMPARED
  }
}
