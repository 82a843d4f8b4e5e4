package io.gpdb.jdbc.packing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Dynamic calls of every form that {@link PlainCalls} replaces; says what each returns. */
public final class DynamicCallsProgram {
  private final List<Object> results = new ArrayList<>();
  private final long base = 1L << 40;

  private DynamicCallsProgram() {}

  /** All results, one a line. */
  public static String results() {
    DynamicCallsProgram program = new DynamicCallsProgram();
    program.lambdas((byte) 3, 'c', 2.5f, 1e300, "text");
    program.methodReferences();
    program.interfaces();
    program.generics(new Chain("deep"));
    program.switches();
    program.records();
    return String.join("\n", program.results.stream().map(String::valueOf).toList());
  }

  private void lambdas(byte small, char letter, float real, double wide, String text) {
    Supplier<String> none = () -> "none";
    Supplier<String> again = () -> none.get() + base;
    DoubleUnaryOperator captured = x -> x * small + letter + real + wide + text.length();
    LongBinaryOperator wideArguments = (x, y) -> x - y + base;
    IntFunction<Function<Integer, Integer>> nested = x -> y -> x * 10 + y;
    IntPredicate even = x -> x % 2 == 0;
    Consumer<Object> adds = results::add;
    Runnable ends = () -> adds.accept("ran");
    ends.run();
    results.add(again.get());
    results.add(captured.applyAsDouble(2));
    results.add(wideArguments.applyAsLong(5, 7));
    results.add(nested.apply(4).apply(2));
    results.add(even.test(4) + " " + even.negate().test(4));
    results.add(constant() == constant());
  }

  private static Supplier<String> constant() {
    return () -> "constant";
  }

  private void methodReferences() {
    Function<String, Integer> length = String::length;
    ToLongFunction<String> widened = String::length;
    ToDoubleFunction<Integer> unboxed = Integer::intValue;
    Function<Integer, Long> boxed = Integer::longValue;
    BiFunction<String, String, Boolean> bound = String::equalsIgnoreCase;
    Supplier<List<String>> made = ArrayList::new;
    IntFunction<int[]> array = int[]::new;
    Function<String, Named> constructed = Named::new;
    BinaryOperator<Integer> sum = Math::addExact;
    IntSupplier own = "four"::length;
    Consumer<String> ignored = "abc"::concat;
    Consumer<String> wideIgnored = Long::parseLong;
    ToIntFunction<List<?>> ofInterface = List::size;
    Function<Object, String> text = Object::toString;
    ignored.accept("d");
    wideIgnored.accept("12");
    results.add(length.apply("abc") + widened.applyAsLong("abcd") + unboxed.applyAsDouble(7));
    results.add(boxed.apply(9).getClass());
    results.add(bound.apply("a", "A"));
    results.add(made.get().size() + array.apply(5).length);
    results.add(constructed.apply("n"));
    results.add(sum.andThen(Integer::toBinaryString).apply(5, 6));
    results.add(own.getAsInt() + ofInterface.applyAsInt(List.of(1, 2)));
    results.add(text.apply(List.of()));
    results.add(new Chain("above").above().get());
  }

  private void interfaces() {
    Shape shape = () -> 3;
    results.add(shape.area());
    Runnable marked = (Runnable & Marker) () -> results.add("marked");
    marked.run();
    results.add(marked instanceof Marker);
    Narrow narrow = String::trim;
    Function<Object, Object> wide = raw(narrow);
    results.add(wide.apply(" trimmed "));
    try {
      results.add(wide.apply(1));
    } catch (ClassCastException _) {
      results.add("no text");
    }
  }

  @SuppressWarnings("unchecked")
  private static Function<Object, Object> raw(Function<?, ?> function) {
    return (Function<Object, Object>) function;
  }

  private <T extends Comparable<T> & CharSequence> void ordered(List<T> list) {
    Comparator<T> order = Comparator.<T, Integer>comparing(T::length).thenComparing(T::compareTo);
    results.add(list.stream().sorted(order.reversed()).toList());
  }

  private void generics(Chain chain) {
    ordered(List.of("b", "aa", "a"));
    ToIntFunction<Holder<Integer>> held = Holder::value;
    results.add(held.applyAsInt(new Holder<>(8)));
    Predicate<Holder<Boolean>> truth = Holder::value;
    results.add(truth.test(new Holder<>(true)));
    results.add(chain.inner().map(s -> s + base));
  }

  private static String kind(Object value) {
    return switch (value) {
      case null -> "null";
      case String s when s.isEmpty() -> "empty";
      case String s -> s.toUpperCase(Locale.ROOT);
      case Integer i when i > 5 -> "more than five";
      case Integer i -> "number " + i;
      case int[] array -> "array of " + array.length;
      case Point(int x, Object y) when y instanceof String -> "point " + x;
      case Point _ -> "other point";
      default -> "else";
    };
  }

  private static String size(Size size) {
    return switch (size) {
      case null -> "none";
      case SMALL -> "s";
      case Size other when other.ordinal() == 2 -> "third";
      case MIDDLE -> "m";
      default -> "x";
    };
  }

  private void switches() {
    Object[] values = {null, "", "a", 3, 9, new int[2], new Point(1, "y"), new Point(2, 2), 'c'};
    for (Object value : values) {
      results.add(kind(value));
    }
    for (Size size : Size.values()) {
      results.add(size(size));
    }
    results.add(size(null));
    results.add(Shape.named(new Point(3, null)) + Shape.named((Shape) () -> 1));
  }

  private void records() {
    record Local(int number) {}
    Object[] values = {
      new Point(1, "y"),
      new Point(1, "y"),
      new Point(1, null),
      new Point(2, "y"),
      new Empty(),
      new Empty(),
      new Local(5),
      new Local(6),
      Many.of(0.0),
      Many.of(-0.0),
      Many.of(Double.NaN),
      Many.of(Double.NaN),
      "text",
    };
    for (Object value : values) {
      results.add(value + " " + value.hashCode());
      for (Object other : values) {
        results.add(value.equals(other));
      }
    }
  }

  private enum Size {
    SMALL,
    MIDDLE,
    LARGE,
    HUGE
  }

  private interface Marker {}

  private interface Narrow extends Function<String, String> {
    @Override
    String apply(String text);
  }

  private interface Shape {
    int area();

    static String named(Object shape) {
      return switch (shape) {
        case Point p -> "point " + p.x;
        case Shape s -> s.name().get();
        default -> "none";
      };
    }

    default Supplier<String> name() {
      return () -> own() + area();
    }

    private String own() {
      return "area ";
    }
  }

  private record Point(int x, Object y) {}

  private record Empty() {}

  private record Named(String name) {}

  private record Holder<T>(T value) {}

  private record Many(
      boolean a, byte b, char c, short d, int e, long f, float g, double h, String i) {
    static Many of(double h) {
      return new Many(true, (byte) -1, 'x', (short) -2, 3, 1L << 33, 0.5f, h, null);
    }
  }

  private static class Chain {
    private final String start;

    Chain(String start) {
      this.start = start;
    }

    String text() {
      return start;
    }

    Supplier<String> above() {
      return new Chain(start) {
        @Override
        String text() {
          return "below";
        }

        @Override
        Supplier<String> above() {
          return super::text;
        }
      }.above();
    }

    Inner inner() {
      return new Inner();
    }

    private class Inner {
      String map(Function<String, String> function) {
        Supplier<String> mapped = () -> function.apply(start);
        return mapped.get();
      }
    }
  }
}
