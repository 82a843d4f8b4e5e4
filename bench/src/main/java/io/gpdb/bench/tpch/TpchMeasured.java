package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.PeakMemory.Peak;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.tpch.TpchAnswers.Answer;
import java.util.List;

/**
 * What a process found out about one query.
 *
 * @param rows as text
 * @param failure empty where all runs ended
 * @param firstMillis of the first run of that text in its process
 * @param warm milliseconds of the later runs
 * @param peak of the process's memory during the query
 */
record TpchMeasured(
    List<List<String>> rows, String failure, double firstMillis, Spread warm, Peak peak) {
  static TpchMeasured of(Answer answer, Peak peak) {
    return new TpchMeasured(
        answer.rows(), answer.failure(), answer.firstMillis(), answer.millis(), peak);
  }

  static TpchMeasured failed(String failure) {
    return new TpchMeasured(List.of(), failure, Double.NaN, Spread.of(), Peak.UNKNOWN);
  }

  boolean isAnswered() {
    return failure.isEmpty();
  }
}
