package io.gpdb.txn.protocol;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.BatchChange;
import io.gpdb.txn.change.ColumnChange;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.SuppliedValues;
import io.gpdb.txn.change.TabletChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Redo, undo, versioned and checksummed, chosen for each change of a column in a tablet: as the
 * transaction wishes, or by cost.
 *
 * <p>M1. A chunk that is in place stays so while the database is open: every later change of it is
 * made by undo, and its transaction's record names the extent. M2. A chunk is taken in place only
 * when no change of its column is uncommitted: what its extent holds then is in the log already, or
 * is of rows that do not live.
 */
public final class ChosenProtocol implements WriteProtocol {
  private final ColumnStores stores;
  private final ProtocolCost cost;
  private final Supplier<UndoProtocol> openUndo;
  private volatile @Nullable UndoProtocol undo;

  /**
   * @param openUndo makes the undo log when the first change needs it
   */
  public ChosenProtocol(ColumnStores stores, ProtocolCost cost, Supplier<UndoProtocol> openUndo) {
    this.stores = stores;
    this.cost = cost;
    this.openUndo = openUndo;
  }

  private UndoProtocol undo() {
    UndoProtocol known = undo;
    return known != null ? known : openUndo();
  }

  private synchronized UndoProtocol openUndo() {
    UndoProtocol known = undo;
    if (known == null) {
      known = openUndo.get();
      undo = known;
    }
    return known;
  }

  @Override
  public boolean offers(Protocol wish) {
    return !wish.isBaseline();
  }

  @Override
  public Protocol update(TransactionWrites writes, ColumnChange change) {
    Protocol how = choose(writes, change.table(), change.tablet(), change.column(), change.n());
    if (how == Protocol.UNDO) {
      undo().update(writes, change);
    } else {
      assert !change.tablet().isInPlace(ChunkKind.VALUES, change.column()) : "M1";
      stores.update(writes, change, how == Protocol.REDO);
    }
    return how;
  }

  /** All parts together where all go one way that has launches for it; else column by column. */
  @Override
  public void update(TransactionWrites writes, BatchChange change) {
    EnumSet<Protocol> ways = EnumSet.noneOf(Protocol.class);
    for (BatchChange.Part part : change.parts()) {
      for (int column : change.columns()) {
        ways.add(choose(writes, change.table(), part.tablet(), column, part.n()));
      }
    }
    if (ways.equals(EnumSet.of(Protocol.REDO))) {
      stores.update(writes, change, true);
    } else if (ways.equals(EnumSet.of(Protocol.UNDO))) {
      undo().update(writes, change);
    } else {
      change.applyByColumn(writes, columnChange -> update(writes, columnChange));
    }
  }

  /** All columns together where all are in place; else column by column. */
  @Override
  public void update(TransactionWrites writes, TabletChange change) {
    int[] columns = change.columns();
    BatchChange.Part part = change.part();
    boolean together = columns.length > 1 && columns.length <= SuppliedValues.COLUMNS_MAX;
    for (int c = 0; together && c < columns.length; c++) {
      Protocol how = choose(writes, change.table(), part.tablet(), columns[c], part.n());
      together = how == Protocol.UNDO;
    }
    if (together) {
      undo().update(writes, change);
    } else {
      change.applyByColumn(writes, columnChange -> update(writes, columnChange));
    }
  }

  /** Each append to the undo log, and each store in place, waits for the medium. */
  @Override
  public boolean changesTabletsTogether(Protocol wish) {
    return wish == Protocol.UNDO;
  }

  private Protocol choose(
      TransactionWrites writes, TableVersions table, Tablet tablet, int column, int n) {
    if (tablet.isInPlace(ChunkKind.VALUES, column)) {
      return Protocol.UNDO; // M1
    }
    Protocol wish = writes.protocol();
    return switch (wish == Protocol.AUTO ? cost.ofUpdate(writes, table, tablet, column, n) : wish) {
      case UNDO -> mayAdopt(table, tablet, column) ? Protocol.UNDO : Protocol.REDO;
      case VERSIONED -> Protocol.VERSIONED;
      case AUTO, REDO, CHECKSUMMED, CAP_FS, CAP_MM -> Protocol.REDO;
    };
  }

  /** M2. */
  private static boolean mayAdopt(TableVersions table, Tablet tablet, int column) {
    return !table.hasUncommitted(tablet.number(), column);
  }

  @Override
  public Protocol prepareInsert(TransactionWrites writes, TableVersions table, Tablet tablet) {
    boolean anyInPlace = false;
    boolean allMayBe = writes.protocol() == Protocol.UNDO;
    for (int c = 0; c < table.types().length; c++) {
      boolean inPlace = tablet.isInPlace(ChunkKind.VALUES, c);
      anyInPlace |= inPlace;
      allMayBe = allMayBe && (inPlace || mayAdopt(table, tablet, c));
    }
    if (allMayBe) {
      return undo().prepareInsert(writes, table, tablet);
    }
    return switch (anyInPlace ? Protocol.REDO : writes.protocol()) {
      case AUTO -> Protocol.AUTO;
      case CHECKSUMMED -> Protocol.CHECKSUMMED;
      case REDO, UNDO, VERSIONED, CAP_FS, CAP_MM -> Protocol.REDO;
    };
  }

  @Override
  public void inserted(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.inserted(writes, table, tablet, from, n, how);
    }
  }

  @Override
  public PersistTarget insertTarget(Tablet tablet, ChunkKind kind, int column) {
    UndoProtocol inPlace = undo;
    return inPlace == null ? PersistTarget.VOLATILE : inPlace.insertTarget(tablet, kind, column);
  }

  @Override
  public void insertedByKernel(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.insertedByKernel(writes, table, tablet, from, n, how);
    }
  }

  @Override
  public void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.restored(writes, version, tablet);
    }
  }

  @Override
  public void beforeCommit(TransactionWrites writes) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.beforeCommit(writes);
    }
  }

  @Override
  public void afterCommit(TransactionWrites writes) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.afterCommit(writes);
    }
  }

  @Override
  public void afterRollback(TransactionWrites writes) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.afterRollback(writes);
    }
  }

  @Override
  public void beforeCheckpoint(long sequence) {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.beforeCheckpoint(sequence);
    }
  }

  @Override
  public void close() {
    UndoProtocol inPlace = undo;
    if (inPlace != null) {
      inPlace.close();
    }
  }
}
