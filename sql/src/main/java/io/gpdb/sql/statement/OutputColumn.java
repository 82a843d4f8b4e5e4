package io.gpdb.sql.statement;

import io.gpdb.sql.type.SqlTypeSpec;
import org.jspecify.annotations.Nullable;

/** A column of a result; {@code table} is its table when the column is one of a table. */
public record OutputColumn(
    String name, SqlTypeSpec type, boolean nullable, @Nullable String table) {}
