package io.gpdb.txn.change;

import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call changes in one table, as a columnar batch: rows that are new, new values of columns
 * of rows, or rows that end. It has a part for each tablet. The latches of all of them are held
 * exclusively while a protocol carries it out.
 */
public sealed interface TableChange permits InsertChange, UpdateChange, DeleteChange {
  /** What it changes in one tablet, and how far it has come. */
  sealed interface Part permits InsertChange.Part, UpdateChange.Part, DeleteChange.Part {
    Tablet tablet();

    int n();
  }

  TableVersions table();

  List<? extends Part> parts();

  /** How many rows all parts have. */
  default long rows() {
    long rows = 0;
    for (Part part : parts()) {
      rows += part.n();
    }
    return rows;
  }

  /** The same of some of its parts. */
  TableChange only(List<? extends Part> some);

  /** The undo version of what was carried out of the part; null where nothing was. */
  @Nullable UndoVersion undo(TransactionWrites writes, Part part);
}
