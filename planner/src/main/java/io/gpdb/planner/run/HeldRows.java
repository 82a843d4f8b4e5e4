package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Batches that an operator keeps until it has the last of them, or as many as it may have. */
public final class HeldRows implements AutoCloseable {
  /** Rows that one operator may hold. */
  public static final int ROWS_MAX = 1 << 30;

  /** An operator takes one part in this many of the memory left. */
  private static final int SHARE = 2;

  /** A batch that is read takes one part in this many of the operator's share. */
  private static final int READ_SHARE = 4;

  /** Rows of a part: fewer are not worth the work, and more need not be done together. */
  private static final int PART_ROWS_MIN = 1 << 10;

  private static final int PART_ROWS_MAX = 1 << 24;

  private static final int READ_ROWS_MIN = 1 << 10;
  private static final int READ_ROWS_MAX = 1 << 16;

  private final List<SqlTypeSpec> types;
  private final BitSet fields;
  private final List<Batch> batches = new ArrayList<>();
  private long rows;

  /**
   * @param fields of the source that are kept
   */
  public HeldRows(Source source, BitSet fields) {
    this(source.types(), fields);
  }

  /**
   * @param types of all fields
   * @param fields that are kept
   */
  public HeldRows(List<SqlTypeSpec> types, BitSet fields) {
    this.types = types;
    this.fields = fields;
  }

  /** Takes a batch over, all of whose rows exist. */
  public void add(Batch batch) {
    if (batch.rows() == 0) {
      batch.close();
      return;
    }
    batches.add(batch);
    rows += batch.rows();
    if (batch.live() != null) {
      throw new IllegalStateException("rows that do not exist cannot be materialised");
    }
  }

  public long rows() {
    return rows;
  }

  /** Bytes of a row in these fields, without its share of the bitmaps. */
  public long rowBytes() {
    return fields.stream().mapToLong(i -> types.get(i).element().bytes()).sum();
  }

  /**
   * Whether the operator takes more than its share of the memory left.
   *
   * @param workBytes what it takes for a row, these fields included
   */
  public boolean areTooMany(long workBytes) {
    MemoryAccount account = MemoryAccount.current();
    return account.canSpill() && !account.hasRoomFor(SHARE * rows * workBytes - rows * rowBytes());
  }

  /** Whether the operator's share of the memory left has room for so many rows. */
  public static boolean hasRoomFor(long rows, long workBytes) {
    return MemoryAccount.current().hasRoomFor(SHARE * rows * workBytes);
  }

  /** How many rows the operator's share of the memory left has room for, beside these. */
  public static long rowsOfShare(long workBytes) {
    return MemoryAccount.current().availableBytes() / SHARE / Math.max(1, workBytes);
  }

  /** How many rows of a temporary file an operator reads at a time. */
  public static int rowsToRead(long rowBytes) {
    return Math.clamp(rowsOfShare(rowBytes) / READ_SHARE, READ_ROWS_MIN, READ_ROWS_MAX);
  }

  /** All of them as one batch, which stays here. */
  public DenseBatch joined() {
    if (rows > ROWS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "rows held by one operator: rows=" + rows + ", limit=" + ROWS_MAX);
    }
    if (batches.size() == 1 && batches.getFirst() instanceof DenseBatch only) {
      return only;
    }
    DenseBatch all = part(0, (int) rows);
    batches.forEach(Batch::close);
    batches.clear();
    batches.add(all);
    return all;
  }

  /** As {@link #joined}; the batch is the caller's. */
  public DenseBatch taken() {
    DenseBatch all = joined();
    batches.clear();
    return all;
  }

  /** The batches as they came; they are the caller's. */
  public List<Batch> released() {
    List<Batch> all = List.copyOf(batches);
    batches.clear();
    return all;
  }

  /** The batches as they came, then the rest; all of them are the stream's. */
  public Batches andThen(Batches rest) {
    ArrayDeque<Batch> first = new ArrayDeque<>(released());
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        Batch held = first.poll();
        return held == null ? rest.next() : held;
      }

      @Override
      public void close() {
        first.forEach(Batch::close);
        first.clear();
        rest.close();
      }
    };
  }

  /** A copy of some of the rows. */
  public DenseBatch part(long from, int count) {
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch part = new DenseBatch(count, types.size(), memory);
      for (int i = fields.nextSetBit(0); i >= 0; i = fields.nextSetBit(i + 1)) {
        Concatenation column = new Concatenation(types.get(i), count, memory);
        copy(i, from, count, column);
        part.set(i, column.values(), column.validity());
        if (types.get(i).kind().isString()) {
          part.strings(i, domain(i));
        }
      }
      return part;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /**
   * Does something with all of them, part after part, each as large as memory has room for, and
   * then holds none.
   *
   * @param workBytes what a row takes meanwhile, these fields included
   * @param work does nothing where it fails for memory, and is then asked to do less
   */
  public void leaveInParts(long workBytes, Consumer<DenseBatch> work) {
    int most = Math.clamp(rowsOfShare(workBytes), PART_ROWS_MIN, PART_ROWS_MAX);
    for (long from = 0; from < rows; ) {
      int count = (int) Math.min(most, rows - from);
      try (DenseBatch part = part(from, count)) {
        work.accept(part);
        from += count;
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY || count <= PART_ROWS_MIN) {
          throw e;
        }
        most = count / 2;
      }
    }
    clear();
  }

  private void copy(int field, long from, int count, Concatenation column) {
    long first = 0;
    for (Batch batch : batches) {
      StopSignal.poll();
      int begin = Math.clamp(from - first, 0, batch.rows());
      int end = Math.clamp(from + count - first, 0, batch.rows());
      if (begin < end) {
        column.add(batch, field, begin, end - begin);
      }
      first += batch.rows();
    }
  }

  private StringDomain domain(int field) {
    return batches.isEmpty() ? new StringDomain.Made() : batches.getLast().strings(field);
  }

  /** Moves the batches to a file. */
  public void spill(SpilledRows file, List<Range> ranges) {
    try (Batches moved = andThen(Batches.of(null))) {
      clear(); // they are the stream's
      for (Batch batch = moved.next(); batch != null; batch = moved.next()) {
        try (Batch written = batch) {
          ranges.add(file.write(written));
        }
      }
    }
  }

  /** Closes those that are held, to hold others. */
  public void clear() {
    batches.forEach(Batch::close);
    batches.clear();
    rows = 0;
  }

  @Override
  public void close() {
    clear();
  }
}
