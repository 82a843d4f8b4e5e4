package io.gpdb.planner.bridge;

import io.gpdb.sql.tree.SubQueryFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates subqueries while a {@link BridgeQuery} runs. */
public interface SubQueryValues {
  /** The value of a call; it and the arguments as {@link BridgeValues} describes them. */
  @Nullable Object value(SubQueryFunction function, @Nullable Object[] arguments);

  /** Those of one run, called from generated code. */
  record Run(List<SubQueryFunction> functions, SubQueryValues values) {
    public @Nullable Object value(int function, @Nullable Object[] arguments) {
      return values.value(functions.get(function), arguments);
    }
  }
}
