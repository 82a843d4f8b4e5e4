package io.gpdb.sql.parser;

import org.apache.calcite.sql.SqlIdentifier;
import org.jspecify.annotations.Nullable;

/** A constraint as CREATE TABLE or ALTER TABLE writes it, at a column or at the table. */
public sealed interface ConstraintClause permits KeyClause, CheckClause, ForeignKeyClause {
  /** Null where none is given. */
  @Nullable SqlIdentifier name();
}
