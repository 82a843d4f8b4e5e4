package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.window.GroupedRows;
import io.gpdb.planner.window.WindowGroup;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * GROUP BY and aggregates that have no kernel: all rows are kept in memory, their numbers sorted by
 * the keys and by what aggregates want their rows in the order of, and each group is added up on
 * the host. More rows than the operator's share of memory has room for are sorted in runs.
 */
public final class SortedGroupSource extends Source {
  private static final double GROUPS_ASSUMED = 0.1;

  private final Device device;
  private final RexBuilder rexBuilder;
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
    this.device = device;
    this.rexBuilder = rexBuilder;
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
    List<WindowGroup> orders = groups.stream().map(Sorted::group).toList();
    SpilledGroups spilled = null;
    try (HeldRows held = new HeldRows(RowsInOrder.withNumber(input.types()), read)) {
      long workBytes = SpilledGroups.workBytes(held.rowBytes(), orders);
      try (Batches stream = input.open(x, read)) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
          if (held.areTooMany(workBytes)) {
            spilled = spilled == null ? spilled(x, orders, read) : spilled;
            spilled.add(held);
          }
        }
      }
      Batches inMemory = spilled == null ? inMemory(x, held) : null;
      if (inMemory != null) {
        return inMemory;
      }
      spilled = spilled == null ? spilled(x, orders, read) : spilled;
      spilled.add(held);
      return spilled.results();
    } catch (RuntimeException | Error e) {
      if (spilled != null) {
        spilled.close();
      }
      throw e;
    }
  }

  private SpilledGroups spilled(Execution x, List<WindowGroup> orders, BitSet read) {
    return new SpilledGroups(device, rexBuilder, x, input.types(), orders, read, types());
  }

  /** Null where memory has no room for it and the rows, which are still held then, may spill. */
  private @Nullable Batches inMemory(Execution x, HeldRows held) {
    try {
      DenseBatch rows = held.joined();
      boolean isEmpty = rows.rows() == 0 && !groups.getFirst().group.partition().isEmpty();
      return Batches.of(isEmpty ? null : result(x, rows));
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
        throw e;
      }
      return null;
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
          grouped.putCalls(result, _ -> new StringDomain.Made());
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
