package io.gpdb.planner.keyed;

import io.gpdb.exec.library.change.GridApplyBatch.Sum;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.planner.expression.kernel.KernelSums;
import io.gpdb.planner.expression.kernel.KernelValues;
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
 * @param sums of each set column; null where it is not one of its own old value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BatchValues(
    List<SqlTypeSpec> inputTypes,
    KernelValues values,
    @Nullable LaneProgram[] programs,
    @Nullable Sum[] sums) {

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
    KernelSums values = new KernelSums(types);
    @Nullable LaneProgram[] programs = new @Nullable LaneProgram[change.set().size()];
    @Nullable Sum[] sums = new @Nullable Sum[programs.length];
    for (int i = 0; i < programs.length; i++) {
      Assigned assigned = change.set().get(i);
      ColumnDef column = table.column(assigned.column());
      if (assigned.read() >= 0) {
        programs[i] = program(values, table, assigned, column.nullable());
        sums[i] = assigned.read() == assigned.column() ? sum(values, table, assigned) : null;
      } else if (assigned.parameter() < 0) {
        programs[i] = values.number(column.type(), assigned.number(), column.nullable());
      }
    }
    return new BatchValues(types, values, programs, sums);
  }

  private static LaneProgram program(
      KernelSums values, TableDef table, Assigned assigned, boolean nullable) {
    int read = assigned.read();
    return assigned.parameter() < 0
        ? values.sumWithNumber(read, assigned.number(), assigned.minus(), nullable)
        : values.sum(read, input(table, assigned.parameter()), assigned.minus(), nullable);
  }

  private static Sum sum(KernelSums values, TableDef table, Assigned assigned) {
    int parameter = assigned.parameter();
    return new Sum(
        assigned.minus(),
        parameter < 0 ? null : values.laneColumn(input(table, parameter)),
        assigned.number());
  }

  private static int input(TableDef table, int parameter) {
    return firstParameter(table) + parameter;
  }
}
