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

/**
 * Creates, alters and drops domains. A column has its domain's type, default and constraints as its
 * own; it names the domain, which is not dropped under it unless by CASCADE.
 */
public final class Domains {
  private final Catalog catalog;

  Domains(Catalog catalog) {
    this.catalog = catalog;
  }

  public void create(Transaction transaction, DomainDef definition) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    before.requireSchema(definition.value().schema());
    if (before.domain(definition.fullName()) != null) {
      throw new GpdbException(
          SqlCondition.CONSTRAINT_EXISTS, "domain " + definition.fullName() + " already exists");
    }
    catalog.changeForOneMore(transaction, before);
    SystemTable.insertDomain(
        transaction, new DomainDef(definition.value().withTableId(catalog.newTableId())));
  }

  /** Defines a domain anew, under its name. */
  public void replace(Transaction transaction, DomainDef before, DomainDef after) {
    catalog.change(transaction);
    SystemTable.deleteDomain(transaction, before);
    SystemTable.insertDomain(
        transaction, new DomainDef(after.value().withTableId(catalog.newTableId())));
  }

  /** Drops a domain; with CASCADE its columns keep what they have of it. */
  public void drop(
      Transaction transaction, ObjectName name, boolean ifExists, DropBehavior behavior) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    DomainDef domain = before.domain(name);
    if (domain == null) {
      if (ifExists) {
        return;
      }
      throw new GpdbException(SqlCondition.OBJECT_NOT_FOUND, "domain " + name + " does not exist");
    }
    for (TableDef table : before.tables()) {
      if (table.columns().stream().anyMatch(column -> name.equals(column.domain()))) {
        if (behavior != DropBehavior.CASCADE) {
          throw new GpdbException(
              SqlCondition.OBJECT_IN_USE,
              "table %s has columns of domain %s; with CASCADE they keep its type and constraints"
                  .formatted(table.fullName(), name));
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
