package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates, alters and drops domains and distinct types. A column has its domain's type, default and
 * constraints as its own; it names the domain, which is not dropped under it unless by CASCADE.
 */
public final class Domains {
  private final Catalog catalog;

  Domains(Catalog catalog) {
    this.catalog = catalog;
  }

  public void create(Transaction transaction, DomainDef definition) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    before.requireSchema(definition.value().schema());
    DomainDef there = before.domain(definition.fullName());
    if (there != null) {
      throw new GpdbException(
          SqlCondition.CONSTRAINT_EXISTS,
          there.kind() + " " + definition.fullName() + " already exists");
    }
    requireFree(definition.toDistinct(), definition, before);
    requireFree(definition.toSource(), definition, before);
    catalog.changeForOneMore(transaction, before);
    SystemTable.insertDomain(
        transaction, definition.withValue(definition.value().withTableId(catalog.newTableId())));
  }

  /** Refuses the name of a function that casts where another function has it. */
  private static void requireFree(
      @Nullable String cast, DomainDef definition, CatalogSnapshot catalog) {
    ObjectName name = cast == null ? null : new ObjectName(definition.fullName().schema(), cast);
    if (name != null && (catalog.routine(name) != null || catalog.castBy(name) != null)) {
      throw new GpdbException(
          SqlCondition.ROUTINE_EXISTS, "function " + name + " of the type already exists");
    }
  }

  /** Defines a domain anew, under its name. */
  public void replace(Transaction transaction, DomainDef before, DomainDef after) {
    catalog.change(transaction);
    SystemTable.deleteDomain(transaction, before);
    SystemTable.insertDomain(
        transaction, after.withValue(after.value().withTableId(catalog.newTableId())));
  }

  /**
   * Drops a domain; with CASCADE its columns keep what they have of it.
   *
   * @param kind what it is called
   */
  public void drop(
      Transaction transaction,
      String kind,
      ObjectName name,
      boolean ifExists,
      DropBehavior behavior) {
    DomainDef domain = catalog.snapshot(transaction).domain(name);
    if (domain != null && domain.kind().equals(kind)) {
      drop(transaction, domain, behavior);
    } else if (!ifExists) {
      throw new GpdbException(SqlCondition.OBJECT_NOT_FOUND, kind + " " + name + " does not exist");
    }
  }

  void drop(Transaction transaction, DomainDef domain, DropBehavior behavior) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    ObjectName name = domain.fullName();
    for (TableDef table : before.tables()) {
      if (table.columns().stream().anyMatch(column -> name.equals(column.domain()))) {
        if (behavior != DropBehavior.CASCADE) {
          throw new GpdbException(
              SqlCondition.OBJECT_IN_USE,
              "table %s has columns of %s %s; with CASCADE they keep %s"
                  .formatted(
                      table.fullName(),
                      domain.kind(),
                      name,
                      domain.isDistinct() ? "their values" : "its type and constraints"));
        }
        catalog.redefineTable(transaction, table.withColumns(without(name, table.columns())));
      }
    }
    catalog.change(transaction);
    SystemTable.deleteDomain(transaction, domain);
  }

  private static List<ColumnDef> without(ObjectName domain, List<ColumnDef> columns) {
    return columns.stream()
        .map(column -> domain.equals(column.domain()) ? column.withDomain(null) : column)
        .toList();
  }
}
