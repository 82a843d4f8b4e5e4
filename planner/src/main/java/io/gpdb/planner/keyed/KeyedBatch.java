package io.gpdb.planner.keyed;

import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.PendingRows;
import io.gpdb.planner.change.RowBuffer;
import io.gpdb.planner.change.RowRepeats;
import io.gpdb.planner.change.RowsAhead;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.query.KeyCondition;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.GroupedRows;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A batch of UPDATE or DELETE by key as one launch: the host finds the rows by the key's index and
 * sorts them by tablet; the kernel does the rest.
 *
 * <p>A batch means the same as its rows in order. Where new values depend on the parameters alone,
 * the last of those that name a row wins. Otherwise the kernel computes those of rows that are
 * named once; of a row that is named several times the host computes one value after the other, and
 * the last is stored.
 */
final class KeyedBatch {
  /** Fewer rows than this take the path of single statements. */
  static final int ROWS_MIN = 32;

  private static final int ROWS_MAX = 1 << 20;

  private final Device device;
  private final TableDef table;
  private final KeyCondition key;
  private final SetValues set;
  private final BatchProgram program;
  private final @Nullable HostExpression rest;
  private final int[] hostColumns;
  private final int[] columnsRead;
  private final boolean stagedReadsRow;

  KeyedBatch(
      Device device,
      TableDef table,
      KeyCondition key,
      SetValues set,
      BatchProgram program,
      @Nullable HostExpression rest) {
    this.device = device;
    this.table = table;
    this.key = key;
    this.set = set;
    this.program = program;
    this.rest = rest;
    int width = table.columns().size();
    TreeSet<Integer> onHost = new TreeSet<>();
    TreeSet<Integer> all = new TreeSet<>();
    for (int i = 0; i < set.count(); i++) {
      IntStream.of(set.reads(i)).forEach(all::add);
      if (program.staged(i) >= 0) {
        IntStream.of(set.reads(i)).forEach(onHost::add);
      }
    }
    stagedReadsRow = !onHost.isEmpty();
    if (!key.rest().isEmpty()) {
      IntStream.of(PointQuery.columnsRead(key.rest(), width)).forEach(onHost::add);
    }
    all.addAll(onHost);
    hostColumns = stored(onHost, width);
    columnsRead = stored(all, width);
  }

  /** Without the row id. */
  private static int[] stored(TreeSet<Integer> columns, int width) {
    return columns.headSet(width).stream().mapToInt(Integer::intValue).toArray();
  }

  BatchProgram program() {
    return program;
  }

  long[] update(Execution x, ParameterColumns batch) {
    long[] counts = new long[batch.rows()];
    for (int first = 0; first < counts.length; first += ROWS_MAX) {
      int n = Math.min(ROWS_MAX, counts.length - first);
      try (Run run = new Run(x, batch, first, n, counts)) {
        run.update();
      }
    }
    return counts;
  }

  /** One run over a part of a batch; positions count from its first row. */
  private final class Run implements AutoCloseable {
    private final TableReader reader;
    private final TableWriter writer;
    private final ParameterColumns batch;
    private final int first;
    private final int n;
    private final long[] counts;
    private final long[] rows;
    private final BatchRow bound;
    private final RowValues old;
    private final @Nullable ColumnView[] given;
    private final int[] places = new int[program.inputs().size()];
    private final RowBuffer buffer;
    private final long[] raw = new long[set.count()];

    Run(Execution x, ParameterColumns batch, int first, int n, long[] counts) {
      this.reader = x.transaction().reader(table.tableId());
      this.writer = x.transaction().writer(table.tableId());
      this.batch = batch;
      this.first = first;
      this.n = n;
      this.counts = counts;
      this.bound = new BatchRow(batch);
      this.rows = BatchLookup.rows(key, bound, first, n, reader, writer);
      this.old = new RowValues(table, reader, hostColumns, bound);
      this.given = given();
      this.buffer = new RowBuffer(staged(), n);
    }

    /**
     * By input: parameters that the kernel reads, or stores as they come, where they were bound.
     */
    private @Nullable ColumnView[] given() {
      @Nullable ColumnView[] data = new @Nullable ColumnView[program.inputs().size()];
      for (int c = 0; c < data.length; c++) {
        BatchProgram.Input input = program.inputs().get(c);
        int parameter = input.parameter() >= 0 ? input.parameter() : storedAsBound(input.set());
        data[c] = parameter < 0 ? null : batch.column(parameter).data(first, n);
      }
      return data;
    }

