package io.gpdb.sql.direct;

import io.gpdb.sql.statement.ParameterDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a statement, each with what is known of it once it was read. */
final class DirectParameters {
  private final @Nullable ParameterDef[] known;

  DirectParameters(DirectText text) {
    known = new @Nullable ParameterDef[text.parameter(text.end())];
  }

  void set(int number, ParameterDef parameter) {
    known[number] = parameter;
  }

  /** All of them, in their order. */
  List<ParameterDef> all() {
    List<ParameterDef> all = new ArrayList<>();
    for (ParameterDef parameter : known) {
      if (parameter == null) {
        throw NotDirect.here();
      }
      all.add(parameter);
    }
    return List.copyOf(all);
  }
}
