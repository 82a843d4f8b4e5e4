package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a call by the names that its procedure has for them. */
final class CallNames {
  private CallNames() {}

  /**
   * The position in the statement of a parameter, as it is called or, where none is, in letters of
   * any case.
   *
   * @param call null where no procedure is called
   */
  static int position(Analyzed.@Nullable Call call, @Nullable Object name) throws SQLException {
    if (call == null) {
      throw SqlErrors.notSupported("a parameter by its name, but of a procedure,");
    }
    String wanted = SqlErrors.given("the name of a parameter", (String) name);
    List<String> names =
        call.procedure().parameters().stream().map(RoutineParameter::name).toList();
    int found = names.indexOf(wanted);
    for (int i = 0; i < names.size() && found < 0; i++) {
      found = names.get(i).equalsIgnoreCase(wanted) ? i : -1;
    }
    if (found < 0 || call.marks().get(found) < 0) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT,
          found < 0
              ? "procedure %s has no parameter %s".formatted(call.procedure().fullName(), wanted)
              : "the argument of parameter %s is no ?".formatted(wanted));
    }
    return call.marks().get(found) + 1;
  }
}