    /** The parameter whose values are the new ones, unchanged; -1 where there is none. */
    private int storedAsBound(int s) {
      int parameter = set.parameter(s);
      SqlTypeSpec type = set.type(s);
      return parameter >= 0
              && set.target(s).takesUnchanged(type)
              && !type.kind().isString()
              && !batch.column(parameter).hasNulls()
          ? parameter
          : -1;
    }

    /** Of the inputs that the host fills, one after the other. */
    private ElementType[] staged() {
      List<ElementType> elements = new ArrayList<>();
      for (int c = 0; c < given.length; c++) {
        if (given[c] == null) {
          places[c] = elements.size();
          elements.add(program.inputs().get(c).element());
        }
      }
      return elements.toArray(ElementType[]::new);
    }

    private ColumnView[] data() {
      ColumnView[] data = new ColumnView[given.length];
      for (int c = 0; c < data.length; c++) {
        ColumnView there = given[c];
        data[c] = there == null ? buffer.column(places[c]) : there;
      }
      return data;
    }

    void update() {
      RowRepeats.Lists lists = RowRepeats.Lists.of(rows, n, reader.tabletLimit(), device);
      if (program.computesAny() || stagedReadsRow || rest != null) {
        namedOnce(lists);
        namedAgain(lists);
      } else {
        lastOnes(lists);
      }
    }

    /** Every value is a parameter's: all are assigned, the last of each row are stored. */
    private void lastOnes(RowRepeats.Lists lists) {
      for (int s = 0; s < set.count(); s++) {
        stageAll(s);
      }
      int[] chosen = new int[n];
      int count = 0;
      for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
        count = lastOnes(lists, i, ShortLoops.end(i, n), chosen, count);
      }
      launch(chosen, count);
    }

    private int lastOnes(RowRepeats.Lists lists, int from, int to, int[] chosen, int chosenBefore) {
      int count = chosenBefore;
      for (int i = from; i < to; i++) {
        StopSignal.poll(i);
        if (rows[i] >= 0) {
          counts[first + i] = 1;
          if (lists.isLast(i)) {
            chosen[count++] = i;
          }
        }
      }
      return count;
    }

    /** One column at a time; values that are stored as they come need no look at each. */
    private void stageAll(int s) {
      if (!isStaged(s)) {
        return;
      }
      for (int i = 0; i < n; i++) {
        StopSignal.poll(i);
        if (rows[i] >= 0) {
          bound.moveTo(first + i);
          stage(s, i);
        }
      }
    }

    private boolean isStaged(int s) {
      int input = program.staged(s);
      return input >= 0 && given[input] == null;
    }

    private void stage(int s, int i) {
      int place = places[program.staged(s)];
      if (set.assign(s, old, reader, first + i + 1L, raw)) {
        buffer.set(place, i, raw[s]);
      } else {
        buffer.setNull(place, i);
      }
    }

    private void namedOnce(RowRepeats.Lists lists) {
      int[] once = new int[n];
      int count = 0;
      for (int i = 0; i < n; i++) {
        if (rows[i] >= 0 && lists.isFirst(i) && lists.isLast(i)) {
          once[count++] = i;
        }
      }
      together(once, count);
    }

    /** The first of the positions, whose rows are distinct. */
    private void together(int[] positions, int n) {
      if (n < ROWS_MIN) {
        oneByOne(positions, n);
      } else {
        launch(positions, passing(positions, n));
      }
    }

    private void oneByOne(int[] positions, int n) {
      RowValues whole = wholeRow();
      for (int k = 0; k < n; k++) {
        int i = positions[k];
        bound.moveTo(first + i);
        if (whole.moveTo(reader, rows[i]) && passes(whole)) {
          counts[first + i] = 1;
          updateAlone(whole, i);
        }
      }
    }

