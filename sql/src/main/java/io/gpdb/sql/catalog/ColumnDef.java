package io.gpdb.sql.catalog;

import io.gpdb.sql.type.SqlTypeSpec;
import org.jspecify.annotations.Nullable;

/** A column of a table; {@code defaultSql} is the text of its DEFAULT expression. */
public record ColumnDef(
    String name, SqlTypeSpec type, boolean nullable, @Nullable String defaultSql) {}
