package io.gpdb.txn.protocol;

import io.gpdb.storage.column.ChunkKind;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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

  /** All parts together where they go one way that has launches for it; else by column. */
  private void update(TransactionWrites writes, UpdateChange change) {
    EnumSet<Protocol> protocols = choose(writes, change);
    if (protocols.equals(EnumSet.of(Protocol.REDO))) {
      stores.update(writes, change, true);
    } else if (protocols.equals(EnumSet.of(Protocol.UNDO)) && change.fitsOneLaunch()) {
      undo().update(writes, change);
    } else {
      boolean anyInPlace = protocols.contains(Protocol.UNDO);
      change.withValues(
          writes,
          stores.suppliedValues(),
          there -> {
            if (anyInPlace) {
              updateByColumn(writes, there);
            } else {
              stores.update(writes, there, true);
            }
          });
    }
  }

  /** For each part and column. */
  private EnumSet<Protocol> choose(TransactionWrites writes, UpdateChange change) {
    EnumSet<Protocol> protocols = EnumSet.noneOf(Protocol.class);
    boolean extentWrites = writes.hasExtentWrites();
    for (UpdateChange.Part part : change.parts()) {
      for (int c = 0; c < change.columns().length; c++) {
        Protocol how = choose(writes, change, part, c, extentWrites);
        part.protocol(c, how);
        extentWrites |= how == Protocol.VERSIONED;
        protocols.add(how);
      }
    }
    return protocols;
  }

  /** The parts whose column goes in place by launches of their own, then all others. */
  private void updateByColumn(TransactionWrites writes, UpdateChange change) {
    for (int c = 0; c < change.columns().length; c++) {
      List<UpdateChange.Part> inPlace = new ArrayList<>();
      List<UpdateChange.Part> others = new ArrayList<>();
      for (UpdateChange.Part part : change.parts()) {
        assert part.protocol(c) == Protocol.UNDO
                || !part.tablet().isInPlace(ChunkKind.VALUES, change.columns()[c])
            : "M1";
        (part.protocol(c) == Protocol.UNDO ? inPlace : others).add(part);
      }
      if (!inPlace.isEmpty()) {
        updateInPlace(writes, change, inPlace, c);
      }
      if (!others.isEmpty()) {
        stores.updateColumn(writes, change.only(others), c);
      }
    }
  }

  private void updateInPlace(
      TransactionWrites writes, UpdateChange change, List<UpdateChange.Part> parts, int c) {
    UpdateChange alone = change.alone(parts, c);
    try {
      undo().update(writes, alone);
    } finally {
      UpdateChange.doneAlone(parts, c, alone);
    }
  }

  private Protocol choose(
      TransactionWrites writes,
      UpdateChange change,
      UpdateChange.Part part,
      int c,
      boolean extentWrites) {
    TableVersions table = change.table();
    Tablet tablet = part.tablet();
    int column = change.columns()[c];
    if (tablet.isInPlace(ChunkKind.VALUES, column)) {
      return Protocol.UNDO; // M1
    }
    Protocol requested = writes.protocol();
    return switch (requested == Protocol.AUTO
        ? cost.ofUpdate(table, tablet, column, part.n(), extentWrites)
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
