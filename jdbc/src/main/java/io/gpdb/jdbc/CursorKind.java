package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.storage.error.ErrorCode;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How a result set moves, whether rows are changed through it, and whether it outlives a commit.
 */
record CursorKind(int type, int concurrency, int holdability) {
  /** What {@code createStatement()} makes. */
  static final CursorKind FORWARD =
      new CursorKind(
          ResultSet.TYPE_FORWARD_ONLY,
          ResultSet.CONCUR_READ_ONLY,
          ResultSet.CLOSE_CURSORS_AT_COMMIT);

  /** Refuses numbers that JDBC does not know. */
  static CursorKind of(int type, int concurrency, int holdability) throws SQLException {
    requireKnown(
        "type",
        type,
        ResultSet.TYPE_FORWARD_ONLY,
        ResultSet.TYPE_SCROLL_INSENSITIVE,
        ResultSet.TYPE_SCROLL_SENSITIVE);
    requireKnown(
        "concurrency", concurrency, ResultSet.CONCUR_READ_ONLY, ResultSet.CONCUR_UPDATABLE);
    requireHoldability(holdability);
    return new CursorKind(type, concurrency, holdability);
  }

  static void requireHoldability(int holdability) throws SQLException {
    requireKnown(
        "holdability",
        holdability,
        ResultSet.CLOSE_CURSORS_AT_COMMIT,
        ResultSet.HOLD_CURSORS_OVER_COMMIT);
  }

  static void requireDirection(int direction) throws SQLException {
    requireKnown(
        "direction",
        direction,
        ResultSet.FETCH_FORWARD,
        ResultSet.FETCH_REVERSE,
        ResultSet.FETCH_UNKNOWN);
  }

  private static void requireKnown(String what, int given, int... known) throws SQLException {
    for (int one : known) {
      if (given == one) {
        return;
      }
    }
    throw SqlErrors.of(
        ErrorCode.INVALID_ARGUMENT, "a result set has no " + what + " of number " + given);
  }

  boolean isSensitive() {
    return type == ResultSet.TYPE_SCROLL_SENSITIVE;
  }

  /** The same, but not seeing what others change. */
  CursorKind insensitive() {
    return isSensitive()
        ? new CursorKind(ResultSet.TYPE_SCROLL_INSENSITIVE, concurrency, holdability)
        : this;
  }

  CursorKind readOnly() {
    return new CursorKind(type, ResultSet.CONCUR_READ_ONLY, holdability);
  }

  boolean isUpdatable() {
    return concurrency == ResultSet.CONCUR_UPDATABLE;
  }

  boolean isForwardOnly() {
    return type == ResultSet.TYPE_FORWARD_ONLY;
  }

  boolean isHoldable() {
    return holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT;
  }

  /** Whether its rows are read while the engine makes them, and none is kept. */
  boolean isStreamed() {
    return isForwardOnly() && !isUpdatable();
  }
}
