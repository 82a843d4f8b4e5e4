package io.gpdb.planner.function;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.ReturnTypes;
import org.jspecify.annotations.Nullable;

/** A static method as an operator that the host calls, with the host's values; NULL is NULL. */
public final class MethodOperator extends SqlFunction {
  private final String name;

  /** Null where {@link BasicArithmetic} calls the method. */
  private final @Nullable MethodHandle handle;

  private final Class<?>[] parameters;

  MethodOperator(Method method) {
    super(
        "GPDB_" + method.getName(),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    parameters = method.getParameterTypes();
    name = method.getName();
    handle = BasicArithmetic.has(method) ? null : handle(method);
  }

  static MethodHandle handle(Method method) {
    try {
      return MethodHandles.lookup()
          .unreflect(method)
          .asSpreader(Object[].class, method.getParameterCount())
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(method.toString(), e);
    }
  }

  /** The value for arguments of which none is NULL; null for NULL. */
  public @Nullable Object call(Object[] arguments) {
    @Nullable Object[] taken = new Object[arguments.length];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = taken(parameters[i], arguments[i]);
    }
    if (handle == null) {
      return given(BasicArithmetic.call(name, taken));
    }
    try {
      return given((@Nullable Object) handle.invokeExact(taken));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(getName(), e);
    }
  }

  // Plain tests of types: a switch over patterns costs several times as much until it is compiled.

  private static Object taken(Class<?> parameter, Object argument) {
    if (argument instanceof Number number) {
      return takenNumber(parameter, number);
    }
    return argument instanceof byte[] bytes ? new ByteString(bytes) : argument;
  }

  private static Object takenNumber(Class<?> parameter, Number number) {
    if (parameter == double.class) {
      return number.doubleValue();
    }
    if (parameter == float.class) {
      return number.floatValue();
    }
    if (number instanceof Long && parameter == int.class) {
      return number.intValue();
    }
    return number instanceof Long && parameter == BigDecimal.class
        ? BigDecimal.valueOf(number.longValue())
        : number;
  }

  private static @Nullable Object given(@Nullable Object value) {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    return value instanceof ByteString bytes ? bytes.getBytes() : value;
  }
}
