package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.storage.error.ErrorCode;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What callers of JDBC say about generated keys; null is none. */
final class KeyRequests {
  private KeyRequests() {}

  static @Nullable KeyRequest of(int flag) throws SQLException {
    return switch (flag) {
      case Statement.RETURN_GENERATED_KEYS -> new KeyRequest.Generated();
      case Statement.NO_GENERATED_KEYS -> null;
      default ->
          throw SqlErrors.of(
              ErrorCode.INVALID_ARGUMENT,
              "keys are asked for by RETURN_GENERATED_KEYS (1) or NO_GENERATED_KEYS (2), not by "
                  + flag);
    };
  }

  static @Nullable KeyRequest of(int @Nullable [] columns) {
    return columns == null || columns.length == 0
        ? null
        : new KeyRequest.Positions(Arrays.stream(columns).boxed().toList());
  }

  static @Nullable KeyRequest of(String @Nullable [] columns) throws SQLException {
    if (columns == null || columns.length == 0) {
      return null;
    }
    for (String column : columns) {
      SqlErrors.given("the name of a key's column", column);
    }
    return new KeyRequest.Names(List.of(columns));
  }
}
