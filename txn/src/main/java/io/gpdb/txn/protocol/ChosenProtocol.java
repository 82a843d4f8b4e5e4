package io.gpdb.txn.protocol;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.DeleteChange;
import io.gpdb.txn.change.InsertChange;
import io.gpdb.txn.change.TableChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.change.UpdateChange;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Redo, undo, versioned and checksummed, chosen for each change of a column in a tablet: as the
 * transaction asks, or by cost.
 *
 * <p>M1. A chunk that is in place stays so while the database is open: every later change of it is
 * made by undo, and its transaction's record names the extent. M2. A chunk is taken in place only
 * when no change of its column waits for its commit to be durable: what its extent holds then is in
 * the log already, or is of rows that do not live.
 */
public final class ChosenProtocol implements WriteProtocol {
  private final ColumnStores stores;
  private final ProtocolCost cost;
  private final boolean inPlace;
  private final Supplier<UndoProtocol> openUndo;
  private volatile @Nullable UndoProtocol undo;

  /**
   * @param inPlace whether kernels may store to the home: otherwise there is no undo
   * @param openUndo makes the undo log when the first change needs it
   */
  public ChosenProtocol(
      ColumnStores stores, ProtocolCost cost, boolean inPlace, Supplier<UndoProtocol> openUndo) {
    this.stores = stores;
    this.cost = cost;
    this.inPlace = inPlace;
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
  public boolean offers(Protocol requested) {
    return !requested.isBaseline() && (inPlace || requested != Protocol.UNDO);
  }

  @Override
  public void update(TransactionWrites writes, TableChange change) {
    switch (change) {
      case InsertChange insert -> insert(writes, insert);
      case UpdateChange update -> update(writes, update);
      case DeleteChange delete -> stores.apply(writes, delete, true);
    }
  }

  /** All parts together where all go one way that has launches for it; else column by column. */
  private void update(TransactionWrites writes, UpdateChange change) {
    EnumSet<Protocol> protocols = EnumSet.noneOf(Protocol.class);
    for (UpdateChange.Part part : change.parts()) {
      for (int column : change.columns()) {
        protocols.add(choose(writes, change.table(), part.tablet(), column, part.n()));
      }
    }
    if (protocols.equals(EnumSet.of(Protocol.REDO))) {
      stores.update(writes, change, true);
    } else if (protocols.equals(EnumSet.of(Protocol.UNDO)) && change.fitsOneLaunch()) {
      undo().update(writes, change);
    } else {
      change.forEachColumn(writes, (part, c, values) -> update(writes, change, part, c, values));
    }
  }

  private void update(
      TransactionWrites writes,
      UpdateChange change,
      UpdateChange.Part part,
      int c,
      ColumnView values) {
    Tablet tablet = part.tablet();
    int column = change.columns()[c];
    Protocol how = choose(writes, change.table(), tablet, column, part.n());
    if (how == Protocol.UNDO) {
      UpdateChange alone = change.alone(part, c, values, stores.suppliedValues());
      try {
        undo().update(writes, alone);
      } finally {
        part.doneAlone(c, alone);
      }
    } else {
      assert !tablet.isInPlace(ChunkKind.VALUES, column) : "M1";
      stores.update(writes, change.column(writes, part, c, values), how == Protocol.REDO);
      part.done(c, how);
    }
  }

  /** Each append to the undo log, and each store in place, waits for the medium. */
  @Override
  public boolean changesTabletsTogether(Protocol requested) {
    return requested == Protocol.UNDO;
  }

  private Protocol choose(
      TransactionWrites writes, TableVersions table, Tablet tablet, int column, int n) {
    if (tablet.isInPlace(ChunkKind.VALUES, column)) {
      return Protocol.UNDO; // M1
    }
    Protocol requested = writes.protocol();
    return switch (requested == Protocol.AUTO
        ? cost.ofUpdate(writes, table, tablet, column, n)
        : requested) {
      case UNDO -> mayAdopt(table, tablet, column) ? Protocol.UNDO : Protocol.REDO;
      case VERSIONED -> Protocol.VERSIONED;
      case AUTO, REDO, CHECKSUMMED, CAP_FS, CAP_MM -> Protocol.REDO;
    };
  }

  /** M2, E4. */
  private static boolean mayAdopt(TableVersions table, Tablet tablet, int column) {
    return !table.hasUncommitted(tablet.number(), column);
  }

  private void insert(TransactionWrites writes, InsertChange change) {
    for (InsertChange.Part part : change.parts()) {
      part.protocol(protocolOfInsert(writes, change.table(), part.tablet()));
    }
    UndoProtocol inPlace = undo;
    if (inPlace == null) {
      stores.apply(writes, change, true);
    } else {
      inPlace.insert(writes, change);
    }
  }

  /** AUTO leaves it to the commit. */
  private Protocol protocolOfInsert(TransactionWrites writes, TableVersions table, Tablet tablet) {
    boolean anyInPlace = false;
    boolean allMayBe = writes.protocol() == Protocol.UNDO;
    for (int c = 0; c < table.types().length; c++) {
      boolean inPlace = tablet.isInPlace(ChunkKind.VALUES, c);
      anyInPlace |= inPlace;
      allMayBe = allMayBe && (inPlace || mayAdopt(table, tablet, c));
    }
    if (allMayBe) {
      undo().adopt(writes, table, tablet);
      return Protocol.UNDO;
    }
    return switch (anyInPlace ? Protocol.REDO : writes.protocol()) {
      case AUTO -> Protocol.AUTO;
      case CHECKSUMMED -> Protocol.CHECKSUMMED;
      case REDO, UNDO, VERSIONED, CAP_FS, CAP_MM -> Protocol.REDO;
    };
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
