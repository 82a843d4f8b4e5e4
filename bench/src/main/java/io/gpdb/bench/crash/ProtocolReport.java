package io.gpdb.bench.crash;

import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The sum over the explorations of one protocol. */
final class ProtocolReport {
  private static final int VIOLATIONS_KEPT_MAX = 20;

  private final Protocol protocol;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<Violation.Fault, Integer> faults = new EnumMap<>(Violation.Fault.class);
  private final List<SiteOmissions.Omission> omissions = new ArrayList<>();
  private long states;
  private long duplicates;
  private long acts;
  private long recoveryCrashes;
  private long nanos;

  ProtocolReport(Protocol protocol) {
    this.protocol = protocol;
  }

  synchronized void add(ExplorationReport report) {
    states += report.states;
    duplicates += report.duplicates;
    acts += report.acts;
    recoveryCrashes += report.recoveryCrashes;
    nanos += report.nanos;
    for (Violation violation : report.violations) {
      faults.merge(violation.fault(), 1, Integer::sum);
      if (violations.size() < VIOLATIONS_KEPT_MAX) {
        violations.add(violation);
      }
    }
  }

  synchronized void add(List<SiteOmissions.Omission> leftOut) {
    omissions.addAll(leftOut);
  }

  /** The places that flush, drain or sync, and what leaving each out did. */
  synchronized List<SiteOmissions.Omission> omissions() {
    return List.copyOf(omissions);
  }

  synchronized long caught() {
    return omissions.stream().filter(SiteOmissions.Omission::isCaught).count();
  }

  Protocol protocol() {
    return protocol;
  }

  /** Whether violations are what the protocol is known for. */
  boolean isExpected() {
    return protocol.isBaseline();
  }

  synchronized List<Violation> violations() {
    return List.copyOf(violations);
  }

  /** How many violations of which sort. */
  synchronized String violated() {
    List<String> parts = new ArrayList<>();
    faults.forEach((fault, n) -> parts.add(fault.name().toLowerCase(Locale.ROOT) + " " + n));
    return parts.isEmpty() ? "0" : "expected: " + String.join(", ", parts);
  }

  synchronized long states() {
    return states;
  }

  synchronized long duplicates() {
    return duplicates;
  }

  synchronized long acts() {
    return acts;
  }

  synchronized long recoveryCrashes() {
    return recoveryCrashes;
  }

  /** Of all threads together. */
  synchronized double seconds() {
    return nanos / 1e9;
  }
}
