package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.sql.information.InformationSchema.Setting;
import io.gpdb.sql.information.InformationSchema.Settings;
import io.gpdb.sql.information.InformationSchema.Statistic;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.SpaceStatistics;
import io.gpdb.txn.api.TxnStatistics;
import java.util.List;

/** What GPDB_SETTINGS and GPDB_STATISTICS show of the open database. */
final class DatabaseFacts implements Settings {
  private final TransactionManager transactions;
  private final Device device;
  private final AutomaticVacuum vacuum;

  DatabaseFacts(TransactionManager transactions, Device device, AutomaticVacuum vacuum) {
    this.transactions = transactions;
    this.device = device;
    this.vacuum = vacuum;
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("device", device.name(), "what runs kernels"),
        new Setting(
            "host_rows",
            Long.toString(device.hostRows()),
            "rows up to which a plan's kernels are left to the host by a GPU"),
        new Setting(
            "persistence_domain",
            transactions.domain().name(),
            "what an acknowledged commit survives: NONE, PROCESS (a kill), POWER (power loss)"),
        new Setting(
            "protocol",
            transactions.options().protocol().word(),
            "how transactions become durable"),
        new Setting(
            "persistency",
            transactions.options().protocol().word(),
            "how changes become durable where a session does not SET persistency"),
        new Setting("log", transactions.options().log().word(), "layout of the update log"),
        new Setting(
            "checkpoint_bytes",
            Long.toString(transactions.options().checkpointBytes()),
            "log size that starts a checkpoint"),
        new Setting(
            "commits_in_flight",
            Integer.toString(transactions.options().commitsInFlight()),
            "batches of commits that are written and synced side by side"),
        new Setting(
            "read_only",
            transactions.options().readOnly() ? "on" : "off",
            "whether the database was opened for reading only"),
        new Setting(
            "memory_limit",
            Long.toString(transactions.spaceStatistics().workBytesMax()),
            "bytes outside the heap that statements may take, with the tables of a mem: database"),
        new Setting(
            "auto_vacuum",
            vacuum.isEnabled() ? "on" : "off",
            "whether tables that are mostly garbage are rewritten in the background"));
  }

  @Override
  public List<Statistic> statistics() {
    TxnStatistics txn = transactions.statistics();
    PersistCounters.Snapshot persisted = txn.persisted();
    SpaceStatistics space = transactions.spaceStatistics();
    return List.of(
        new Statistic("commits", txn.commits()),
        new Statistic("rollbacks", txn.rollbacks()),
        new Statistic("conflicts", txn.conflicts()),
        new Statistic("bytes_logged", txn.loggedBytes()),
        new Statistic("bytes_logged_insert", txn.insertBytes()),
        new Statistic("bytes_logged_update", txn.updateBytes()),
        new Statistic("bytes_logged_undo", txn.undoBytes()),
        new Statistic("bytes_home", txn.homeBytes()),
        new Statistic("bytes_persisted", persisted.bytesFlushed()),
        new Statistic("lines_persisted", persisted.linesFlushed()),
        new Statistic("media_blocks_persisted", persisted.mediaBlocksFlushed()),
        new Statistic("drains", persisted.drains()),
        new Statistic("commit_syncs", txn.syncs()),
        new Statistic("checkpoints", txn.checkpoints()),
        new Statistic("checkpoint_nanos", txn.checkpointNanos()),
        new Statistic("pinned_versions", txn.pinnedVersions()),
        new Statistic("version_bytes", space.versionBytes()),
        new Statistic("work_bytes", space.workBytes()),
        new Statistic("newest_commit", space.newestSequence()),
        new Statistic("oldest_snapshot", space.oldestSequence()),
        new Statistic("oldest_snapshot_nanos", space.oldestNanos()),
        new Statistic("rewrites", space.rewrites()),
        new Statistic("rewrites_given_up", vacuum.givenUp()),
        new Statistic("rewrite_bytes", space.rewriteBytes()),
        new Statistic("recovery_nanos", transactions.recovery().nanos()),
        new Statistic("recovery_transactions", transactions.recovery().replayedTransactions()),
        new Statistic("recovery_bytes", transactions.recovery().replayedBytes()));
  }
}
