package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.run.FewRows;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a batch's rows in the order of keys, equal rows as they came: by a kernel, of few
 * rows by the host.
 */
final class RowNumbering {
  private final @Nullable RowOrder kernel;
  private final @Nullable HostSort few;

  RowNumbering(
      Device device,
      RexBuilder rexBuilder,
      List<SqlTypeSpec> types,
      List<RelFieldCollation> keys,
      String name) {
    kernel = keys.isEmpty() ? null : new RowOrder(device, rexBuilder, types, keys, name);
    few = keys.isEmpty() ? null : HostSort.of(types, keys);
  }

  /** Null where there are no keys: the rows are in order. */
  @Nullable HostBuffer of(Execution x, DenseBatch rows, BatchMemory memory) {
    if (kernel == null) {
      return null;
    }
    if (few == null || rows.rows() > FewRows.ROWS_MAX) {
      return kernel.permutation(x, rows, memory).onHost();
    }
    HostBuffer order = memory.pin((long) rows.rows() * Integer.BYTES);
    order.write(0, few.order(rows), 0, rows.rows());
    return order;
  }

  /** For EXPLAIN. */
  String tier() {
    return kernel == null ? "host" : (few == null ? "" : FewRows.OR_HOST) + "kernel sort and host";
  }

  void kernels(List<Kernel> kernels) {
    if (kernel != null) {
      kernels.add(kernel.kernel());
    }
  }
}
