package io.gpdb.bench.crash;

import java.util.ArrayList;
import java.util.List;

/** What an exploration did and found. */
final class ExplorationReport {
  final Setting setting;
  final List<Violation> violations = new ArrayList<>();
  long states;
  long duplicates;
  long acts;
  long recoveryCrashes;
  long nanos;

  ExplorationReport(Setting setting) {
    this.setting = setting;
  }
}
