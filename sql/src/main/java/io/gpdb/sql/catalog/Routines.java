package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;

/** The functions and procedures of a catalog, created and dropped by transactions. */
public final class Routines {
  private final Changes catalog;

  /** What they need of the catalog. */
  interface Changes {
    /** The catalog that the transaction sees. */
    CatalogSnapshot snapshot(Transaction transaction);

    /** Marks the catalog as changed by the transaction. */
    void change(Transaction transaction);

    /** The same where the catalog gets one object more. */
    void changeForOneMore(Transaction transaction, CatalogSnapshot before);

    int newId();
  }

  Routines(Changes catalog) {
    this.catalog = catalog;
  }

  public void create(Transaction transaction, RoutineDef definition) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    ObjectName name = definition.fullName();
    before.requireSchema(name.schema());
    for (RoutineDef other : before.routines()) {
      boolean sameSpecific =
          other.specific().equals(definition.specific())
              && other.fullName().schema().equals(name.schema());
      if (sameSpecific || other.fullName().equals(name)) {
        throw new GpdbException(
            SqlCondition.ROUTINE_EXISTS,
            "routine %s of specific name %s already exists"
                .formatted(other.fullName(), other.specific()));
      }
    }
    if (before.castBy(name) != null) {
      throw new GpdbException(
          SqlCondition.ROUTINE_EXISTS, "function " + name + " of a type already exists");
    }
    catalog.changeForOneMore(transaction, before);
    SystemTable.insertRoutine(transaction, definition.withRoutineId(catalog.newId()));
  }

  /** Drops a routine; what calls it goes with it by CASCADE, and keeps it from going otherwise. */
  public void drop(Transaction transaction, RoutineDef routine, DropBehavior behavior) {
    ObjectName name = routine.fullName();
    Dependents dependents = Dependents.ofRoutine(name, catalog.snapshot(transaction));
    dependents.admit("calls routine " + name, behavior);
    catalog.change(transaction);
    SystemTable.deleteAll(transaction, dependents);
    SystemTable.deleteRoutine(transaction, routine);
  }

  /** Gives a routine other privileges. */
  void redefine(Transaction transaction, RoutineDef routine) {
    catalog.change(transaction);
    SystemTable.deleteRoutine(transaction, routine);
    SystemTable.insertRoutine(transaction, routine);
  }
}
