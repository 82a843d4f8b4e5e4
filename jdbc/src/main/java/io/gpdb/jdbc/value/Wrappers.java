package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCode;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The {@code Wrapper} half of every class of the driver: none wraps another. */
public final class Wrappers {
  private Wrappers() {}

  public static boolean isOf(Object self, @Nullable Class<?> type) {
    return type != null && type.isInstance(self);
  }

  public static <T> T unwrap(Object self, Class<T> type) throws SQLException {
    if (SqlErrors.given("the type to unwrap", type).isInstance(self)) {
      return type.cast(self);
    }
    throw SqlErrors.of(
        ErrorCode.INVALID_ARGUMENT, "this object of the driver is no " + type.getSimpleName());
  }
}
