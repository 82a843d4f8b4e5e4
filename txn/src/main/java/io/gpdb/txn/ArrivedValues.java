package io.gpdb.txn;

import io.gpdb.storage.TableSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells whether the values that the records of a transaction leave to extents have arrived. Asked
 * for every record in order; judges with a transaction's last one (B2).
 */
final class ArrivedValues {
  private final TableSpace space;
  private final List<ExtentReference> awaited = new ArrayList<>();

  ArrivedValues(TableSpace space) {
    this.space = space;
  }

  /** False for the last record of a transaction whose values did not all arrive. */
  boolean holdsWith(WalRecord record) {
    if (record.isFirst()) {
      awaited.clear();
    }
    record.forEachSection(
        section ->
            ExtentReference.of(section).forEach(reference -> awaited.add(reference.copied())));
    if (!record.isLast()) {
      return true;
    }
    boolean all = awaited.stream().allMatch(reference -> reference.hasArrived(space));
    awaited.clear();
    return all;
  }
}
