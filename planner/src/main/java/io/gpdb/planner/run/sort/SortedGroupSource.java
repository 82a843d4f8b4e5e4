package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.run.Materialized;
import io.gpdb.planner.window.GroupedRows;
import io.gpdb.planner.window.WindowGroup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;

/**
 * GROUP BY and aggregates that have no kernel: all rows are kept in memory, their numbers sorted by
 * the keys and by what aggregates want their rows in the order of, and each group is added up on
 * the host.
 */
public final class SortedGroupSource extends Source {
  private static final double GROUPS_ASSUMED = 0.1;

  private final Source input;
  private final List<Sorted> groups = new ArrayList<>();

  private record Sorted(WindowGroup group, RowNumbering rows) {}

  /**
   * @param groups the calls by their orders, all with the same keys; at least one
   * @param columns the keys, then the calls
   */
  public SortedGroupSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      List<WindowGroup> groups,
      List<SourceColumn> columns) {
    super(columns);
    this.input = input;
    for (WindowGroup group : groups) {
      this.groups.add(
          new Sorted(
              group,
              new RowNumbering(device, rexBuilder, input.types(), group.sortKeys(), "group")));
    }
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = new BitSet();
    groups.forEach(sorted -> sorted.group.addRead(read));
    try (DenseBatch rows = Materialized.of(input, x, read)) {
      boolean isEmpty = rows.rows() == 0 && !groups.getFirst().group.partition().isEmpty();
      return Batches.of(isEmpty ? null : result(x, rows));
    }
  }

  private DenseBatch result(Execution x, DenseBatch rows) {
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch result = null;
      for (Sorted sorted : groups) {
        try (BatchMemory scratch = new BatchMemory()) {
          GroupedRows grouped =
              new GroupedRows(sorted.group, rows, input.types(), sorted.rows.of(x, rows, scratch));
          if (result == null) {
            result = new DenseBatch(grouped.count(), columns().size(), memory);
            grouped.putKeys(result);
          }
          grouped.putCalls(result);
        }
      }
      return java.util.Objects.requireNonNull(result);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return groups.getFirst().group.partition().isEmpty()
        ? 1
        : Math.max(1, input.estimatedRows(x) * GROUPS_ASSUMED);
  }

  @Override
  public void explain(Outline outline) {
    for (Sorted sorted : groups) {
      outline.operator(text(sorted.group), sorted.rows.tier(), this);
    }
    outline.below(input);
  }

  private String text(WindowGroup group) {
    StringBuilder text = new StringBuilder("aggregate in order");
    String separator = " by ";
    for (int field : group.partition()) {
      text.append(separator).append(input.columns().get(field).name());
      separator = ", ";
    }
    text.append(WindowSource.sortedBy(input, group.order()));
    separator = ": ";
    for (WindowGroup.Placed placed : group.calls()) {
      text.append(separator).append(placed.call().text());
      separator = ", ";
    }
    return text.toString();
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    groups.forEach(sorted -> sorted.rows.kernels(kernels));
    input.kernels(kernels);
  }
}
