package io.gpdb.sql.parser;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.IsolationLevel;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Modes of a transaction as they are written, each at most once. */
public final class TransactionModes {
  private @Nullable IsolationLevel level;
  private @Nullable Boolean readOnly;
  private boolean diagnostics;

  /** Sees ISOLATION LEVEL. */
  public void level(IsolationLevel asked, SqlParserPos place) {
    require(level == null, "ISOLATION LEVEL", place);
    level = asked;
  }

  /** Sees READ ONLY or READ WRITE. */
  public void readOnly(boolean only, SqlParserPos place) {
    require(readOnly == null, "READ ONLY or READ WRITE", place);
    readOnly = only;
  }

  /** Sees DIAGNOSTICS SIZE: one exception is kept whatever it says. */
  public void diagnostics(SqlParserPos place) {
    require(!diagnostics, "DIAGNOSTICS SIZE", place);
    diagnostics = true;
  }

  public @Nullable IsolationLevel level() {
    return level;
  }

  public @Nullable Boolean readOnly() {
    return readOnly;
  }

  private static void require(boolean first, String mode, SqlParserPos place) {
    if (!first) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          mode
              + " is said twice at line "
              + place.getLineNum()
              + ", column "
              + place.getColumnNum());
    }
  }
}
