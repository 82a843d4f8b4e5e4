package io.gpdb.planner.batch;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.function.Supplier;

/** A column of a source's rows. */
public record SourceColumn(String name, SqlTypeSpec type, boolean nullable) {
  private static final String CALCITES_PREFIX = "$f";

  /**
   * The column named by a text that describes its values, where its name is a number of Calcite's.
   */
  public SourceColumn told(Supplier<String> text) {
    return name.startsWith(CALCITES_PREFIX) ? new SourceColumn(text.get(), type, nullable) : this;
  }
}
