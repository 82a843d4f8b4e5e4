package io.gpdb.bench.mutants;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.mutants.MutantHunt.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What came of the mutants of one run. Those that the JVM refuses do not count. */
final class MutantReport {
  private static final int PROGRESS = 25;

  private final long seed;
  private final List<String> stages;
  private final List<Verdict> verdicts = new ArrayList<>();

  /**
   * @param stages in the order in which they are asked
   */
  MutantReport(long seed, List<String> stages) {
    this.seed = seed;
    this.stages = stages;
  }

  void note(Verdict verdict) {
    verdicts.add(verdict);
    if (verdicts.size() % PROGRESS == 0) {
      System.out.printf("%d judged, %d killed%n", verdicts.size(), count(Verdict::isKilled));
    }
    if (!verdict.isKilled()) {
      System.out.printf("%s: %s (%d tests)%n", verdict.outcome(), verdict.point(), verdict.tests());
    }
  }

  boolean hasKilled(int percent) {
    return count(Verdict::isKilled) * 100 >= percent * valid();
  }

  void print() {
    Map<String, int[]> byClass = new TreeMap<>();
    for (Verdict verdict : verdicts) {
      String name = verdict.point().className().replaceFirst("\\$.*", "");
      int[] tally = byClass.computeIfAbsent(name, n -> new int[2]);
      tally[0] += verdict.isKilled() ? 1 : 0;
      tally[1]++;
    }
    AlignedTable table = new AlignedTable("class", "mutants", "killed");
    byClass.forEach(
        (name, tally) ->
            table.row(name, Integer.toString(tally[1]), 100 * tally[0] / tally[1] + "%"));
    table.print(System.out);
    double share = (double) count(Verdict::isKilled) / Math.max(1, valid());
    System.out.printf(
        "killed %d of %d, %.1f%% (standard error %.1f%%), %d of them by time; %d invalid%n",
        count(Verdict::isKilled),
        valid(),
        100 * share,
        100 * Math.sqrt(share * (1 - share) / Math.max(1, valid())),
        count(Verdict::isByTime),
        count(Verdict::isInvalid));
    System.out.println(
        "noticed by "
            + String.join(", ", byStage().entrySet().stream().map(MutantReport::words).toList()));
  }

  private static String words(Map.Entry<String, Long> stage) {
    return stage.getKey() + " " + stage.getValue();
  }

  /** How many each stage noticed of those that the stages before it had not. */
  private Map<String, Long> byStage() {
    Map<String, Long> killed = new LinkedHashMap<>();
    stages.forEach(stage -> killed.put(stage, 0L));
    verdicts.stream()
        .filter(Verdict::isKilled)
        .forEach(v -> killed.merge(v.stage(), 1L, Long::sum));
    return killed;
  }

  private long valid() {
    return verdicts.size() - count(Verdict::isInvalid);
  }

  private long count(Predicate<Verdict> which) {
    return verdicts.stream().filter(which).count();
  }

  Map<String, Object> figures() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "mutants");
    report.put("seed", seed);
    report.put("mutants", verdicts.size());
    report.put("killed", count(Verdict::isKilled));
    report.put("killedByStage", byStage());
    report.put(
        "verdicts",
        verdicts.stream()
            .sorted(Comparator.comparing(v -> v.point().id()))
            .map(MutantReport::row)
            .toList());
    return report;
  }

  private static Map<String, Object> row(Verdict v) {
    return Map.of(
        "mutant",
        v.point().toString(),
        "outcome",
        v.outcome(),
        "test",
        v.test(),
        "tests",
        v.tests(),
        "stage",
        v.stage());
  }
}
