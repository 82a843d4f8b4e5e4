package io.gpdb.planner.bridge;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
  private static final Map<Method, SqlOperator> SCALARS = new ConcurrentHashMap<>();

  private BridgeOperators() {}

  /** What calls a static method. */
  static SqlOperator scalar(Method method) {
    return SCALARS.computeIfAbsent(
        method,
        m ->
            new SqlUserDefinedFunction(
                new SqlIdentifier("GPDB_" + m.getName(), SqlParserPos.ZERO),
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.ARG0,
                InferTypes.RETURN_TYPE,
                null,
                ScalarFunctionImpl.create(m)));
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
