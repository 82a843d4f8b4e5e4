package io.gpdb.session.copy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import java.nio.charset.StandardCharsets;

/** Why one field cannot be a value of its column; the reader adds the line and the column. */
final class FieldError extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_BYTES_MAX = 60;

  private final ErrorCondition code;

  FieldError(ErrorCondition code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  static FieldError notA(String type, byte[] buffer, int start, int end) {
    return new FieldError(
        SqlCondition.INVALID_CAST, "'" + shown(buffer, start, end) + "' is not a value of " + type);
  }

  static FieldError outOfRange(String type, byte[] buffer, int start, int end) {
    return new FieldError(
        ErrorCode.NUMERIC_OUT_OF_RANGE,
        "'" + shown(buffer, start, end) + "' is out of the range of " + type);
  }

  ErrorCondition code() {
    return code;
  }

  static String shown(byte[] buffer, int start, int end) {
    int length = Math.min(end - start, SHOWN_BYTES_MAX);
    String text = new String(buffer, start, length, StandardCharsets.UTF_8);
    return length < end - start ? text + "…" : text;
  }
}
