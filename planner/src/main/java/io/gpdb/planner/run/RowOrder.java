package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.sort.GridSort;
import io.gpdb.exec.library.sort.SortKey;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.KernelExpression;
import io.gpdb.planner.expression.KernelExpressions;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;

/** The order of rows by fields of theirs, found by kernels. */
public final class RowOrder {
  private final List<SqlTypeSpec> types;
  private final KernelExpressions expressions;
  private final List<StringRanks> ranks = new ArrayList<>();
  private final GridSort kernel;

  RowOrder(
      Device device,
      RexBuilder rexBuilder,
      List<SqlTypeSpec> types,
      List<RelFieldCollation> keys,
      String name) {
    this.types = types;
    expressions = new KernelExpressions(types, rexBuilder);
    List<SortKey> sortKeys = new ArrayList<>();
    for (RelFieldCollation key : keys) {
      KernelExpression expression = expressions.column(key.getFieldIndex());
      boolean descending = key.getDirection().isDescending();
      sortKeys.add(new SortKey(program(expression), descending, nullsFirst(key)));
    }
    kernel = new GridSort(device, name, expressions.inputs(), sortKeys);
  }

  private LaneProgram program(KernelExpression expression) {
    if (!expression.type().kind().isString()) {
      return expression.program();
    }
    StringRanks order = new StringRanks(expressions.inputs(), expression);
    ranks.add(order);
    return order.program();
  }

  /** NULL counts as the greatest value unless the query says otherwise. */
  public static boolean nullsFirst(RelFieldCollation key) {
    return switch (key.nullDirection) {
      case FIRST -> true;
      case LAST -> false;
      case UNSPECIFIED -> key.getDirection().isDescending();
    };
  }

  /** The rows' i32 numbers in order; equal rows stay as they came. */
  DeviceBuffer permutation(Execution x, DenseBatch rows, BatchMemory memory) {
    BatchBinding binding = new BatchBinding(expressions, types, x).with(ranks);
    return Launching.translated(
        expressions, () -> kernel.permutation(binding.bind(rows), rows.rows(), memory));
  }

  Kernel kernel() {
    return kernel.kernel();
  }
}
