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
    List<ReturnedParameter> returned = new ArrayList<>();
    int column = 0;
    for (int i = 0; i < call.marks().size(); i++) {
      RoutineParameter parameter = call.procedure().parameters().get(i);
      int mark = call.marks().get(i);
      column += parameter.returnsValue() ? 1 : 0;
      if (parameter.returnsValue() && mark >= 0) {
        returned.add(new ReturnedParameter(mark + 1, column, parameter.takesValue()));
      }
    }
    return returned;
  }
}
