package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowFault;
import io.gpdb.planner.batch.RowNumbers;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.GatheredRows;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TabletRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE and DELETE as a query with a sink: the source returns the row id and the new values. From
 * a plain scan each batch is one tablet's rows, distinct and in order, and those of a window of
 * tablets are changed together; from any other source all rows are gathered first, so that the
 * query never sees its own effects.
 */
public final class SourceChange implements Change {
  /** What is changed by one launch: readers of its tablets wait for it. */
  private static final long WINDOW_ROWS_MAX = 64L * Tablet.ROWS;

  private final TableDef table;
  private final Source source;
  private final boolean plainScan;
  private final boolean delete;
  private final int[] setColumns;
  private final ColumnTarget[] targets;

  public SourceChange(
      TableDef table, Source source, boolean plainScan, int[] setColumns, boolean delete) {
    this.table = table;
    this.source = source;
    this.plainScan = plainScan;
    this.setColumns = setColumns;
    this.delete = delete;
    targets = new ColumnTarget[setColumns.length];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = new ColumnTarget(table, setColumns[i]);
    }
  }

  @Override
  public long apply(Execution x) {
    TableWriter writer = x.transaction().writer(table.tableId());
    TableReader reader = x.transaction().reader(table.tableId());
    try {
      long count = plainScan ? applyInPlace(x, writer, reader) : applyGathered(x, writer, reader);
      if (!delete) {
        writer.finishStatement();
      }
      return count;
    } catch (KeyViolation violation) {
      throw KeyMessages.translate(violation, table, null);
    } catch (GpdbException e) {
      throw RowFault.assigned(e, table, setColumns, 1);
    }
  }

  private long applyInPlace(Execution x, TableWriter writer, TableReader reader) {
    long count = 0;
    Strings[] strings = strings();
    try (BatchWindows windows = new BatchWindows(source.open(x))) {
      windows.expectAll();
      windows.leaveRows(writer::memoryForRows);
      while (true) {
        List<Batch> window = windows.next(WINDOW_ROWS_MAX);
        if (window.isEmpty()) {
          return count;
        }
        count += applyWindow(x, window, writer, reader, strings, count);
      }
    }
  }

  private long applyWindow(
      Execution x,
      List<Batch> window,
      TableWriter writer,
      TableReader reader,
      Strings[] strings,
      long before) {
    List<TabletRows> parts = new ArrayList<>(window.size());
    List<RowBuffer> converted = new ArrayList<>();
    long count = 0;
    try (BatchMemory memory = new BatchMemory()) {
      for (Batch batch : window) {
        if (batch.rows() > 0) {
          report(x, batch);
          Batch.InTablet rows = inTablet(batch, memory);
          if (rows == null) {
            applySpanning(batch, writer, reader, strings, before + count);
          } else {
            List<ColumnView> values = newValues(batch, converted, reader, strings, before + count);
            parts.add(
                new TabletRows(rows.tablet(), rows.rows(), batch.rows(), rows.areLeft(), values));
          }
          count += batch.rows();
        }
      }
      if (delete) {
        writer.delete(parts);
      } else {
        writer.update(parts, setColumns);
      }
    } finally {
      converted.forEach(RowBuffer::close);
    }
    return count;
  }

  /** Of rows that are changed at once: those deleted are still there. */
  private void report(Execution x, Batch batch) {
    ChangedRows changed = x.changed();
    if (changed != null) {
      HostBuffer rowIds = batch.values(0).onHost();
      for (int i = 0; i < batch.rows(); i++) {
        report(changed, rowIds.longAt(i));
      }
    }
  }

  private void report(@Nullable ChangedRows changed, long row) {
    if (changed != null && delete) {
      changed.deleting(row);
    } else if (changed != null) {
      changed.stored(row, 1);
    }
  }

  /** Row ids ascend; batches that the host made may go over the end of a tablet: null for them. */
  private static Batch.@Nullable InTablet inTablet(Batch batch, BatchMemory memory) {
    Batch.InTablet known = batch.inTablet(0);
    if (known != null) {
      return known;
    }
    HostBuffer rowIds = batch.values(0).onHost();
    long first = rowIds.longAt(0) / Tablet.ROWS;
    long last = rowIds.longAt(batch.rows() - 1L) / Tablet.ROWS;
    return first == last
        ? new Batch.InTablet((int) first, RowNumbers.inTablet(rowIds, batch.rows(), memory), false)
        : null;
  }

  private void applySpanning(
      Batch batch, TableWriter writer, TableReader reader, Strings[] strings, long before) {
    int n = batch.rows();
    try (RowBuffer buffer = new RowBuffer(elements(), n);
        PendingRows pending = new PendingRows(writer, reader, table, setColumns, delete, n)) {
      for (int c = 0; c < setColumns.length; c++) {
        convert(batch, c, buffer, reader, strings[c], before);
      }
      HostBuffer rowIds = batch.values(0).onHost();
      for (int i = 0; i < n; i++) {
        int at = pending.add(rowIds.longAt(i));
        for (int c = 0; c < setColumns.length; c++) {
          pending.set(at, c, buffer.raw(c, i), !buffer.isNull(c, i));
        }
      }
      pending.flush();
    }
  }

  private Strings[] strings() {
    Strings[] strings = new Strings[setColumns.length];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = new Strings();
    }
    return strings;
  }

  /** By set column; what cannot stay as it is goes to a buffer that is added to those. */
  private List<ColumnView> newValues(
      Batch batch, List<RowBuffer> buffers, TableReader reader, Strings[] strings, long before) {
    if (needsConversion(batch)) {
      buffers.add(new RowBuffer(elements(), batch.rows()));
    }
    List<ColumnView> data = new ArrayList<>(setColumns.length);
    for (int c = 0; c < setColumns.length; c++) {
      if (isUnchanged(batch, c)) {
        data.add(new ColumnView(targets[c].type().element(), batch.values(c + 1), null));
      } else {
        RowBuffer converted = buffers.getLast();
        convert(batch, c, converted, reader, strings[c], before);
        data.add(converted.column(c));
      }
    }
    return data;
  }

  private boolean needsConversion(Batch batch) {
    for (int c = 0; c < setColumns.length; c++) {
      if (!isUnchanged(batch, c)) {
        return true;
      }
    }
    return false;
  }

  private io.gpdb.storage.column.ElementType[] elements() {
    return Arrays.stream(targets)
        .map(t -> t.type().element())
        .toArray(io.gpdb.storage.column.ElementType[]::new);
  }

  private boolean isUnchanged(Batch batch, int c) {
    SqlTypeSpec from = source.columns().get(c + 1).type();
    return !from.kind().isString()
        && targets[c].takesUnchanged(from)
        && batch.validity(c + 1) == null;
  }

  private void convert(
      Batch batch, int c, RowBuffer buffer, TableReader reader, Strings strings, long before) {
    SourceColumns.convert(
        batch,
        c + 1,
        source.columns().get(c + 1).type(),
        targets[c],
        buffer,
        c,
        strings,
        reader.strings(setColumns[c]),
        before);
  }

  /** All rows first, then all changes. */
  private long applyGathered(Execution x, TableWriter writer, TableReader reader) {
    Strings[] strings = strings();
    long before = 0;
    long changed = 0;
    try (GatheredRows rows = GatheredRows.of(source, x);
        Batches pieces = rows.pieces();
        RowMarks marks = new RowMarks();
        PendingRows pending =
            new PendingRows(writer, reader, table, setColumns, delete, rows.rows())) {
      for (Batch batch = pieces.next(); batch != null; batch = pieces.next()) {
        try (Batch open = batch;
            RowBuffer buffer = new RowBuffer(elements(), batch.rows())) {
          for (int c = 0; c < setColumns.length; c++) {
            convert(open, c, buffer, reader, strings[c], before);
          }
          changed += change(x, open, buffer, marks, pending);
          before += open.rows();
        }
      }
      pending.flush();
      return changed;
    }
  }

  private long change(
      Execution x, Batch batch, RowBuffer values, RowMarks marks, PendingRows pending) {
    HostBuffer rowIds = batch.hostValues(0);
    long changed = 0;
    for (int i = 0; i < batch.rows(); i++) {
      StopSignal.poll(i);
      long row = rowIds.longAt(i);
      if (!marks.add(row)) {
        if (delete) {
          continue;
        }
        throw new GpdbException(
            SqlCondition.CARDINALITY,
            "UPDATE of table " + table.name() + " computes more than one new value for a row");
      }
      report(x.changed(), row);
      int at = pending.add(row);
      for (int c = 0; c < setColumns.length; c++) {
        pending.set(at, c, values.raw(c, i), !values.isNull(c, i));
      }
      changed++;
    }
    return changed;
  }

  @Override
  public List<String> explain(Execution x) {
    Outline outline = new Outline(x);
    outline.line(
        (delete ? "delete " : "update ")
            + table.name()
            + (plainScan
                ? " [apply kernel, tablets together]"
                : " [apply kernel, after all rows]"));
    outline.below(source);
    return outline.lines();
  }

  @Override
  public List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    source.kernels(kernels);
    return kernels;
  }

  /** Codes of a source's strings as codes of the column that takes them. */
  static final class Strings {
    private @Nullable StringDomain known;
    private int[] codes = {};

    int code(
        StringDomain domain, int code, ColumnTarget target, CodedStrings dictionary, long row) {
      if (known == null || !known.isSameAs(domain)) {
        known = domain;
        codes = new int[0];
      }
      if (code >= codes.length) {
        int known = codes.length;
        codes = Arrays.copyOf(codes, Math.max(code + 1, known * 2));
        Arrays.fill(codes, known, codes.length, -1);
      }
      if (codes[code] < 0) {
        byte[] stored = target.assigned(domain.bytes(code), row);
        codes[code] = dictionary.intern(stored, 0, stored.length);
      }
      return codes[code];
    }
  }
}
