package io.gpdb.planner.change;

import io.gpdb.planner.run.Execution;
import io.gpdb.sql.catalog.ColumnDef;
import io.gpdb.sql.catalog.KeyDef;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
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
              + Suggestions.table(statement.name(), x.catalog()));
    }
    if (table != null) {
      for (AlterAction action : statement.actions()) {
        table = altered(x, table, action);
      }
    }
    return 0;
  }

  /** Carries one action out; returns the table as it is then. */
  private TableDef altered(Execution x, TableDef table, AlterAction action) {
    return switch (action) {
      case AlterAction.SetDefault set -> setDefault(x, table, set);
      case AlterAction.SetNotNull set when !set.notNull() -> dropNotNull(x, table, set);
      case AlterAction.SetNotNull _ -> throw refused("SET NOT NULL");
      case AlterAction.AddColumn _ -> throw refused("ADD COLUMN");
      case AlterAction.AddKey _ -> throw refused("ADD PRIMARY KEY or UNIQUE");
      case AlterAction.DropColumn _ -> throw refused("DROP COLUMN");
      case AlterAction.RenameColumn _ -> throw refused("RENAME COLUMN");
      case AlterAction.RenameTable _ -> throw refused("RENAME TO");
      case AlterAction.SetType _ -> throw refused("SET DATA TYPE");
      case AlterAction.DropConstraint _ -> throw refused("DROP CONSTRAINT");
      case AlterAction.DropPrimaryKey _ -> throw refused("DROP PRIMARY KEY");
      case AlterAction.RenameConstraint _ -> throw refused("RENAME CONSTRAINT");
    };
  }

  private static GpdbException refused(String what) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED, "ALTER TABLE … " + what + " is not supported");
  }

  private TableDef setDefault(Execution x, TableDef table, AlterAction.SetDefault set) {
    int index = column(x, table, set.column());
    ColumnDef column = table.column(index).withDefault(set.defaultSql());
    statements.tryDefaults(x, table.withColumns(List.of(column)).withKeys(List.of()));
    return redefined(x, table.withColumns(replaced(table, index, column)));
  }

  private static TableDef dropNotNull(Execution x, TableDef table, AlterAction.SetNotNull set) {
    int index = column(x, table, set.column());
    for (KeyDef key : table.keys()) {
      if (key.primary() && Arrays.stream(key.columns()).anyMatch(c -> c == index)) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "column " + set.column() + " is in the primary key " + key.name());
      }
    }
    ColumnDef column = table.column(index).withNullable(true).withNotNullName(null);
    return redefined(x, table.withColumns(replaced(table, index, column)));
  }

  private static List<ColumnDef> replaced(TableDef table, int index, ColumnDef column) {
    List<ColumnDef> columns = new ArrayList<>(table.columns());
    columns.set(index, column);
    return columns;
  }

  private static TableDef redefined(Execution x, TableDef table) {
    x.catalogs().redefineTable(x.transaction(), table);
    return table;
  }

  private static int column(Execution x, TableDef table, String name) {
    int index = table.indexOf(name);
    if (index < 0) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND,
          "column "
              + name
              + " does not exist in table "
              + table.name()
              + Suggestions.column(name, table.name(), x.catalog()));
    }
    return index;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("alter table " + statement.name() + " [catalog]");
  }
}
