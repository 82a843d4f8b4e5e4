package io.gpdb.sql.parser;

import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * A routine as statements other than CREATE and CALL name it.
 *
 * @param specific whether the name is its specific name
 * @param types those of its parameters, where they are written
 */
public record RoutineReference(
    Kind kind, boolean specific, SqlIdentifier name, @Nullable List<SqlDataTypeSpec> types) {
  /** What it has to be. */
  public enum Kind {
    FUNCTION,
    PROCEDURE,
    ROUTINE
  }

  public RoutineReference {
    types = types == null ? null : List.copyOf(types);
  }
}
