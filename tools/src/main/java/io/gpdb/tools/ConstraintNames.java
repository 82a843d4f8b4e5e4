package io.gpdb.tools;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the name of the constraint in the message of what violated it. */
final class ConstraintNames {
  private static final Pattern NAME =
      Pattern.compile(
          "(?:constraint|key|PRIMARY KEY|UNIQUE)\\s+\"?([A-Za-z_][\\w$]*)\"?",
          Pattern.CASE_INSENSITIVE);

  private ConstraintNames() {}

  static @Nullable String violatedBy(SQLException failure) {
    String state = failure.getSQLState();
    String message = failure.getMessage();
    if (state == null || !state.startsWith("23") || message == null) {
      return null;
    }
    Matcher name = NAME.matcher(message);
    return name.find() ? name.group(1) : null;
  }
}
