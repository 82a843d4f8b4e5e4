package io.gpdb.txn.log;

import io.gpdb.storage.space.TableSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether the values that the records of a transaction leave to extents have arrived. Asked
 * for every record in order; judges with a transaction's last one (B2).
 */
public final class ArrivedValues {
  private final TableSpace space;
  private final List<ExtentReference> awaited = new ArrayList<>();
  private boolean anyArrived;

  public ArrivedValues(TableSpace space) {
    this.space = space;
  }

  /** False for the last record of a transaction whose values did not all arrive. */
  boolean holdsWith(WalRecord record) {
    if (record.isFirst()) {
      awaited.clear();
    }
    record.forEachSection(
        section -> section.references().forEach(reference -> awaited.add(reference.copied())));
    if (!record.isLast()) {
      return true;
    }
    boolean all = awaited.stream().allMatch(reference -> reference.hasArrived(space));
    if (all) {
      awaited.forEach(reference -> space.home().flush(reference.offset(), reference.bytes()));
      anyArrived |= !awaited.isEmpty();
    }
    awaited.clear();
    return all;
  }

  /** Makes durable what has arrived: it may be there and not be so yet (W7). */
  void drain() {
    if (anyArrived) {
      space.home().drain();
    }
  }
}
