package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.sort.WindowSlices.Slice;
import io.gpdb.planner.window.SpilledWindow;
import io.gpdb.planner.window.WindowGroup;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Windows over rows that memory has no room for: for one window after the other the rows are sorted
 * in runs, and its calls computed for a slice of whole partitions at a time. The rows come in the
 * order of the last window. Results are those of all rows in memory: what a window's order leaves
 * open is the order of the input, whose numbers the rows have with them where there is more than
 * one window.
 */
final class SpilledWindows implements AutoCloseable {
  private final Device device;
  private final RexBuilder rexBuilder;
  private final Execution x;
  private final List<WindowGroup> groups;
  private final BitSet needed;

  /** Of the input's fields, those of calls, and a number. */
  private final List<SqlTypeSpec> types;

  private final int number;
  private final Map<Integer, StringDomain.Made> made = new HashMap<>();
  private final Stage first;

  /**
   * @param types of the input's fields and those of calls
   * @param needed the fields that are wanted
   * @param read the input's fields that are
   */
  SpilledWindows(
      Device device,
      RexBuilder rexBuilder,
      Execution x,
      List<SqlTypeSpec> types,
      List<WindowGroup> groups,
      BitSet needed,
      BitSet read) {
    this.device = device;
    this.rexBuilder = rexBuilder;
    this.x = x;
    this.groups = groups;
    this.needed = needed;
    this.types = RowsInOrder.withNumber(types);
    number = types.size();
    BitSet kept = (BitSet) read.clone();
    kept.set(number, groups.size() > 1);
    first = new Stage(0, kept);
  }

  /** What is done for one window: its rows are sorted, where there is an order. */
  private final class Stage implements AutoCloseable {
    final WindowGroup group;
    final RowsInOrder rows;

    /**
     * @param fields of its rows, before there are results
     */
    Stage(int index, BitSet fields) {
      group = groups.get(index);
      List<RelFieldCollation> keys = new ArrayList<>(group.sortKeys());
      if (index > 0) {
        keys.add(new RelFieldCollation(number));
      }
      rows = new RowsInOrder(device, rexBuilder, x, types, fields, keys, "window");
    }

    /** What a row takes while calls are computed: it twice, results and peers. */
    long workBytes() {
      return 2 * rows.rowBytes() + group.resultBytes();
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  /** Takes the rows over, which are the next of the input. */
  void add(HeldRows held) {
    first.rows.addNumbered(held);
  }

  /** The rows with all results, when all were added; this is closed with them. */
  Batches results() {
    Batches results = computed(first);
    for (int i = 1; i < groups.size(); i++) {
      results = computed(stage(i, results));
    }
    boolean makesStrings = groups.stream().anyMatch(WindowGroup::makesStrings);
    return makesStrings ? settled(results) : results;
  }

  private Batches computed(Stage stage) {
    try {
      return new Computed(stage);
    } catch (RuntimeException | Error e) {
      stage.close();
      throw e;
    }
  }

  /** The stage of a later window, with its rows, which are closed. */
  private Stage stage(int index, Batches input) {
    BitSet fields = new BitSet();
    groups.subList(index, groups.size()).forEach(group -> group.addRead(fields));
    fields.or(needed);
    groups.subList(index, groups.size()).forEach(group -> group.clearResults(fields));
    fields.set(number);
    Stage stage = new Stage(index, fields);
    try (Batches rowsBefore = input;
        HeldRows held = new HeldRows(types, fields)) {
      for (Batch batch = rowsBefore.next(); batch != null; batch = rowsBefore.next()) {
        held.add(batch);
        if (held.areTooMany(stage.rows.sortBytes())) {
          held.leaveInParts(stage.rows.sortBytes(), stage.rows::add);
        }
      }
      held.leaveInParts(stage.rows.sortBytes(), stage.rows::add);
      return stage;
    } catch (RuntimeException | Error e) {
      stage.close();
      throw e;
    }
  }

  /** The rows when all strings are known that calls make. */
  private Batches settled(Batches computed) {
    SpilledRows file = new SpilledRows(types, needed);
    List<Range> ranges = new ArrayList<>();
    try (Batches all = computed) {
      for (Batch batch = all.next(); batch != null; batch = all.next()) {
        try (Batch written = batch) {
          ranges.add(file.write(written));
        }
      }
      return file.rowsAndEnd(ranges, HeldRows.rowsToRead(new HeldRows(types, needed).rowBytes()));
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** The rows of a stage with their results, slice by slice. */
  private final class Computed implements Batches {
    private final Stage stage;
    private final WindowSlices slices;

    /** The rows of a slice that is in a file. */
    private @Nullable Batches large;

    Computed(Stage stage) {
      this.stage = stage;
      slices =
          new WindowSlices(
              stage.rows.sorted(),
              types,
              stage.rows.fields(),
              stage.group.partition(),
              stage.workBytes());
    }

    @Override
    public @Nullable Batch next() {
      while (true) {
        Batch batch = large == null ? null : large.next();
        if (batch != null) {
          return batch;
        }
        if (large != null) {
          large.close();
          large = null;
        }
        switch (slices.next()) {
          case null -> {
            return null;
          }
          case Slice.Held(DenseBatch held) -> {
            if (isComputed(held)) {
              return held.withoutRowNumbers();
            }
            large = written(held);
          }
          case Slice.Spilled(SpilledRows file, List<Range> ranges) ->
              large = computed(file, ranges);
        }
      }
    }

    /** False where memory does not have room for it. */
    private boolean isComputed(DenseBatch held) {
      try (BatchMemory scratch = new BatchMemory()) {
        stage.group.compute(device, held, types, null, held, scratch, SpilledWindows.this::made);
        return true;
      } catch (GpdbException e) {
        if (e.code() == ErrorCode.OUT_OF_MEMORY) {
          return false;
        }
        held.close();
        throw e;
      } catch (RuntimeException | Error e) {
        held.close();
        throw e;
      }
    }

    private Batches written(DenseBatch held) {
      SpilledRows file = new SpilledRows(types, stage.rows.fields());
      try (held) {
        return computed(file, List.of(file.write(held)));
      }
    }

    private Batches computed(SpilledRows file, List<Range> ranges) {
      SpilledWindow window = new SpilledWindow(types, file, ranges);
      try {
        stage.group.compute(device, window, SpilledWindows.this::made);
        return window.rows(HeldRows.rowsToRead(stage.workBytes()));
      } catch (RuntimeException | Error e) {
        window.close();
        throw e;
      }
    }

    @Override
    public void close() {
      if (large != null) {
        large.close();
      }
      slices.close();
    }
  }

  private StringDomain.Made made(int field) {
    return made.computeIfAbsent(field, _ -> new StringDomain.Made());
  }

  @Override
  public void close() {
    first.close();
  }
}
