package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** The actions of ALTER TABLE on identity columns; the rows stay as they are. */
final class AlterIdentity {
  private final AlteredTable altered;

  AlterIdentity(AlteredTable altered) {
    this.altered = altered;
  }

  void change(AlterAction.ChangeIdentity change) {
    int index = altered.column(change.column());
    ColumnDef column = altered.table().column(index);
    IdentityDef identity = identity(column);
    Execution x = altered.execution();
    SequenceDef sequence = change.sequence();
    if (sequence != null) {
      x.catalogs().redefineSequence(x.transaction(), sequence);
    }
    Boolean always = change.always();
    if (always != null && always != identity.always()) {
      redefine(index, column.withIdentity(identity.withAlways(always)), List.of());
    }
  }

  void add(AlterAction.AddIdentity add) {
    int index = altered.column(add.column());
    ColumnDef column = altered.table().column(index);
    if (column.identity() != null
        || column.defaultSql() != null
        || column.generatedSql() != null
        || column.nullable()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "column "
              + column.name()
              + " cannot become an identity column: it has to be NOT NULL, without a DEFAULT,"
              + " and neither generated nor an identity column");
    }
    ColumnDef numbered = column.withIdentity(new IdentityDef(add.always(), IdentityDef.UNNUMBERED));
    redefine(index, numbered, List.of(add.sequence()));
  }

  void drop(AlterAction.DropIdentity drop) {
    int index = altered.column(drop.column());
    ColumnDef column = altered.table().column(index);
    if (column.identity() != null || !drop.ifExists()) {
      var _ = identity(column);
      redefine(index, column.withIdentity(null), List.of());
    }
  }

  private static IdentityDef identity(ColumnDef column) {
    IdentityDef identity = column.identity();
    if (identity == null) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "column " + column.name() + " is no identity column");
    }
    return identity;
  }

  private void redefine(int index, ColumnDef column, List<SequenceDef> identities) {
    TableDef table = altered.table().withColumns(altered.with(index, column));
    altered.redefine(table, identities);
  }
}
