package io.gpdb.planner.bridge;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.schema.impl.AggregateFunctionImpl;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.apache.calcite.util.Optionality;

/** Operators of Calcite that call our static methods and aggregate classes. */
final class BridgeOperators {
  private static final Map<String, SqlOperator> SCALARS = new HashMap<>();

  static {
    addScalars(BridgeNumbers.class);
    addScalars(BridgeCasts.class);
    addScalars(BridgeTimes.class);
    addScalars(BridgeStrings.class);
  }

  private BridgeOperators() {}

  private static void addScalars(Class<?> holder) {
    for (Method method : holder.getDeclaredMethods()) {
      if (java.lang.reflect.Modifier.isPublic(method.getModifiers())) {
        SCALARS.put(method.getName(), scalar(method));
      }
    }
  }

  private static SqlOperator scalar(Method method) {
    return new SqlUserDefinedFunction(
        new SqlIdentifier("GPDB_" + method.getName(), SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        InferTypes.RETURN_TYPE,
        null,
        ScalarFunctionImpl.create(method));
  }

  static SqlOperator scalar(String name) {
    SqlOperator operator = SCALARS.get(name);
    if (operator == null) {
      throw new IllegalArgumentException(name);
    }
    return operator;
  }

  /** An aggregate that calls the static methods init, add and result of a class. */
  static SqlAggFunction aggregate(Class<?> holder, SqlKind kind, RelDataType type) {
    AggregateFunctionImpl function = AggregateFunctionImpl.create(holder);
    if (function == null) {
      throw new IllegalArgumentException(holder.getName());
    }
    return new SqlUserDefinedAggFunction(
        new SqlIdentifier("GPDB_" + holder.getSimpleName(), SqlParserPos.ZERO),
        kind,
        ReturnTypes.explicit(type),
        InferTypes.RETURN_TYPE,
        null,
        function,
        false,
        false,
        Optionality.FORBIDDEN);
  }
}
