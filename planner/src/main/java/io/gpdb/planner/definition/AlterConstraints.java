package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableConstraints;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.AlterAction;
import java.util.Set;
import java.util.TreeSet;

/**
 * Actions of ALTER TABLE that add CHECK and FOREIGN KEY to a table with rows. Whoever began before
 * the change commits does not know of them: such writers of the tables are refused, and so is the
 * change beside others.
 */
final class AlterConstraints {
  private final AlteredTable altered;

  AlterConstraints(AlteredTable altered) {
    this.altered = altered;
  }

  void add(AlterAction.AddCheck add) {
    TableDef table =
        TableConstraints.withCheck(
            altered.table(), add.name(), add.condition(), add.deferrability());
    TableConstraints.requireDistinctNames(table);
    CheckDef check = table.checks().getLast();
    altered.fence();
    altered.statements().validate(altered.execution(), table, check);
    altered.redefine(table);
  }

  void add(AlterAction.AddForeignKey add) {
    ForeignKeyDef key = add.key().in(altered.table(), altered.catalog());
    TableDef table = TableConstraints.withForeignKey(altered.table(), key);
    TableConstraints.requireDistinctNames(table);
    altered.fence();
    fenceParents(altered.execution(), table);
    altered.statements().validate(altered.execution(), table, key);
    altered.redefine(table);
  }

  /** Writers of the parents of a table must know of it. */
  static void fenceParents(Execution x, TableDef table) {
    Set<ObjectName> parents = new TreeSet<>();
    table.foreignKeys().forEach(key -> parents.add(key.parent()));
    for (ObjectName name : parents) {
      TableDef parent = x.catalog().table(name);
      if (parent != null && parent.tableId() != table.tableId()) {
        x.transaction().fenceTable(parent.tableId());
      }
    }
  }
}
