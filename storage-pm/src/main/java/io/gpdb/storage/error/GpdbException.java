package io.gpdb.storage.error;

import org.jspecify.annotations.Nullable;

/** The one exception of the engine; its message names the value, the limit and the place. */
public final class GpdbException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCondition code;

  public GpdbException(ErrorCondition code, String message) {
    this(code, message, null);
  }

  public GpdbException(ErrorCondition code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public ErrorCondition code() {
    return code;
  }

  public String sqlState() {
    return code.sqlState();
  }
}
