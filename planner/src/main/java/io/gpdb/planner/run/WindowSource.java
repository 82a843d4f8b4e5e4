package io.gpdb.planner.run;

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
import io.gpdb.planner.window.WindowGroup;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Window functions: the input's rows, in their order, with a field more for each call. All rows are
 * kept in memory; for each window their numbers are sorted, and its calls computed on the host.
 */
public final class WindowSource extends Source {
  private final Source input;
  private final List<Sorted> groups = new ArrayList<>();

  /** A group, and what sorts its rows; neither where it has no keys. */
  private record Sorted(WindowGroup group, @Nullable RowOrder kernel, @Nullable HostSort few) {}

  /**
   * @param columns the input's, then those of the calls
   */
  public WindowSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      List<WindowGroup> groups,
      List<SourceColumn> columns) {
    super(columns);
    this.input = input;
    for (WindowGroup group : groups) {
      List<RelFieldCollation> keys = group.sortKeys();
      this.groups.add(
          keys.isEmpty()
              ? new Sorted(group, null, null)
              : new Sorted(
                  group,
                  new RowOrder(device, rexBuilder, input.types(), keys, "window"),
                  HostSort.of(input.types(), keys)));
    }
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    int width = input.columns().size();
    BitSet read = needed.get(0, width);
    List<Sorted> wanted = new ArrayList<>();
    for (Sorted sorted : groups) {
      WindowGroup group = sorted.group.limitedTo(needed);
      if (!group.calls().isEmpty()) {
        group.addRead(read);
        wanted.add(new Sorted(group, sorted.kernel, sorted.few));
      }
    }
    DenseBatch rows = Materialized.of(input, x, read);
    DenseBatch results = new DenseBatch(rows.rows(), columns().size(), new BatchMemory());
    Batch all = new Widened(rows, width, results);
    if (rows.rows() == 0) {
      all.close();
      return Batches.of(null);
    }
    try {
      for (Sorted sorted : wanted) {
        try (BatchMemory scratch = new BatchMemory()) {
          HostBuffer order = order(x, sorted, rows, scratch);
          sorted.group.compute(rows, input.types(), order, results, scratch);
        }
      }
      return Batches.of(all);
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  private static @Nullable HostBuffer order(
      Execution x, Sorted sorted, DenseBatch rows, BatchMemory memory) {
    RowOrder kernel = sorted.kernel;
    HostSort few = sorted.few;
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

  /** The rows with the columns that calls have made. */
  private static final class Widened extends Batch {
    private final DenseBatch rows;
    private final int width;
    private final DenseBatch results;

    Widened(DenseBatch rows, int width, DenseBatch results) {
      this.rows = rows;
      this.width = width;
      this.results = results;
    }

    private DenseBatch of(int field) {
      return field < width ? rows : results;
    }

    @Override
    public int rows() {
      return rows.rows();
    }

    @Override
    public DeviceBuffer values(int field) {
      return of(field).values(field);
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return of(field).validity(field);
    }

    @Override
    public StringDomain strings(int field) {
      return of(field).strings(field);
    }

    @Override
    public void close() {
      try (rows) {
        results.close();
      }
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    for (Sorted sorted : groups) {
      outline.operator(text(sorted.group), tier(sorted), this);
    }
    outline.below(input);
  }

  private String text(WindowGroup group) {
    StringBuilder text = new StringBuilder("window");
    String separator = " partitioned by ";
    for (int field : group.partition()) {
      text.append(separator).append(input.columns().get(field).name());
      separator = ", ";
    }
    separator = " sorted by ";
    for (RelFieldCollation key : group.order()) {
      text.append(separator).append(input.columns().get(key.getFieldIndex()).name());
      text.append(key.getDirection().isDescending() ? " desc" : "");
      text.append(RowOrder.nullsFirst(key) ? " nulls first" : "");
      separator = ", ";
    }
    separator = ": ";
    for (WindowGroup.Placed placed : group.calls()) {
      text.append(separator).append(placed.call().described());
      separator = ", ";
    }
    return text.toString();
  }

  private static String tier(Sorted sorted) {
    return sorted.kernel == null
        ? "host"
        : (sorted.few == null ? "" : FewRows.OR_HOST) + "kernel sort and host";
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    for (Sorted sorted : groups) {
      if (sorted.kernel != null) {
        kernels.add(sorted.kernel.kernel());
      }
    }
    input.kernels(kernels);
  }
}
