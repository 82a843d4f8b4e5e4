package io.gpdb.bench.faults;

import io.gpdb.txn.api.LogFilesAhead;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.List;
import java.util.stream.Stream;

/** How the databases of a campaign are opened. */
record FaultSetting(Protocol protocol, LogKind log) {
  /** Small, so that the workload fills several files. */
  private static final long LOG_FILE_BYTES = 16 << 10;

  /** The protocols that promise atomicity. */
  static List<Protocol> protocols() {
    return Stream.of(Protocol.values()).filter(p -> !p.isBaseline()).toList();
  }

  TxnOptions options() {
    return TxnOptions.standard()
        .withProtocol(protocol)
        .withLog(log)
        .withLogFileBytes(LOG_FILE_BYTES)
        .withLogFilesAhead(LogFilesAhead.AT_ONCE);
  }

  /** Whether values may be in place when the database is killed, without a checksum. */
  boolean writesInPlace() {
    return protocol == Protocol.UNDO || protocol == Protocol.AUTO;
  }

  @Override
  public String toString() {
    return "protocol=%s, log=%s".formatted(protocol.word(), log.word());
  }
}
