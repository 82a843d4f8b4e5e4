package io.gpdb.planner.run.join;

import io.gpdb.planner.batch.Source;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the pairs of a join's rows have in common that can be found by their order: a field of the
 * left row is at most one of the right row, or at least one, or both.
 */
public record PairRanges(@Nullable Order atMost, @Nullable Order atLeast) {

  /** As the model of the order of joins expects of a condition. */
  private static final double ONE_ASSUMED = 0.5;

  /** Two fields, of inputs of their own, whose values can be compared. */
  public record Order(int left, int right) {
    private Order exchanged() {
      return new Order(/* left= */ right, /* right= */ left);
    }
  }

  /** The same of the inputs in the other order. */
  PairRanges exchanged() {
    return new PairRanges(
        atLeast == null ? null : atLeast.exchanged(), atMost == null ? null : atMost.exchanged());
  }

  /** Adds the fields of either input that are read. */
  void addRead(BitSet ofLeft, BitSet ofRight) {
    for (Order order : new @Nullable Order[] {atMost, atLeast}) {
      if (order != null) {
        ofLeft.set(order.left);
        ofRight.set(order.right);
      }
    }
  }

  /** The part of all pairs that is expected to be left. */
  double shareAssumed() {
    return atMost == null || atLeast == null ? ONE_ASSUMED : ONE_ASSUMED * ONE_ASSUMED;
  }

  /** For EXPLAIN. */
  String text(Source left, Source right) {
    String most = atMost == null ? "" : text(atMost, " <= ", left, right);
    String least = atLeast == null ? "" : text(atLeast, " >= ", left, right);
    return most + (most.isEmpty() || least.isEmpty() ? "" : " and ") + least;
  }

  private static String text(Order order, String sign, Source left, Source right) {
    return left.columns().get(order.left).name() + sign + right.columns().get(order.right).name();
  }
}
