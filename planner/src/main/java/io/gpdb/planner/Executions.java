package io.gpdb.planner;

import io.gpdb.planner.run.Execution;
import io.gpdb.sql.Catalog;
import io.gpdb.sql.InformationSchema.Settings;
import io.gpdb.txn.Transaction;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Makes the {@link Execution} of a statement: its time is taken once, at its start. */
final class Executions {
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private final Catalog catalog;
  private final Settings settings;

  Executions(Catalog catalog, Settings settings) {
    this.catalog = catalog;
    this.settings = settings;
  }

  Execution begin(Transaction tx, ParameterValues parameters) {
    return new Execution(tx, parameters, catalog.snapshot(tx), settings, nowMicros());
  }

  private static long nowMicros() {
    LocalDateTime now = LocalDateTime.ofInstant(Instant.now(), ZoneId.systemDefault());
    return ChronoUnit.MICROS.between(EPOCH, now);
  }
}
