package io.gpdb.bench.isolation;

import io.gpdb.txn.api.IsolationLevel;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the histories of one level showed. */
final class IsolationReport {
  private final IsolationLevel level;
  private final Map<AnomalyKind, Integer> counts = new EnumMap<>(AnomalyKind.class);
  private int histories;
  private int committed;
  private int refused;
  private int forbidden;

  IsolationReport(IsolationLevel level) {
    this.level = level;
  }

  /** Takes one history in; returns the anomalies that the level forbids. */
  List<Anomaly> add(List<ListTransaction> history) {
    histories++;
    for (ListTransaction t : history) {
      if (t.committed()) {
        committed++;
      } else {
        refused++;
      }
    }
    List<Anomaly> all = HistoryChecker.check(history);
    all.forEach(anomaly -> counts.merge(anomaly.kind(), 1, Integer::sum));
    List<Anomaly> violations =
        all.stream().filter(anomaly -> anomaly.kind().isForbiddenAt(level)).toList();
    forbidden += violations.size();
    return violations;
  }

  public String getLevel() {
    return level.name();
  }

  public int getHistories() {
    return histories;
  }

  public int getCommitted() {
    return committed;
  }

  /** Transactions rolled back, by refusal or on purpose. */
  public int getRolledBack() {
    return refused;
  }

  /** Anomalies that the level promises not to have. */
  public int getForbidden() {
    return forbidden;
  }

  /** All anomalies found, at most a few examples of a kind for each history. */
  public Map<AnomalyKind, Integer> getAnomalies() {
    return counts;
  }
}
