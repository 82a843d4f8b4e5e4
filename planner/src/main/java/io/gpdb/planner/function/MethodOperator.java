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

  private static Object taken(Class<?> parameter, Object argument) {
    return switch (argument) {
      case Long number when parameter == int.class -> number.intValue();
      case Number number when parameter == double.class -> number.doubleValue();
      case Number number when parameter == float.class -> number.floatValue();
      case Long number when parameter == BigDecimal.class -> BigDecimal.valueOf(number);
      case byte[] bytes -> new ByteString(bytes);
      default -> argument;
    };
  }

  private static @Nullable Object given(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case ByteString bytes -> bytes.getBytes();
      default -> value;
    };
  }
}
