package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCondition;
import java.sql.SQLException;
import java.util.List;

/** Columns and parameters as JDBC counts them, from 1. */
public final class Positions {
  private Positions() {}

  /** What is at a position, of which {@code name} says what it is. */
  public static <T> T checked(List<T> all, int position, ErrorCondition code, String name)
      throws SQLException {
    if (position < 1 || position > all.size()) {
      throw SqlErrors.of(code, name + " " + position + " is not between 1 and " + all.size());
    }
    return all.get(position - 1);
  }
}
