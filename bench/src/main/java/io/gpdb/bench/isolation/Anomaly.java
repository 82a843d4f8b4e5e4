package io.gpdb.bench.isolation;

/** Something found in a history. */
public record Anomaly(AnomalyKind kind, String description) {
  @Override
  public String toString() {
    return kind + ": " + description;
  }
}
