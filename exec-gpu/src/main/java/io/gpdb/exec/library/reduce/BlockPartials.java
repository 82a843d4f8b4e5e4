package io.gpdb.exec.library.reduce;

import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The partial results that neighbouring blocks of a {@link GridReduce} have left, as the host folds
 * them: one after the other.
 *
 * @param partials a buffer for each {@link ReducePart}, an element for each block
 */
record BlockPartials(List<HostBuffer> partials, int from, int to) {
  /** Rows that passed the filter. */
  long rows() {
    return sumOfInts(partials.get(0));
  }

  /** The aggregates of {@code rows} rows. */
  List<ReduceValue> values(List<Aggregate> aggregates, ReduceText.Places places, long rows) {
    List<ReduceValue> values = new ArrayList<>();
    for (int i = 0; i < aggregates.size(); i++) {
      ReduceText.Sources sources = places.sources().get(i);
      long count = sources.count() == 0 ? rows : sumOfInts(partials.get(sources.count()));
      Aggregate.Function function = aggregates.get(i).function();
      values.add(
          switch (function) {
            case COUNT -> new ReduceValue(function, Type.I64, count, 0, 0);
            case SUM -> sum(sources, count);
            case MIN, MAX -> extreme(function, sources, count);
          });
    }
    return values;
  }

  private ReduceValue sum(ReduceText.Sources sources, long count) {
    HostBuffer low = partials.get(sources.value());
    if (sources.type() == Type.F64) {
      double total = 0.0;
      for (int i = from; i < to; i++) {
        total += low.doubleAt(i);
      }
      long bits = Double.doubleToRawLongBits(total);
      return new ReduceValue(Aggregate.Function.SUM, Type.F64, count, 0, bits);
    }
    long lowSum = sumOfLongs(low);
    long highSum = sources.high() < 0 ? 0 : sumOfLongs(partials.get(sources.high()));
    return new ReduceValue(Aggregate.Function.SUM, Type.I64, count, highSum, lowSum);
  }

  private ReduceValue extreme(Aggregate.Function function, ReduceText.Sources sources, long count) {
    Type type = sources.type();
    if (count == 0) {
      return new ReduceValue(function, type, 0, 0, 0);
    }
    boolean wide = OrderWords.type(type) == Type.I64;
    HostBuffer extremes = partials.get(sources.value());
    boolean least = function == Aggregate.Function.MIN;
    long best = least ? Long.MAX_VALUE : Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      long next = wide ? extremes.longAt(i) : extremes.intAt(i);
      best = least ? Math.min(best, next) : Math.max(best, next);
    }
    return new ReduceValue(function, type, count, 0, OrderWords.raw(type, best));
  }

  private long sumOfInts(HostBuffer buffer) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += buffer.intAt(i);
    }
    return sum;
  }

  private long sumOfLongs(HostBuffer buffer) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += buffer.longAt(i);
    }
    return sum;
  }
}
