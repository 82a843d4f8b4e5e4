package io.gpdb.sql.statement;

import io.gpdb.sql.type.SqlTypeSpec;
import org.jspecify.annotations.Nullable;

/**
 * A column of a result.
 *
 * @param schema the schema of its table, when the column is one of a table; else null
 * @param table its table
 * @param column its name in that table, which the result may call by another one
 * @param isOfRow whether the rows of the result are rows of that table, each at most once, so that
 *     changing the column of a row of the result can only mean that row
 * @param isIdentity whether it is an identity column of that table
 */
public record OutputColumn(
    String name,
    SqlTypeSpec type,
    boolean nullable,
    @Nullable String schema,
    @Nullable String table,
    @Nullable String column,
    boolean isOfRow,
    boolean isIdentity) {
  /** A column that is computed. */
  public OutputColumn(String name, SqlTypeSpec type, boolean nullable) {
    this(name, type, nullable, null, null, null, false, false);
  }
}
