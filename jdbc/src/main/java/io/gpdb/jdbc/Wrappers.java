package io.gpdb.jdbc;

import io.gpdb.storage.ErrorCode;
import java.sql.SQLException;

/** The {@code Wrapper} half of every class of the driver: none wraps another. */
final class Wrappers {
  private Wrappers() {}

  static <T> T unwrap(Object self, Class<T> type) throws SQLException {
    if (type.isInstance(self)) {
      return type.cast(self);
    }
    throw SqlErrors.of(
        ErrorCode.INVALID_ARGUMENT,
        self.getClass().getSimpleName() + " is not a " + type.getName());
  }
}
