package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.query.ColumnRanges;
import io.gpdb.sql.definition.TableDef;
import java.util.BitSet;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an input for a kernel that filters them. A table may leave rows out first that are
 * not in the ranges that the filter has for single columns: a kernel that computes without branches
 * reads, and computes of, all columns of all rows.
 */
public final class RangedScan {
  private final Device device;
  private final Source input;
  private final @Nullable ColumnRanges ranges;

  /**
   * @param filter over the fields of the input
   */
  public RangedScan(Device device, RexBuilder builder, Source input, @Nullable RexNode filter) {
    this.device = device;
    this.input = input;
    TableDef table = device.memory().isHosts() ? input.storedTable() : null;
    ranges = table == null ? null : ColumnRanges.of(builder, table, filter);
  }

  /** As {@link Source#open(Execution, BitSet)}, maybe without rows that the filter leaves out. */
  public Batches open(Execution x, BitSet read) {
    return ranges == null ? input.open(x, read) : input.openWithin(x, read, device, ranges);
  }

  /** As {@link Source#openForKernels}, maybe without rows that the filter leaves out. */
  public Batches openForKernels(Execution x, BitSet read) {
    return ranges == null
        ? input.openForKernels(x, read)
        : input.openWithin(x, read, device, ranges);
  }
}
