package io.gpdb.planner;

import io.gpdb.planner.run.Execution;
import io.gpdb.sql.Catalog;
import io.gpdb.sql.InformationSchema.Settings;
import io.gpdb.sql.TemporalText;
import io.gpdb.txn.Transaction;
import java.time.Instant;
import java.time.ZoneId;

/** Makes the {@link Execution} of a statement: its time is taken once, at its start. */
final class Executions {

  private final Catalog catalog;
  private final Settings settings;

  Executions(Catalog catalog, Settings settings) {
    this.catalog = catalog;
    this.settings = settings;
  }

  Execution begin(Transaction tx, ParameterValues parameters) {
    return new Execution(tx, parameters, catalog.snapshot(tx), settings, nowMicros());
  }

  /** Microseconds since 1970-01-01 00:00:00 of the session's clock. */
  private static long nowMicros() {
    Instant now = Instant.now();
    long offsetSeconds = ZoneId.systemDefault().getRules().getOffset(now).getTotalSeconds();
    return (now.getEpochSecond() + offsetSeconds) * TemporalText.MICROS_PER_SECOND + now.getNano() / 1000;
  }
}
