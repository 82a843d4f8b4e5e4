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
import io.gpdb.planner.window.WindowGroup;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Window functions: the input's rows, in their order, with a field more for each call. All rows are
 * kept in memory; for each window their numbers are sorted, and its calls computed on the host, by
 * several threads where there are several partitions. More rows than the operator's share of memory
 * has room for are sorted in runs, and computed a few partitions at a time.
 */
public final class WindowSource extends Source {
  private final Device device;
  private final RexBuilder rexBuilder;
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
    this.rexBuilder = rexBuilder;
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
    SpilledWindows spilled = null;
    try (HeldRows held = new HeldRows(RowsInOrder.withNumber(types()), read)) {
      long workBytes = workBytes(held.rowBytes(), wanted);
      try (Batches stream = input.open(x, read)) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
          if (held.areTooMany(workBytes)) {
            spilled = spilled == null ? spilled(x, wanted, needed, read) : spilled;
            spilled.add(held);
          }
        }
      }
      Batches inMemory = spilled == null ? inMemory(x, held, wanted) : null;
      if (inMemory != null) {
        return inMemory;
      }
      spilled = spilled == null ? spilled(x, wanted, needed, read) : spilled;
      spilled.add(held);
      return spilled.results();
    } catch (RuntimeException | Error e) {
      if (spilled != null) {
        spilled.close();
      }
      throw e;
    }
  }

  /** What a row takes: it twice, what sorting it takes, and the results of all windows. */
  private static long workBytes(long rowBytes, List<Sorted> wanted) {
    long bytes = rowBytes;
    int keys = 0;
    for (Sorted sorted : wanted) {
      bytes += sorted.group.resultBytes();
      keys = Math.max(keys, sorted.group.sortKeys().size());
    }
    return bytes + SortSource.workBytes(rowBytes, keys) - rowBytes;
  }

  private SpilledWindows spilled(Execution x, List<Sorted> wanted, BitSet needed, BitSet read) {
    List<WindowGroup> windows = wanted.stream().map(Sorted::group).toList();
    return new SpilledWindows(device, rexBuilder, x, types(), windows, needed, read);
  }

  /** Null where memory has no room for it and the rows, which are still held then, may spill. */
  private @Nullable Batches inMemory(Execution x, HeldRows held, List<Sorted> wanted) {
    DenseBatch results = null;
    try {
      DenseBatch rows = held.joined();
      if (rows.rows() == 0) {
        return Batches.of(null);
      }
      results = new DenseBatch(rows.rows(), columns().size(), new BatchMemory());
      for (Sorted sorted : wanted) {
        try (BatchMemory scratch = new BatchMemory()) {
          HostBuffer order = sorted.rows.of(x, rows, scratch);
          sorted.group.compute(
              device, rows, input.types(), order, results, scratch, _ -> new StringDomain.Made());
        }
      }
      return Batches.of(new Widened(held.taken(), input.columns().size(), results));
    } catch (RuntimeException | Error e) {
      if (results != null) {
        results.close();
      }
      if (e instanceof GpdbException failure
          && failure.code() == ErrorCode.OUT_OF_MEMORY
          && MemoryAccount.current().canSpill()) {
        return null;
      }
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
