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
 * kept in memory; for each window their numbers are sorted, and its calls computed on the host, by
 * several threads where there are several partitions.
 */
public final class WindowSource extends Source {
  private final Device device;
  private final Source input;
  private final List<Sorted> groups = new ArrayList<>();

  private record Sorted(WindowGroup group, RowNumbering rows) {}

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
    this.device = device;
    this.input = input;
    for (WindowGroup group : groups) {
      this.groups.add(
          new Sorted(
              group,
              new RowNumbering(device, rexBuilder, input.types(), group.sortKeys(), "window")));
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
        wanted.add(new Sorted(group, sorted.rows));
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
          HostBuffer order = sorted.rows.of(x, rows, scratch);
          sorted.group.compute(device, rows, input.types(), order, results, scratch);
        }
      }
      return Batches.of(all);
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
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
      outline.operator(text(sorted.group), sorted.rows.tier(), this);
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
    text.append(sortedBy(input, group.order()));
    separator = ": ";
    for (WindowGroup.Placed placed : group.calls()) {
      text.append(separator).append(placed.call().described());
      separator = ", ";
    }
    return text.toString();
  }

  /** For EXPLAIN: the keys, by the names of the input's columns. */
  static String sortedBy(Source input, List<RelFieldCollation> order) {
    StringBuilder text = new StringBuilder();
    String separator = " sorted by ";
    for (RelFieldCollation key : order) {
      text.append(separator).append(input.columns().get(key.getFieldIndex()).name());
      text.append(key.getDirection().isDescending() ? " desc" : "");
      text.append(RowOrder.nullsFirst(key) ? " nulls first" : "");
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
