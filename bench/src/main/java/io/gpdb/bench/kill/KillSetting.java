package io.gpdb.bench.kill;

import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the database is opened in one round. */
record KillSetting(Protocol protocol, LogKind log, String device) {
  /** On the standard device. */
  static List<KillSetting> of(List<Protocol> chosen) {
    return of(chosen, "emulated");
  }

  /** Every protocol that promises atomicity, or the chosen ones, with both logs. */
  static List<KillSetting> of(List<Protocol> chosen, String device) {
    List<KillSetting> settings = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      boolean wanted = chosen.isEmpty() ? !protocol.isBaseline() : chosen.contains(protocol);
      for (LogKind log : LogKind.values()) {
        // A baseline writes whole columns and has no layout of log entries.
        if (wanted && (log == LogKind.HCL || !protocol.isBaseline())) {
          settings.add(new KillSetting(protocol, log, device));
        }
      }
    }
    return settings;
  }

  /** Whether a crash during a commit may leave the transaction part done. */
  boolean isBaseline() {
    return protocol.isBaseline();
  }

  String label() {
    return isBaseline() ? protocol.word() : protocol.word() + "/" + log.word();
  }

  String url(Path database, long checkpointBytes) {
    return "jdbc:gpdb:%s;protocol=%s;log=%s;checkpoint_bytes=%d;device=%s"
        .formatted(database, protocol.word(), log.word(), checkpointBytes, device);
  }
}
