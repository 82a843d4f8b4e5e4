package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** ALTER TABLE: each action is carried out on the table as the one before has left it. */
public final class AlterTable implements Change {
  private final Analyzed.AlterTable statement;
  private final InnerStatements statements;

  public AlterTable(Analyzed.AlterTable statement, InnerStatements statements) {
    this.statement = statement;
    this.statements = statements;
  }

  @Override
  public long apply(Execution x) {
    TableDef table = x.catalog().table(statement.name());
    if (table == null && x.catalog().view(statement.name()) != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT, statement.name() + " is a view and no table");
    }
    if (table == null && !statement.ifExists()) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          "table "
              + statement.name()
              + " does not exist"
              + Suggestions.table(statement.name().name(), x.catalog()));
    }
    if (table != null) {
      AlteredTable altered = new AlteredTable(x, statements, table);
      boolean added = true;
      for (AlterAction action : statement.actions()) {
        added = apply(altered, action, added);
      }
      ReadingViews.describe(x, statements, altered.table().fullName());
    }
    return 0;
  }

  /**
   * Carries one action out.
   *
   * @param added whether the last column to be added was not there
   * @return the same after this action
   */
  private static boolean apply(AlteredTable altered, AlterAction action, boolean added) {
    AlterColumns columns = new AlterColumns(altered);
    AlterKeys keys = new AlterKeys(altered);
    AlterConstraints constraints = new AlterConstraints(altered);
    switch (action) {
      case AlterAction.AddColumn add -> {
        return columns.add(add);
      }
      case AlterAction.DropColumn drop -> columns.drop(drop);
      case AlterAction.RenameColumn rename -> columns.rename(rename);
      case AlterAction.SetDefault set -> columns.setDefault(set);
      case AlterAction.SetNotNull set -> columns.setNotNull(set);
      case AlterAction.SetType set -> new AlterColumnType(altered, set).apply();
      case AlterAction.AddKey add -> {
        if (added || !add.ofColumn()) {
          keys.add(add);
        }
      }
      case AlterAction.AddCheck add -> {
        if (added || !add.ofColumn()) {
          constraints.add(add);
        }
      }
      case AlterAction.AddForeignKey add -> {
        if (added || !add.ofColumn()) {
          constraints.add(add);
        }
      }
      case AlterAction.DropConstraint drop -> keys.drop(drop);
      case AlterAction.DropPrimaryKey drop -> keys.dropPrimary(drop.cascade());
      case AlterAction.RenameConstraint rename -> keys.rename(rename);
      case AlterAction.ChangeIdentity change -> new AlterIdentity(altered).change(change);
      case AlterAction.AddIdentity add -> new AlterIdentity(altered).add(add);
      case AlterAction.DropIdentity drop -> new AlterIdentity(altered).drop(drop);
      case AlterAction.RenameTable rename -> rename(altered, rename.to());
    }
    return added;
  }

  private static void rename(AlteredTable altered, String to) {
    TableDef table = altered.table();
    if (table.name().equals(to)) {
      return;
    }
    CatalogSnapshot catalog = altered.catalog();
    ObjectName renamed = new ObjectName(table.schema(), to);
    if (catalog.table(renamed) != null || catalog.view(renamed) != null) {
      throw new GpdbException(ErrorCode.TABLE_EXISTS, "table or view " + to + " already exists");
    }
    TableReaders readers = new TableReaders(altered);
    readers.requireNoExpression(table.name(), "RENAME");
    for (TableDef other : List.copyOf(catalog.tables())) {
      List<ForeignKeyDef> foreignKeys = moved(other.foreignKeys(), readers, to);
      if (other.tableId() == table.tableId()) {
        table = table.withForeignKeys(foreignKeys);
      } else if (!foreignKeys.equals(other.foreignKeys())) {
        altered
            .execution()
            .catalogs()
            .redefineTable(altered.execution().transaction(), other.withForeignKeys(foreignKeys));
      }
    }
    TableDef named = table.withName(table.schema(), to);
    ReadingViews.rename(
        altered.execution(),
        altered.statements(),
        altered.table().fullName(),
        renamed,
        () -> altered.redefine(named));
  }

  private static List<ForeignKeyDef> moved(
      List<ForeignKeyDef> foreignKeys, TableReaders readers, String to) {
    return foreignKeys.stream()
        .map(
            foreign ->
                readers.refersTo(foreign)
                    ? foreign.withParent(to, foreign.parentColumns())
                    : foreign)
        .toList();
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("alter table " + statement.name() + " [catalog, rows where needed]");
  }
}
