package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates, drops and comments on schemas. PUBLIC is in every database and stays in it. */
public final class Schemas {
  private final Catalog catalog;

  Schemas(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Whether a user may create or drop a schema of that name. */
  private static void requireOwn(String schema) {
    if (schema.equals(HostTables.SCHEMA) || SchemaNames.isHidden(schema)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "the schema name " + schema + " is the system's");
    }
  }

  public void create(Transaction transaction, String name, boolean ifNotExists) {
    requireOwn(name);
    CatalogSnapshot before = catalog.snapshot(transaction);
    if (before.hasSchema(name)) {
      if (ifNotExists) {
        return;
      }
      throw new GpdbException(SqlCondition.SCHEMA_EXISTS, "schema " + name + " already exists");
    }
    catalog.changeForOneMore(transaction, before);
    SystemTable.insertSchema(transaction, new SchemaDef(catalog.newTableId(), name, null));
  }

  /** Drops a schema without tables and views, or with {@code cascade} all that it has too. */
  public void drop(Transaction transaction, String name, boolean ifExists, boolean cascade) {
    requireOwn(name);
    CatalogSnapshot before = catalog.snapshot(transaction);
    if (name.equals(SchemaNames.PUBLIC)) {
      throw new GpdbException(SqlCondition.INVALID_STATEMENT, "schema PUBLIC cannot be dropped");
    }
    SchemaDef schema = before.schema(name);
    if (schema == null) {
      if (ifExists) {
        return;
      }
      throw CatalogSnapshot.missingSchema(name);
    }
    List<ObjectName> objects = objects(before, name);
    if (!objects.isEmpty() && !cascade) {
      throw new GpdbException(
          SqlCondition.OBJECT_IN_USE,
          "schema " + name + " has " + objects.getFirst() + "; CASCADE drops it too");
    }
    dropAll(transaction, objects);
    catalog.change(transaction);
    SystemTable.deleteSchema(transaction, schema);
  }

  private static List<ObjectName> objects(CatalogSnapshot snapshot, String schema) {
    List<ObjectName> names = new ArrayList<>();
    snapshot.views().forEach(view -> names.add(view.fullName()));
    snapshot.tables().forEach(table -> names.add(table.fullName()));
    snapshot.sequences().stream()
        .filter(sequence -> !sequence.owned())
        .forEach(sequence -> names.add(sequence.fullName()));
    snapshot.domains().forEach(domain -> names.add(domain.fullName()));
    snapshot.routines().forEach(routine -> names.add(routine.fullName()));
    names.removeIf(name -> !name.schema().equals(schema));
    return names;
  }

  /** A DEFAULT of a table elsewhere would name a sequence that is not there. */
  private void requireUnused(Transaction transaction, SequenceDef sequence) {
    for (TableDef table : catalog.snapshot(transaction).tables()) {
      for (ColumnDef column : table.columns()) {
        String text = column.defaultSql();
        if (text != null && upper(text).contains(upper(sequence.name()))) {
          throw new GpdbException(
              SqlCondition.OBJECT_IN_USE,
              "the DEFAULT of column "
                  + column.name()
                  + " of table "
                  + table.fullName()
                  + " may use sequence "
                  + sequence.fullName());
        }
      }
    }
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /** What one drop has taken along is not there for the next. */
  private void dropAll(Transaction transaction, List<ObjectName> names) {
    for (ObjectName name : names) {
      CatalogSnapshot now = catalog.snapshot(transaction);
      ViewDef view = now.view(name);
      TableDef table = now.table(name);
      if (view != null) {
        catalog.views().drop(transaction, view, DropBehavior.CASCADE);
      } else if (table != null) {
        catalog.dropTable(transaction, table, DropBehavior.CASCADE);
      }
      DomainDef domain = now.domain(name);
      if (domain != null) {
        catalog.domains().drop(transaction, domain, DropBehavior.CASCADE);
      }
      RoutineDef routine = catalog.snapshot(transaction).routine(name);
      if (routine != null) {
        catalog.routines().drop(transaction, routine, DropBehavior.CASCADE);
      }
      SequenceDef sequence = catalog.snapshot(transaction).sequence(name);
      if (sequence != null) {
        requireUnused(transaction, sequence);
        catalog.dropSequence(transaction, sequence);
      }
    }
  }

  /** Drops the temporary tables of a session. */
  public void dropTemporary(Transaction transaction, String schema) {
    dropAll(transaction, objects(catalog.snapshot(transaction), schema));
  }

  /** Drops the temporary tables of processes that ended before their sessions did. */
  public void dropTemporary(TransactionManager transactions) {
    Transaction transaction = transactions.begin();
    try {
      List<ObjectName> left =
          catalog.snapshot(transaction).tables().stream()
              .filter(TableDef::isTemporary)
              .map(TableDef::fullName)
              .toList();
      if (!left.isEmpty()) {
        dropAll(transaction, left);
        transaction.commit();
      }
    } finally {
      if (transaction.isActive()) {
        transaction.rollback();
      }
    }
  }

  public void comment(Transaction transaction, String name, @Nullable String comment) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    if (!before.hasSchema(name)) {
      throw CatalogSnapshot.missingSchema(name);
    }
    SchemaDef known = before.schema(name);
    catalog.change(transaction);
    if (known != null) {
      SystemTable.deleteSchema(transaction, known);
    }
    SystemTable.insertSchema(
        transaction,
        known == null
            ? new SchemaDef(catalog.newTableId(), name, comment)
            : known.withComment(comment));
  }
}
