package io.gpdb.jdbc;

import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.statement.Analyzed;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code ?} that a procedure returns a value for, OUT or INOUT.
 *
 * @param position its position in the statement, from 1
 * @param column that of the value in the row that the call returns, from 1
 */
record ReturnedParameter(int position, int column, boolean takesValue) {
  static List<ReturnedParameter> of(Analyzed.Call call) {
    List<RoutineParameter> returning =
        call.procedure().parameters().stream().filter(RoutineParameter::returnsValue).toList();
    List<ReturnedParameter> returned = new ArrayList<>();
    for (int i = 0; i < returning.size(); i++) {
      int mark = call.marks().get(i);
      if (mark >= 0) {
        returned.add(new ReturnedParameter(mark + 1, i + 1, returning.get(i).takesValue()));
      }
    }
    return returned;
  }
}
