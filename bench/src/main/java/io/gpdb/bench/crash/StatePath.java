package io.gpdb.bench.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a state comes from: a crash before an act of the workload and which of its images, then a
 * crash before an act of the recovery of that, and so on. As text: {@code 57.3/12.1}.
 */
record StatePath(List<Step> steps) {
  static final StatePath START = new StatePath(List.of());

  /** The image with this number of the point before this act. */
  record Step(long act, int image) {}

  StatePath {
    steps = List.copyOf(steps);
  }

  StatePath then(long act, int image) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(new Step(act, image));
    return new StatePath(longer);
  }

  int depth() {
    return steps.size();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Step step : steps) {
      text.append(text.isEmpty() ? "" : "/").append(step.act).append('.').append(step.image);
    }
    return text.toString();
  }

  static StatePath parse(String text) {
    StatePath path = START;
    for (String step : text.split("/", -1)) {
      String[] parts = step.split("\\.", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("not ACT.IMAGE/ACT.IMAGE/…: '" + text + "'");
      }
      path = path.then(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
    }
    return path;
  }
}
