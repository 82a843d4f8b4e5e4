package io.gpdb.session.copy;

import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import org.jspecify.annotations.Nullable;

/** Says where in a file something is wrong. */
record CopyPlace(String file) {
  GpdbException bad(ErrorCondition code, long line, String message) {
    return new GpdbException(code, file + ": line " + line + ": " + message);
  }

  /** Fields count from 0; {@code column} is the table's, when it is known. */
  GpdbException bad(
      ErrorCondition code, long line, int field, @Nullable String column, String message) {
    String name = column == null ? "" : " (" + column + ")";
    return new GpdbException(
        code, file + ": line " + line + ", column " + (field + 1) + name + ": " + message);
  }
}
