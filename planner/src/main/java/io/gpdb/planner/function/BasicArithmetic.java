package io.gpdb.planner.function;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The methods of {@link NumberFunctions} that most expressions need, called by their names. The
 * first method handles that are bound to arrays of arguments take 8 ms of CPU to make.
 */
final class BasicArithmetic {
  private BasicArithmetic() {}

  /** Whether {@link #call} calls the method. */
  static boolean has(Method method) {
    return method.getDeclaringClass() == NumberFunctions.class
        && switch (method.getName()) {
          case "plusLong", "minusLong", "timesLong", "divideLong" -> true;
          case "plusReal", "minusReal", "timesReal", "divideReal" -> true;
          case "plusDouble", "minusDouble", "timesDouble", "divideDouble" -> true;
          case "plusDecimal", "minusDecimal", "timesDecimal", "divideDecimal" -> true;
          default -> false;
        };
  }

  /** The result for arguments of the method's types. */
  static Object call(String method, @Nullable Object[] a) {
    return switch (method) {
      case "plusLong" -> NumberFunctions.plusLong(i64(a, 0), i64(a, 1));
      case "minusLong" -> NumberFunctions.minusLong(i64(a, 0), i64(a, 1));
      case "timesLong" -> NumberFunctions.timesLong(i64(a, 0), i64(a, 1));
      case "divideLong" -> NumberFunctions.divideLong(i64(a, 0), i64(a, 1));
      case "plusReal" -> NumberFunctions.plusReal(f32(a, 0), f32(a, 1));
      case "minusReal" -> NumberFunctions.minusReal(f32(a, 0), f32(a, 1));
      case "timesReal" -> NumberFunctions.timesReal(f32(a, 0), f32(a, 1));
      case "divideReal" -> NumberFunctions.divideReal(f32(a, 0), f32(a, 1));
      case "plusDouble" -> NumberFunctions.plusDouble(f64(a, 0), f64(a, 1));
      case "minusDouble" -> NumberFunctions.minusDouble(f64(a, 0), f64(a, 1));
      case "timesDouble" -> NumberFunctions.timesDouble(f64(a, 0), f64(a, 1));
      case "divideDouble" -> NumberFunctions.divideDouble(f64(a, 0), f64(a, 1));
      case "plusDecimal" ->
          NumberFunctions.plusDecimal(decimal(a, 0), decimal(a, 1), i32(a, 2), i32(a, 3));
      case "minusDecimal" ->
          NumberFunctions.minusDecimal(decimal(a, 0), decimal(a, 1), i32(a, 2), i32(a, 3));
      case "timesDecimal" ->
          NumberFunctions.timesDecimal(decimal(a, 0), decimal(a, 1), i32(a, 2), i32(a, 3));
      case "divideDecimal" ->
          NumberFunctions.divideDecimal(decimal(a, 0), decimal(a, 1), i32(a, 2), i32(a, 3));
      default -> throw new IllegalArgumentException(method);
    };
  }

  private static Object present(@Nullable Object[] arguments, int i) {
    return Objects.requireNonNull(arguments[i]);
  }

  private static int i32(@Nullable Object[] arguments, int i) {
    return (Integer) present(arguments, i);
  }

  private static long i64(@Nullable Object[] arguments, int i) {
    return (Long) present(arguments, i);
  }

  private static float f32(@Nullable Object[] arguments, int i) {
    return (Float) present(arguments, i);
  }

  private static double f64(@Nullable Object[] arguments, int i) {
    return (Double) present(arguments, i);
  }

  private static BigDecimal decimal(@Nullable Object[] arguments, int i) {
    return (BigDecimal) present(arguments, i);
  }
}
