package io.gpdb.planner.constraint;

import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Keys of deferred foreign keys that a transaction must check before it ends. Strings are kept as
 * they are: a code may mean another string when the statement that found it has ended. What a
 * roll-back to a savepoint undid stays, and is found to hold; what was checked after the savepoint
 * waits again, for the rows that made it hold may be gone.
 */
final class DeferredKeys {
  /** Keys that may wait; more are an error. */
  static final int KEYS_MAX = 10_000_000;

  private final Map<ConstraintId, Keys> waiting = new LinkedHashMap<>();
  private final List<Checked> checked = new ArrayList<>();
  private int count;

  /** Keys, the first of which was found when the last savepoint had that number. */
  private record Keys(Set<List<Object>> values, int since) {}

  /** Keys that were found to hold when the last savepoint had that number. */
  private record Checked(ConstraintId id, Keys keys, int savepoint) {}

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Those that wait, and those that may have to wait again. */
  int count() {
    return count;
  }

  void add(Reference reference, KeyTable added, Transaction transaction) {
    TableReader child = transaction.reader(reference.child().tableId());
    Set<List<Object>> known = of(reference.id(), transaction.lastSavepoint()).values();
    int before = known.size();
    for (int k = 0; k < added.count(); k++) {
      long[] key = added.key(k);
      List<Object> values = new ArrayList<>(key.length);
      for (int i = 0; i < key.length; i++) {
        CodedStrings strings = reference.isString(i) ? child.strings(reference.columns()[i]) : null;
        values.add(
            strings == null ? Long.valueOf(key[i]) : ByteBuffer.wrap(strings.bytes((int) key[i])));
      }
      known.add(values);
    }
    count += known.size() - before;
  }

  private Keys of(ConstraintId id, int since) {
    return waiting.computeIfAbsent(id, _ -> new Keys(new LinkedHashSet<>(), since));
  }

  /** Those of the references, as keys that the child may have. */
  Map<ConstraintId, KeyTable> of(
      ConstraintGraph graph, Predicate<ConstraintId> wanted, Transaction transaction) {
    Map<ConstraintId, KeyTable> taken = new LinkedHashMap<>();
    for (ConstraintId id : List.copyOf(waiting.keySet())) {
      Reference reference = graph.reference(id);
      if (reference == null) {
        throw new GpdbException(
            ErrorCode.SERIALIZATION_CONFLICT,
            "another transaction has dropped or renamed the deferred foreign key "
                + id.name()
                + " of table "
                + id.table());
      }
      if (wanted.test(id)) {
        taken.put(id, coded(reference, of(id, 0).values(), transaction));
      }
    }
    return taken;
  }

  /** Those of the reference hold, as long as no savepoint up to the last one is gone back to. */
  void checked(ConstraintId id, int lastSavepoint) {
    Keys held = waiting.remove(id);
    if (held != null) {
      checked.add(new Checked(id, held, lastSavepoint));
    }
  }

  /**
   * What was checked after the savepoint waits again; what was found after it is gone, and with it
   * perhaps the foreign key.
   */
  void rolledBack(int savepoint) {
    waiting.values().removeIf(keys -> keys.since() >= savepoint);
    for (Checked each : checked) {
      if (each.savepoint() >= savepoint && each.keys().since() < savepoint) {
        of(each.id(), each.keys().since()).values().addAll(each.keys().values());
      }
    }
    checked.removeIf(each -> each.savepoint() >= savepoint);
    count =
        waiting.values().stream().mapToInt(keys -> keys.values().size()).sum()
            + checked.stream().mapToInt(each -> each.keys().values().size()).sum();
  }

  private static KeyTable coded(
      Reference reference, Set<List<Object>> values, Transaction transaction) {
    TableReader child = transaction.reader(reference.child().tableId());
    KeyTable coded = new KeyTable(reference.width());
    long[] key = new long[reference.width()];
    for (List<Object> value : values) {
      boolean known = true;
      for (int i = 0; i < key.length && known; i++) {
        key[i] = code(reference, i, value.get(i), child);
        known = key[i] >= 0 || !reference.isString(i);
      }
      if (known) {
        coded.add(key);
      }
    }
    return coded;
  }

  private static long code(Reference reference, int part, Object value, TableReader child) {
    if (value instanceof Long number) {
      return number;
    }
    CodedStrings strings = child.strings(reference.columns()[part]);
    byte[] bytes = ((ByteBuffer) value).array();
    return strings == null ? -1 : strings.find(bytes, 0, bytes.length);
  }
}
