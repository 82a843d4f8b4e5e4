package io.gpdb.storage.tablet;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The mark of a table that says whether its tablets have changed. Readers set it, whoever changes a
 * tablet ends it; where no reader cares, a change costs one look. Thread-safe.
 *
 * <p>Invariant: a mark that is current is the table's. So what is bound to a kernel under the
 * shared latches of its tablets, while a mark that was set before is current, is as the tablets are
 * for as long as the mark stays current: a change that had begun before the mark was set ended
 * before its tablet's latch was to be had, and one that begins later ends the mark first.
 */
public final class ChangeMarks {
  private final AtomicReference<@Nullable ChangeMark> current = new AtomicReference<>();

  /** The table's mark, set now where there is none. */
  public ChangeMark mark() {
    while (true) {
      ChangeMark known = current.get();
      if (known != null && known.isCurrent()) {
        return known;
      }
      ChangeMark fresh = new ChangeMark();
      if (current.compareAndSet(known, fresh)) {
        return fresh;
      }
    }
  }

  /**
   * Bytes or buffers of a tablet, whose latch the caller holds exclusively, are about to change.
   */
  void changing() {
    ChangeMark known = current.get();
    if (known != null) {
      known.end();
      var _ = current.compareAndSet(known, null);
    }
  }
}
