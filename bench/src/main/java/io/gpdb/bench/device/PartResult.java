package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What became of one part.
 *
 * @param part its word
 * @param passed whether all its processes ended with status 0
 * @param seconds from the first process's start to the last one's end
 * @param reports of its processes, as they wrote them
 * @param output the end of what processes that failed printed
 */
record PartResult(
    String part, boolean passed, double seconds, List<JsonNode> reports, String output) {

  /** The same, failed where the reports do not satisfy {@code condition}. */
  PartResult passedIf(Predicate<List<JsonNode>> condition) {
    return new PartResult(part, passed && condition.test(reports), seconds, reports, output);
  }

  /** Of processes that ran one after the other. */
  static PartResult together(List<PartResult> rounds) {
    List<JsonNode> reports = new ArrayList<>();
    StringBuilder output = new StringBuilder();
    double seconds = 0;
    for (PartResult round : rounds) {
      reports.addAll(round.reports());
      output.append(round.output());
      seconds += round.seconds();
    }
    boolean passed = rounds.stream().allMatch(PartResult::passed);
    return new PartResult(rounds.getFirst().part(), passed, seconds, reports, output.toString());
  }
}
