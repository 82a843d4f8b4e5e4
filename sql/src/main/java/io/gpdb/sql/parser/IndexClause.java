package io.gpdb.sql.parser;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/**
 * A column of an index as CREATE INDEX writes it.
 *
 * @param nullsFirst null where it is not said
 */
public record IndexClause(SqlIdentifier column, boolean descending, @Nullable Boolean nullsFirst) {

  /** Refuses what is no column. */
  public static IndexClause of(SqlNode column, boolean descending, @Nullable Boolean nullsFirst) {
    if (column instanceof SqlIdentifier name && name.isSimple()) {
      return new IndexClause(name, descending, nullsFirst);
    }
    throw ParseErrors.refused("an expression as part of an index", column.getParserPosition());
  }
}
