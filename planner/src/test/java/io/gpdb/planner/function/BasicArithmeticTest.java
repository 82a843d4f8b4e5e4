package io.gpdb.planner.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Methods called by their names do what they do by their handles, errors included. */
class BasicArithmeticTest {
  private static final long SEED = Long.getLong("gpdb.seed", 12);
  private static final int CALLS = 300;
  private static final int METHODS = 16;

  private final Random random = new Random(SEED);

  private Object argument(Class<?> type, int at) {
    boolean isZero = random.nextInt(4) == 0;
    if (type == int.class) {
      return at == 2 ? 18 : random.nextInt(7);
    }
    if (type == long.class) {
      return isZero ? 0L : random.nextLong() >> random.nextInt(64);
    }
    if (type == float.class) {
      return isZero ? 0f : Float.intBitsToFloat(random.nextInt());
    }
    if (type == double.class) {
      return isZero ? 0d : Double.longBitsToDouble(random.nextLong());
    }
    assertThat(type).isEqualTo(BigDecimal.class);
    return isZero ? BigDecimal.ZERO : BigDecimal.valueOf(random.nextLong(), random.nextInt(9));
  }

  private interface Call {
    Object of(Object[] arguments) throws Throwable;
  }

  private static Object outcome(Call call, Object[] arguments) {
    try {
      return call.of(arguments.clone());
    } catch (Throwable e) {
      return e.getClass() + ": " + e.getMessage();
    }
  }

  @Test
  void namesCallTheirMethods() {
    int methods = 0;
    for (Method method : NumberFunctions.class.getDeclaredMethods()) {
      if (!BasicArithmetic.has(method)) {
        continue;
      }
      methods++;
      MethodHandle handle = MethodOperator.handle(method);
      Class<?>[] types = method.getParameterTypes();
      for (int i = 0; i < CALLS; i++) {
        Object[] arguments = new Object[types.length];
        for (int a = 0; a < types.length; a++) {
          arguments[a] = argument(types[a], a);
        }
        assertThat(outcome(a -> BasicArithmetic.call(method.getName(), a), arguments))
            .as("%s seed %d", method, SEED)
            .isEqualTo(outcome(a -> (Object) handle.invokeExact(a), arguments));
      }
    }
    assertThat(methods).isEqualTo(METHODS);
  }
}
