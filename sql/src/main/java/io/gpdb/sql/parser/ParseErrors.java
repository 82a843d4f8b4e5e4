package io.gpdb.sql.parser;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** What the parser raises for what it knows and does not take. */
public final class ParseErrors {
  private ParseErrors() {}

  /** Throws 0A000 for something that parses but is not supported. */
  @SuppressWarnings("DoNotCallSuggester") // a statement of the generated parser
  public static void refuse(String what, SqlParserPos position) {
    throw refused(what, position);
  }

  /** The error 0A000 of something that parses but is not supported. */
  public static GpdbException refused(String what, SqlParserPos position) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        what
            + " is not supported at line "
            + position.getLineNum()
            + ", column "
            + position.getColumnNum());
  }

  /** Throws 0A000 unless the key has one column: then a row has a parent or is NULL in any case. */
  public static void refuseMatch(String match, SqlNodeList columns, SqlParserPos position) {
    if (columns.size() > 1) {
      throw refused(match, position);
    }
  }

  /** Throws 0A000 for WITH before a statement without a query. */
  public static void refuseWith(@Nullable SqlNodeList with) {
    if (with != null) {
      throw refused("WITH before INSERT … DEFAULT VALUES", with.getParserPosition());
    }
  }

  /** The error 42601 of something that no statement may say. */
  public static GpdbException wrong(String message, SqlParserPos position) {
    return new GpdbException(
        SqlCondition.SYNTAX,
        message + " at line " + position.getLineNum() + ", column " + position.getColumnNum());
  }

  /** Throws 42601 with the place of the identifier unless the claim holds. */
  public static void require(boolean claim, String message, SqlIdentifier place) {
    if (!claim) {
      throw wrong(message, place.getParserPosition());
    }
  }
}
