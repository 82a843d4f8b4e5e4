package io.gpdb.sql.catalog;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.StatementWaits;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableSight;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a catalog, kept in one row of its system table, and the states that the newest of
 * them name. Thread-safe.
 *
 * <p>Every change takes a version number that this process has never used, so that a version names
 * one state of the catalog even while transactions with different changes are active.
 */
final class CatalogVersions {
  private static final int CACHED_SNAPSHOTS_MAX = 32;
  private static final long NO_ROW = -1;

  private final long row;
  private final Map<Long, CatalogSnapshot> snapshots = new LinkedHashMap<>();
  private volatile CatalogSnapshot latest;
  private volatile @Nullable Newest newest;
  private long lastVersion;

  /**
   * The newest version of all, found by a reader who saw it: until the system table changes, nearly
   * every transaction sees it, and does not read the row.
   */
  private record Newest(TableSight sight, CatalogSnapshot snapshot) {}

  private CatalogVersions(long row, CatalogSnapshot snapshot) {
    this.row = row;
    this.latest = snapshot;
    this.lastVersion = snapshot.version();
  }

  /** Those of a database without a system table: every transaction sees an empty catalog. */
  static CatalogVersions none() {
    return new CatalogVersions(NO_ROW, CatalogSnapshot.EMPTY);
  }

  /** Those of a database, from the version that the transaction sees. */
  static CatalogVersions of(Transaction transaction) {
    long row = SystemTable.versionRow(transaction);
    long version = SystemTable.version(transaction, row);
    return new CatalogVersions(row, SystemTable.snapshot(transaction, version));
  }

  /** The catalog that the transaction sees, its own changes included. */
  CatalogSnapshot snapshot(Transaction transaction) {
    if (row == NO_ROW) {
      return latest;
    }
    Newest known = newest;
    if (known != null && transaction.seesAs(known.sight)) {
      return known.snapshot;
    }
    TableSight sight = SystemTable.sight(transaction);
    long version = SystemTable.version(transaction, row);
    CatalogSnapshot current = latest;
    CatalogSnapshot seen =
        current.version() == version ? current : remembered(transaction, version);
    if (sight != null && SystemTable.seesNewest(transaction)) {
      newest = new Newest(sight, seen);
    }
    return seen;
  }

  private synchronized CatalogSnapshot remembered(Transaction transaction, long version) {
    CatalogSnapshot snapshot = snapshots.get(version);
    if (snapshot == null) {
      snapshot = SystemTable.snapshot(transaction, version);
      snapshots.put(version, snapshot);
      if (snapshots.size() > CACHED_SNAPSHOTS_MAX) {
        snapshots.remove(snapshots.keySet().iterator().next());
      }
    }
    latest = snapshot;
    return snapshot;
  }

  /**
   * Gives the catalog a new version, which other transactions see after the commit. The automatic
   * rewriting of a table, which changes the catalog too, is waited for.
   */
  void change(Transaction transaction) {
    long version = newVersion();
    while (true) {
      try {
        SystemTable.setVersion(transaction, row, version);
        return;
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.SERIALIZATION_CONFLICT) {
          throw e;
        }
        if (!StatementWaits.outlastedRewrite(transaction, e)) {
          throw new GpdbException(
              ErrorCode.SERIALIZATION_CONFLICT,
              "another transaction creates or drops tables at the same time",
              e);
        }
      }
    }
  }

  private synchronized long newVersion() {
    return ++lastVersion;
  }
}
