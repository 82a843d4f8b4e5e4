package io.gpdb.sql;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the text of a statement into an {@link Analyzed}; safe for use by several threads. */
public final class SqlFrontEnd {
  /**
   * Parses and validates one statement. {@code parameterTypes}, when given, are the types of the
   * bound values and decide where the place of a parameter does not.
   */
  public Analyzed analyze(
      String sql, CatalogSnapshot catalog, @Nullable List<SqlTypeSpec> parameterTypes) {
    if (sql.isBlank()) {
      throw new GpdbException(ErrorCode.SYNTAX, "the statement is empty");
    }
    throw new GpdbException(ErrorCode.NOT_SUPPORTED, "not built yet");
  }

  /** Splits a script at its semicolons, minding strings, quoted names and comments. */
  public static List<String> splitStatements(String script) {
    return List.of(script);
  }
}
