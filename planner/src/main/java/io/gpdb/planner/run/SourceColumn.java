package io.gpdb.planner.run;

import io.gpdb.sql.SqlTypeSpec;

/** A column of a source's rows. */
public record SourceColumn(String name, SqlTypeSpec type, boolean nullable) {}
