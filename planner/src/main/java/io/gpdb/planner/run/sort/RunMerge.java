package io.gpdb.planner.run.sort;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of several sorted runs in one order, by a heap of the runs' next rows. */
final class RunMerge implements AutoCloseable {
  private final List<SqlTypeSpec> types;
  private final int[] fields;
  private final SpilledRows file;
  private final Function<DenseBatch, RunKeys> keys;
  private final int chunkRows;
  private final List<Run> all = new ArrayList<>();

  /** The runs that have rows left; the children of i are 2i+1 and 2i+2. */
  private final Run[] heap;

  private int size;

  /**
   * @param keys the keys of rows, to be compared with those of other rows
   * @param chunkRows how many rows of each run are in memory at a time
   */
  RunMerge(
      List<SqlTypeSpec> types,
      BitSet fields,
      SpilledRows file,
      List<List<Range>> runs,
      Function<DenseBatch, RunKeys> keys,
      int chunkRows) {
    this.types = types;
    this.fields = fields.stream().toArray();
    this.file = file;
    this.keys = keys;
    this.chunkRows = chunkRows;
    heap = new Run[runs.size()];
    try {
      for (List<Range> run : runs) {
        Run opened = new Run(all.size(), chunks(run));
        all.add(opened);
        if (opened.load()) {
          heap[size++] = opened;
        }
      }
      for (int i = size / 2 - 1; i >= 0; i--) {
        sink(i);
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private Iterator<Range> chunks(List<Range> run) {
    List<Range> chunks = new ArrayList<>();
    for (Range range : run) {
      for (int from = 0; from < range.rows(); from += chunkRows) {
        chunks.add(range.part(from, Math.min(chunkRows, range.rows() - from)));
      }
    }
    return chunks.iterator();
  }

  /** A run whose next row is compared with those of others. */
  private final class Run {
    final int number;
    final Iterator<Range> chunks;
    final HostBuffer[] values = new HostBuffer[fields.length];
    final @Nullable HostBuffer[] validity = new HostBuffer[fields.length];
    private @Nullable DenseBatch batch;
    private @Nullable RunKeys words;
    int row;
    private int rows;

    Run(int number, Iterator<Range> chunks) {
      this.number = number;
      this.chunks = chunks;
    }

    /** Goes to the first row of the next chunk; false where there is none. */
    boolean load() {
      release();
      if (!chunks.hasNext()) {
        return false;
      }
      DenseBatch next = file.read(List.of(chunks.next()));
      batch = next;
      words = keys.apply(next);
      row = 0;
      rows = next.rows();
      for (int i = 0; i < fields.length; i++) {
        values[i] = next.hostValues(fields[i]);
        validity[i] = next.hostValidity(fields[i]);
      }
      return true;
    }

    boolean advance() {
      return ++row < rows || load();
    }

    boolean isBefore(Run other) {
      RunKeys mine = words;
      RunKeys others = other.words;
      if (mine == null || others == null) {
        throw new IllegalStateException("a run without a row");
      }
      int compared = mine.compare(row, others, other.row);
      return compared < 0 || (compared == 0 && number < other.number);
    }

    void release() {
      if (batch != null) {
        batch.close();
        batch = null;
      }
    }
  }

  private void sink(int from) {
    int i = from;
    Run run = heap[i];
    while (2 * i + 1 < size) {
      int child = 2 * i + 1;
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(run)) {
        break;
      }
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = run;
  }

  /** Leaves the first row behind. */
  private void advance() {
    if (!heap[0].advance()) {
      heap[0] = heap[--size];
    }
    if (size > 0) {
      sink(0);
    }
  }

  /** Leaves out the next rows. */
  void skip(long rows) {
    for (long i = 0; i < rows && size > 0; i++) {
      StopSignal.poll((int) i);
      advance();
    }
  }

  /** The next rows, as many at most; null where none is left. */
  @Nullable DenseBatch next(long most) {
    if (size == 0) {
      return null;
    }
    int capacity = (int) Math.min(most, chunkRows);
    BatchMemory memory = new BatchMemory();
    try {
      Column[] columns = new Column[fields.length];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = new Column(types.get(fields[i]).element(), capacity, memory);
      }
      int rows = 0;
      for (; rows < capacity && size > 0; rows++) {
        StopSignal.poll(rows);
        Run first = heap[0];
        for (int i = 0; i < columns.length; i++) {
          columns[i].copy(first.values[i], first.validity[i], first.row, rows);
        }
        advance();
      }
      return batch(columns, rows, memory);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private DenseBatch batch(Column[] columns, int rows, BatchMemory memory) {
    DenseBatch batch = new DenseBatch(rows, types.size(), memory);
    for (int i = 0; i < columns.length; i++) {
      batch.set(fields[i], columns[i].values, columns[i].hasNulls ? columns[i].validity : null);
      batch.strings(fields[i], file.strings(fields[i]));
    }
    return batch;
  }

  /** A column of the result. */
  private static final class Column {
    private final ElementType element;
    private final HostBuffer values;
    private final HostBuffer validity;
    private boolean hasNulls;

    Column(ElementType element, int capacity, BatchMemory memory) {
      this.element = element;
      values = memory.pin((long) capacity * element.bytes());
      validity = memory.bitmap(capacity);
      Bitmaps.setRange(validity, 0, capacity, true);
    }

    void copy(HostBuffer from, @Nullable HostBuffer present, int row, int to) {
      element.setRawAt(values, to, element.rawAt(from, row));
      if (present != null && !Bitmaps.test(present, row)) {
        hasNulls = true;
        Bitmaps.set(validity, to, false);
      }
    }
  }

  @Override
  public void close() {
    all.forEach(Run::release);
    size = 0;
  }
}