    /** Leaves those positions at the front that change their rows, whose values are staged. */
    private int passing(int[] positions, int n) {
      int count = 0;
      boolean looks = hostColumns.length > 0;
      RowsAhead ahead = new RowsAhead(reader, hostColumns, rows, positions, n, false);
      for (int k = 0; k < n; k++) {
        StopSignal.poll(k);
        int i = positions[k];
        bound.moveTo(first + i);
        if ((looks && !ahead.move(old, k)) || !passes(old)) {
          continue;
        }
        counts[first + i] = 1;
        for (int s = 0; s < set.count(); s++) {
          if (isStaged(s)) {
            stage(s, i);
          }
        }
        positions[count++] = i;
      }
      return count;
    }

    private boolean passes(RowValues row) {
      return rest == null || Boolean.TRUE.equals(rest.evaluate(row));
    }

    /** Each of a row's positions computes from what the one before has left. */
    private void namedAgain(RowRepeats.Lists lists) {
      int[] again = new int[n];
      int count = 0;
      for (int i = 0; i < n; i++) {
        if (rows[i] >= 0 && lists.isFirst(i) && !lists.isLast(i)) {
          again[count++] = i;
        }
      }
      if (count == 0) {
        return;
      }
      RowSums sums = rest == null ? RowSums.of(program, batch, first, n) : null;
      RowsAhead ahead = new RowsAhead(reader, columnsRead, rows, again, count, true);
      RowValues row = new RowValues(table, reader, columnsRead, bound);
      boolean[] nulls = new boolean[set.count()];
      try (PendingRows pending =
          new PendingRows(writer, reader, table, set.columns(), false, count)) {
        for (int k = 0; k < count; k++) {
          int i = again[k];
          if (ahead.move(row, k) && compute(row, sums, lists, i, nulls)) {
            int at = pending.add(rows[i]);
            for (int s = 0; s < nulls.length; s++) {
              pending.set(at, s, raw[s], !nulls[s]);
            }
          }
        }
        pending.flush();
      }
    }

    /** Returns whether any of the positions changes the row. */
    private boolean compute(
        RowValues row, @Nullable RowSums sums, RowRepeats.Lists lists, int from, boolean[] nulls) {
      if (sums == null || !sums.compute(row, lists, from, raw, counts)) {
        return computeInOrder(row, lists, from, nulls);
      }
      Arrays.fill(nulls, false);
      return true;
    }

    private boolean computeInOrder(
        RowValues row, RowRepeats.Lists lists, int from, boolean[] nulls) {
      boolean changed = false;
      int i = from;
      do {
        StopSignal.poll(i);
        bound.moveTo(first + i);
        if (passes(row)) {
          for (int s = 0; s < nulls.length; s++) {
            nulls[s] = !set.assign(s, row, reader, first + i + 1L, raw);
          }
          for (int s = 0; s < nulls.length; s++) {
            row.put(set.columns()[s], raw[s], nulls[s]);
          }
          counts[first + i] = 1;
          changed = true;
        }
        i = lists.next(i);
      } while (i > 0);
      return changed;
    }

    private RowValues wholeRow() {
      int[] all = IntStream.range(0, table.columns().size()).toArray();
      return new RowValues(table, reader, all, bound);
    }

    private void updateAlone(RowValues whole, int i) {
      boolean[] nulls = new boolean[set.count()];
      for (int s = 0; s < nulls.length; s++) {
        nulls[s] = !set.assign(s, whole, reader, first + i + 1L, raw);
      }
      writer.updateRow(rows[i], set.columns(), raw, nulls);
    }

    private void launch(int[] chosen, int count) {
      if (count == 0) {
        return;
      }
      try (BatchMemory memory = new BatchMemory()) {
        GroupedRows grouped = GroupedRows.of(rows, chosen, count, reader.tabletLimit(), memory);
        LaneBindings bindings = program.bind(reader, data(), bound);
        writer.update(grouped, program.kernel(), bindings);
      } catch (KernelTrap trap) {
        throw failure(trap);
      }
    }

    /** The error of the row that trapped, as the host words it: the row itself is unchanged. */
    private GpdbException failure(KernelTrap trap) {
      int i = (int) trap.detail();
      if (i >= 0 && i < n) {
        bound.moveTo(first + i);
        RowValues whole = wholeRow();
        if (whole.moveTo(reader, rows[i])) {
          for (int s = 0; s < set.count(); s++) {
            set.assign(s, whole, reader, first + i + 1L, raw);
          }
        }
      }
      return program.values().failure(trap);
    }

    @Override
    public void close() {
      buffer.close();
    }
  }
}
