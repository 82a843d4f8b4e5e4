package io.gpdb.planner.constraint;

import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a foreign key as its two tables store them: numbers are the same in both, strings have
 * codes of their own in each.
 */
final class KeyTranslation {
  private static final boolean[] NO_NULLS = {};

  private final @Nullable CodedStrings[] child;
  private final @Nullable CodedStrings[] parent;

  KeyTranslation(Reference reference, Transaction transaction) {
    TableReader childReader = transaction.reader(reference.child().tableId());
    TableReader parentReader = transaction.reader(reference.parent().tableId());
    child = new @Nullable CodedStrings[reference.width()];
    parent = new @Nullable CodedStrings[reference.width()];
    for (int i = 0; i < child.length; i++) {
      if (reference.isString(i)) {
        child[i] = childReader.strings(reference.columns()[i]);
        parent[i] = parentReader.strings(reference.parentColumns()[i]);
      }
    }
  }

  /** The parent's key as the child stores it; false where no row of the child can have it. */
  boolean toChild(long[] key, long[] out) {
    return translated(parent, child, key, NO_NULLS, out, false);
  }

  /** As {@link #toChild}, for a row that is to get it, with what is NULL of it. */
  void toNewChild(long[] key, boolean[] nulls, long[] out) {
    translated(parent, child, key, nulls, out, true);
  }

  /** The child's key as the parent stores it; false where no row of the parent can have it. */
  boolean toParent(long[] key, long[] out) {
    return translated(child, parent, key, NO_NULLS, out, false);
  }

  @SuppressWarnings("ReferenceEquality") // one dictionary
  private static boolean translated(
      @Nullable CodedStrings[] from,
      @Nullable CodedStrings[] to,
      long[] key,
      boolean[] nulls,
      long[] out,
      boolean intern) {
    for (int i = 0; i < out.length; i++) {
      if (nulls.length > 0 && nulls[i]) {
        continue;
      }
      CodedStrings source = from[i];
      CodedStrings target = to[i];
      if (source == target) {
        out[i] = key[i];
        continue;
      }
      if (source == null || target == null) {
        throw new GpdbException(ErrorCode.INTERNAL, "a foreign key of strings and numbers");
      }
      byte[] bytes = source.bytes((int) key[i]);
      int code =
          intern ? target.intern(bytes, 0, bytes.length) : target.find(bytes, 0, bytes.length);
      if (code < 0) {
        return false;
      }
      out[i] = code;
    }
    return true;
  }
}
