package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** Judges rows by the constraints of which a row alone or its key says whether it keeps them. */
final class RowConstraints {
  private final CheckPlans checks;

  RowConstraints(CheckPlans checks) {
    this.checks = checks;
  }

  CheckPlan plan(TableDef table, CheckDef check) {
    return checks.of(table, check);
  }

  /** Refuses rows that make the condition FALSE. */
  void judge(Execution x, TableDef table, CheckDef check, ChosenRows rows) {
    long row = plan(table, check).firstViolation(x, rows);
    if (row >= 0) {
      throw violation(x, table, check, row);
    }
  }

  /** Refuses rows of which another has the key. */
  static void judge(Execution x, TableDef table, IndexDef key, ChosenRows rows) {
    new KeyCheck(table, key, x.transaction()).ofRows(rows);
  }

  /** Judges rows by the constraint of that name, which was deferred. */
  void judge(Execution x, ConstraintGraph graph, ConstraintId id, ChosenRows rows) {
    ConstrainedTable constrained = graph.table(rows.tableId());
    if (constrained != null) {
      TableDef table = constrained.table();
      for (CheckDef check : table.checks()) {
        if (check.name().equals(id.name())) {
          judge(x, table, check, rows);
          return;
        }
      }
      for (Reference reference : constrained.references()) {
        if (reference.id().equals(id)) {
          new ReferenceCheck(reference, x.transaction()).ofRows(rows);
          return;
        }
      }
      for (IndexDef key : table.deferrableKeys()) {
        if (key.name().equals(id.name())) {
          judge(x, table, key, rows);
          return;
        }
      }
    }
    throw new GpdbException(
        ErrorCode.SERIALIZATION_CONFLICT,
        "another transaction has dropped or renamed the deferred constraint "
            + id.name()
            + " of table "
            + id.table());
  }

  static GpdbException violation(Execution x, TableDef table, CheckDef check, long row) {
    return new GpdbException(
        SqlCondition.CHECK_VIOLATION,
        "check constraint "
            + check.name()
            + " of table "
            + table.name()
            + " is violated by the row "
            + RowText.of(table, x.transaction().reader(table.tableId()), row));
  }
}
