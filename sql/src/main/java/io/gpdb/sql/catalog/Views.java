package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.Privileges;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.function.Predicate;

/**
 * The views of a catalog, created and dropped by transactions. No view reads itself, through others
 * neither.
 */
public final class Views {
  private final Catalog catalog;

  Views(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Creates the view, or with {@code orReplace} replaces the one of that name.
   *
   * @param valid whether a view can be read: those that cannot do not mind what is replaced
   */
  public void create(
      Transaction transaction, ViewDef definition, boolean orReplace, Predicate<ViewDef> valid) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    Catalog.requireFree(before, definition.fullName());
    ViewDef old = before.view(definition.fullName());
    if (old != null) {
      if (!orReplace) {
        throw Catalog.exists("view", definition.fullName());
      }
    }
    requireNoReaderIn(before, definition);
    if (old != null) {
      requireColumns(before, old, definition, valid);
    }
    catalog.changeForOneMore(transaction, before);
    if (old != null) {
      SystemTable.deleteView(transaction, old);
    }
    ViewDef created = old == null ? definition : Privileges.kept(old, definition);
    SystemTable.insertView(transaction, created.withViewId(catalog.newTableId()));
  }

  private static void requireColumns(
      CatalogSnapshot before, ViewDef old, ViewDef definition, Predicate<ViewDef> valid) {
    if (definition.hasColumnsOf(old)) {
      return;
    }
    for (ViewDef reader : before.readersOf(old.fullName())) {
      if (valid.test(reader)) {
        throw new GpdbException(
            SqlCondition.OBJECT_IN_USE,
            "view "
                + reader.fullName()
                + " reads view "
                + old.fullName()
                + ", which must keep the names and types of its columns");
      }
    }
  }

  /** Throws where a view of that name would read itself through what it uses. */
  private static void requireNoReaderIn(CatalogSnapshot before, ViewDef view) {
    ObjectName name = view.fullName();
    if (view.uses().contains(name)
        || Dependents.ofRelation(name, before).isAnyOf(view.uses(), view.routines())) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "view " + name + " would read itself");
    }
  }

  /** Gives a view another definition under its name, which reads nothing else. */
  public void redefine(Transaction transaction, ViewDef view) {
    catalog.change(transaction);
    SystemTable.deleteView(transaction, view);
    SystemTable.insertView(transaction, view);
  }

  /** Gives a view another name, which is free. */
  public void rename(Transaction transaction, ViewDef view, String name) {
    ViewDef renamed = view.withName(name);
    requireNoReaderIn(catalog.snapshot(transaction), renamed);
    catalog.change(transaction);
    SystemTable.deleteView(transaction, view);
    SystemTable.insertView(transaction, renamed);
  }

  /** Drops a view. */
  public void drop(Transaction transaction, ViewDef view, DropBehavior behavior) {
    dropReaders(transaction, "view " + view.fullName(), view.fullName(), behavior);
    catalog.change(transaction);
    SystemTable.deleteView(transaction, view);
  }

  /** Does to the views that read what is dropped what the DROP says. */
  void dropReaders(
      Transaction transaction, String dropped, ObjectName name, DropBehavior behavior) {
    if (behavior != DropBehavior.UNSPECIFIED) {
      Dependents dependents = Dependents.ofRelation(name, catalog.snapshot(transaction));
      dependents.admit("reads " + dropped, behavior);
      catalog.change(transaction);
      SystemTable.deleteAll(transaction, dependents);
    }
  }
}
