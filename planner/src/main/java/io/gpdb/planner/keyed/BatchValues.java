package io.gpdb.planner.keyed;

import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.planner.expression.KernelSums;
import io.gpdb.planner.expression.KernelValues;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.direct.DirectStatement.Assigned;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel of a batch computes itself.
 *
 * @param inputTypes the table's columns, the row id, and behind them the parameters
 * @param programs of each set column; null where the host fills a column of the batch
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BatchValues(
    List<SqlTypeSpec> inputTypes, KernelValues values, @Nullable LaneProgram[] programs) {

  /** The input that is the first parameter. */
  static int firstParameter(TableDef table) {
    return table.columns().size() + 1;
  }

  /** The table's columns and the row id. */
  static List<SqlTypeSpec> rowTypes(TableDef table) {
    List<SqlTypeSpec> types = new ArrayList<>();
    table.columns().forEach(c -> types.add(c.type()));
    types.add(SqlTypeSpec.BIGINT);
    return types;
  }

  /** Numbers, and columns plus or minus parameters or numbers. */
  static BatchValues of(DirectStatement.Change change) {
    TableDef table = change.table();
    List<SqlTypeSpec> types = rowTypes(table);
    change.params().forEach(p -> types.add(p.type()));
    KernelSums sums = new KernelSums(types);
    @Nullable LaneProgram[] programs = new @Nullable LaneProgram[change.set().size()];
    for (int i = 0; i < programs.length; i++) {
      Assigned assigned = change.set().get(i);
      ColumnDef column = table.column(assigned.column());
      if (assigned.read() >= 0) {
        programs[i] = sum(sums, table, assigned, column.nullable());
      } else if (assigned.parameter() < 0) {
        programs[i] = sums.number(column.type(), assigned.number(), column.nullable());
      }
    }
    return new BatchValues(types, sums, programs);
  }

  private static LaneProgram sum(
      KernelSums sums, TableDef table, Assigned assigned, boolean nullable) {
    int read = assigned.read();
    if (assigned.parameter() < 0) {
      return sums.sumWithNumber(read, assigned.number(), assigned.minus(), nullable);
    }
    int parameter = firstParameter(table) + assigned.parameter();
    return sums.sum(read, parameter, assigned.minus(), nullable);
  }
}
