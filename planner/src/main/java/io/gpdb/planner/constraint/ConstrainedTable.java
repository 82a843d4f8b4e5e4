package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A table with the constraints that changes of its rows concern. */
final class ConstrainedTable {
  private final TableDef table;
  private final List<Reference> references = new ArrayList<>();
  private final List<Reference> referencedBy = new ArrayList<>();
  private final BitSet referencing = new BitSet();
  private final BitSet referenced = new BitSet();
  private final List<IndexDef> deferrableKeys;
  private final BitSet keyed = new BitSet();

  ConstrainedTable(TableDef table) {
    this.table = table;
    this.deferrableKeys = table.deferrableKeys();
    for (IndexDef key : deferrableKeys) {
      for (int column : key.columns()) {
        keyed.set(column);
      }
    }
  }

  TableDef table() {
    return table;
  }

  void addReference(Reference reference) {
    references.add(reference);
    for (int column : reference.columns()) {
      referencing.set(column);
    }
  }

  void addReferencedBy(Reference reference) {
    referencedBy.add(reference);
    for (int column : reference.parentColumns()) {
      referenced.set(column);
    }
  }

  /** The foreign keys of the table. */
  List<Reference> references() {
    return references;
  }

  /** The foreign keys of which it is the parent. */
  List<Reference> referencedBy() {
    return referencedBy;
  }

  /** The indexes of its DEFERRABLE keys. */
  List<IndexDef> deferrableKeys() {
    return deferrableKeys;
  }

  boolean hasChecks() {
    return !table.checks().isEmpty();
  }

  boolean isReferenced() {
    return !referencedBy.isEmpty();
  }

  /** The columns that foreign keys refer to. */
  BitSet referenced() {
    return referenced;
  }

  /** Whether new rows are to be looked at. */
  boolean concernsRows() {
    return hasChecks() || !references.isEmpty() || !deferrableKeys.isEmpty();
  }

  /** Whether new values of the columns are to be looked at. */
  boolean concerns(int[] columns) {
    return hasChecks() || isAny(referencing, columns) || isAny(keyed, columns);
  }

  boolean isAnyReferenced(int[] columns) {
    return isAny(referenced, columns);
  }

  private static boolean isAny(BitSet set, int[] columns) {
    for (int column : columns) {
      if (set.get(column)) {
        return true;
      }
    }
    return false;
  }
}
