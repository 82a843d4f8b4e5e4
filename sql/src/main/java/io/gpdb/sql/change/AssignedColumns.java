package io.gpdb.sql.change;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParsedStatement.Overriding;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** Which columns of a table a statement may give values of its own: not those GENERATED ALWAYS. */
public final class AssignedColumns {
  private final TableDef table;
  private final @Nullable Overriding overriding;

  /**
   * @param overriding what an INSERT says about it; null where nothing is said, and for UPDATE
   */
  AssignedColumns(TableDef table, @Nullable Overriding overriding) {
    this.table = table;
    this.overriding = overriding;
  }

  /** Whether the statement's values of the column are dropped, and its own number stored. */
  boolean isNumbered(int column) {
    return overriding == Overriding.USER && table.column(column).identity() != null;
  }

  /** Throws 428C9 unless the column takes the value. */
  void require(int column, SqlNode value) {
    ColumnDef definition = table.column(column);
    IdentityDef identity = definition.identity();
    boolean always = definition.generatedSql() != null || (identity != null && identity.always());
    boolean overridden = overriding != null && identity != null;
    if (always && !overridden && value.getKind() != SqlKind.DEFAULT) {
      throw new GpdbException(
          SqlCondition.GENERATED_ALWAYS,
          "column "
              + definition.name()
              + " of table "
              + table.name()
              + " is GENERATED ALWAYS and takes DEFAULT only"
              + TableNames.at(value));
    }
  }

  /** Throws 428C9 where a column is generated. */
  static void requireNoneGenerated(TableDef table, int[] columns) {
    for (int column : columns) {
      if (table.column(column).generatedSql() != null) {
        throw new GpdbException(
            SqlCondition.GENERATED_ALWAYS,
            "column "
                + table.column(column).name()
                + " of table "
                + table.name()
                + " is GENERATED ALWAYS and takes no values");
      }
    }
  }

  /** Throws unless all of the columns take values of a query. */
  void requireAll(int[] columns, SqlNode query) {
    for (int column : columns) {
      require(column, query);
      if (isNumbered(column)) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "OVERRIDING USER VALUE with a query for column " + table.column(column).name());
      }
    }
  }
}
