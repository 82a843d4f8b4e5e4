package io.gpdb.planner.batch;

import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.memory.TemporaryFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of batches in a temporary file of the statement that the thread works for, batch after
 * batch. Used by one thread at a time.
 *
 * <pre>
 *   of each batch, of each field that is kept:
 *   values      rows x the element's bytes; a string's is its code
 *   validity    bitmap in i32 words; none where no value is NULL
 * </pre>
 *
 * The strings stay in their domains, in memory.
 */
public final class SpilledRows implements AutoCloseable {
  private static final long NONE = -1;

  private final List<SqlTypeSpec> types;
  private final BitSet fields;
  private final MemoryAccount account = MemoryAccount.current();
  private final TemporaryFile file = account.temporaryFile();
  private final @Nullable StringDomain[] strings;
  private long bytes;

  /**
   * @param fields those that are kept
   */
  public SpilledRows(List<SqlTypeSpec> types, BitSet fields) {
    this.types = types;
    this.fields = (BitSet) fields.clone();
    strings = new StringDomain[types.size()];
  }

  /** Rows of one batch that was written. */
  public static final class Range {
    private final long[] values;
    private final long[] validity;
    private final int from;
    private final int rows;

    private Range(long[] values, long[] validity, int from, int rows) {
      this.values = values;
      this.validity = validity;
      this.from = from;
      this.rows = rows;
    }

    public int rows() {
      return rows;
    }

    /** Some of these rows. */
    public Range part(int first, int count) {
      return new Range(values, validity, from + first, count);
    }
  }

  /** Adds the rows of a batch, all of which exist. */
  public Range write(Batch batch) {
    if (batch.live() != null) {
      throw new IllegalStateException("rows that do not exist cannot be spilled");
    }
    long before = bytes;
    int rows = batch.rows();
    long[] values = new long[types.size()];
    long[] validity = new long[types.size()];
    Arrays.fill(validity, NONE);
    for (int i = fields.nextSetBit(0); i >= 0; i = fields.nextSetBit(i + 1)) {
      StopSignal.poll();
      values[i] = bytes;
      append(batch.hostValues(i).slice(0, (long) rows * types.get(i).element().bytes()));
      HostBuffer bits = batch.hostValidity(i);
      if (bits != null) {
        validity[i] = bytes;
        append(bits.slice(0, Bitmaps.bytes(rows)));
      }
      if (types.get(i).kind().isString()) {
        strings[i] = batch.strings(i);
      }
    }
    account.countSpilled(bytes - before);
    return new Range(values, validity, 0, rows);
  }

  private void append(HostBuffer part) {
    file.write(bytes, part);
    bytes += part.bytes();
  }

  /** The rows of the ranges, one after the other, as a batch with memory of its own. */
  public DenseBatch read(List<Range> ranges) {
    return read(ranges, fields);
  }

  /**
   * As above.
   *
   * @param some the fields that come
   */
  DenseBatch read(List<Range> ranges, BitSet some) {
    int rows = ranges.stream().mapToInt(Range::rows).sum();
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch batch = new DenseBatch(rows, types.size(), memory);
      readInto(batch, ranges, some);
      return batch;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /** Adds the fields of these rows to a batch of as many. */
  public void readInto(DenseBatch batch, List<Range> ranges) {
    readInto(batch, ranges, fields);
  }

  private void readInto(DenseBatch batch, List<Range> ranges, BitSet some) {
    int rows = batch.rows();
    BatchMemory memory = batch.memory();
    for (int i = some.nextSetBit(0); i >= 0; i = some.nextSetBit(i + 1)) {
      StopSignal.poll();
      batch.set(i, values(i, ranges, rows, memory), validity(i, ranges, rows, memory));
      batch.strings(i, strings[i]);
    }
  }

  /** The rows of the ranges in batches of a given number of rows at most. */
  public Batches rows(List<Range> ranges, int rowsMax) {
    Iterator<List<Range>> pieces = pieces(ranges, rowsMax).iterator();
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        return pieces.hasNext() ? read(pieces.next()).withoutRowNumbers() : null;
      }

      @Override
      public void close() {}
    };
  }

  /** As above; this is closed with them. */
  public Batches rowsAndEnd(List<Range> ranges, int rowsMax) {
    Batches rows = rows(ranges, rowsMax);
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        return rows.next();
      }

      @Override
      public void close() {
        SpilledRows.this.close();
      }
    };
  }

  /** The ranges one after the other, in pieces of so many rows, the last one of fewer. */
  public static List<List<Range>> pieces(List<Range> ranges, int rowsMax) {
    List<List<Range>> pieces = new ArrayList<>();
    int rows = rowsMax;
    for (Range range : ranges) {
      for (int from = 0; from < range.rows(); ) {
        if (rows == rowsMax) {
          pieces.add(new ArrayList<>());
          rows = 0;
        }
        int count = Math.min(rowsMax - rows, range.rows() - from);
        pieces.getLast().add(range.part(from, count));
        rows += count;
        from += count;
      }
    }
    return pieces;
  }

  private HostBuffer values(int field, List<Range> ranges, int rows, BatchMemory memory) {
    long width = types.get(field).element().bytes();
    HostBuffer target = memory.pin(rows * width);
    long at = 0;
    for (Range range : ranges) {
      HostBuffer part = target.slice(at, range.rows * width);
      file.read(range.values[field] + range.from * width, part);
      at += part.bytes();
    }
    return target;
  }

  private @Nullable HostBuffer validity(
      int field, List<Range> ranges, int rows, BatchMemory memory) {
    if (ranges.stream().allMatch(range -> range.validity[field] == NONE)) {
      return null;
    }
    HostBuffer target = memory.bitmap(rows);
    int at = 0;
    for (Range range : ranges) {
      if (range.validity[field] == NONE) {
        Bitmaps.setRange(target, at, range.rows, true);
      } else {
        copyBits(range, field, target, at);
      }
      at += range.rows;
    }
    return target;
  }

  private void copyBits(Range range, int field, HostBuffer target, int at) {
    int first = range.from & ~31;
    int skipped = range.from - first;
    try (BatchMemory scratch = new BatchMemory()) {
      HostBuffer bits = scratch.pin(Bitmaps.bytes(skipped + range.rows));
      file.read(range.validity[field] + Bitmaps.bytes(first), bits);
      Bitmaps.copyRange(bits, skipped, target, at, range.rows);
    }
  }

  /** The strings of a field; null where it has none. */
  public @Nullable StringDomain strings(int field) {
    return strings[field];
  }

  /** Ends the file. */
  @Override
  public void close() {
    account.end(file);
  }
}
