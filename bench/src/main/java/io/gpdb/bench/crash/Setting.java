package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;

/** One run of a workload: what is opened, on which medium, what is done, by which seed. */
record Setting(Protocol protocol, LogKind log, CrashUnit unit, Workload workload, long seed) {
  /** Small, so that workloads of a few kilobytes fill several files. */
  private static final long LOG_FILE_BYTES = 8 << 10;

  private static final int COMMITS_IN_FLIGHT = 3;

  TxnOptions options() {
    return TxnOptions.standard()
        .withProtocol(protocol)
        .withLog(log)
        .withLogFileBytes(LOG_FILE_BYTES)
        .withLogFilesAhead(LogFilesAhead.AT_ONCE)
        .withCommitsInFlight(COMMITS_IN_FLIGHT);
  }

  /** As {@link #parse} takes it. */
  @Override
  public String toString() {
    return "%s,%s,%s,%s,%d".formatted(protocol, log, unit, workload, seed);
  }

  static Setting parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length != 5) {
      throw new IllegalArgumentException("not PROTOCOL,LOG,UNIT,WORKLOAD,SEED: '" + text + "'");
    }
    return new Setting(
        Protocol.valueOf(parts[0]),
        LogKind.valueOf(parts[1]),
        CrashUnit.valueOf(parts[2]),
        Workload.valueOf(parts[3]),
        Long.parseLong(parts[4]));
  }
}
