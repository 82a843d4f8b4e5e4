package io.gpdb.planner.run;

import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a table without the rows that have none of some keys: these do not exist ({@link
 * Batch#live}), where few are left these are copied ({@link FewOfBatch}), and batches of which no
 * row is left do not come. After a number of rows of which many passed all others come as they are.
 * So what is left out depends on the rows alone, not on how many batches are read together.
 */
final class BatchesAmong implements Batches {
  /** Rows after which it is seen whether many pass. */
  private static final long TRIED_ROWS = 1 << 18;

  /** Where more than one row in this many passes, to find them out costs more than it spares. */
  private static final int PASSING_SHARE = 3;

  /** Where at most one row in this many passes, a kernel would mostly look for those that do. */
  private static final int COPIED_SHARE = 16;

  private final Batches batches;
  private final @Nullable Fields fields;
  private final int field;
  private final KeyFilter keys;
  private long seen;
  private long passed;

  /** What is read of a table's rows. */
  record Fields(List<SqlTypeSpec> types, BitSet read) {}

  /**
   * @param batches closed with this
   * @param fields to be copied of few rows; null where rows must stay where they are
   * @param field that has the keys
   */
  BatchesAmong(Batches batches, @Nullable Fields fields, int field, KeyFilter keys) {
    this.batches = batches;
    this.fields = fields;
    this.field = field;
    this.keys = keys;
  }

  @Override
  public @Nullable Batch next() {
    Batch left = null;
    while (left == null) {
      Batch batch = batches.next();
      if (batch == null) {
        return null;
      }
      left = left(batch);
    }
    return left;
  }

  @Override
  public @Nullable Batch nextTogether() {
    Batch left = null;
    while (left == null) {
      Batch batch = batches.nextTogether();
      if (batch == null) {
        return null;
      }
      left = left(batch);
    }
    return left;
  }

  /** What is left of a batch, which closes it or has done so; null where it is nothing. */
  private @Nullable Batch left(Batch batch) {
    if (seen >= TRIED_ROWS && passed > seen / PASSING_SHARE) {
      return batch;
    }
    int rows = batch.rows();
    BatchMemory memory = new BatchMemory();
    boolean isKept = false;
    try {
      HostBuffer passing = memory.bitmap(rows);
      KeyFilter.Column column =
          new KeyFilter.Column(batch.hostValues(field), batch.hostValidity(field), rows);
      int count = keys.pass(column, DeviceBuffer.onHostOrNull(batch.live()), passing);
      seen += rows;
      passed += count;
      if (count == 0) {
        return null;
      }
      if (fields != null && count <= rows / COPIED_SHARE) {
        return new FewOfBatch(batch, fields, passing, count);
      }
      isKept = true;
      return new Among(batch, passing, memory);
    } finally {
      if (!isKept) {
        memory.close();
        batch.close();
      }
    }
  }

  @Override
  public void expectAll() {
    batches.expectAll();
  }

  @Override
  public void leaveRows(LongFunction<HostBuffer> memory) {
    batches.leaveRows(memory);
  }

  @Override
  public void close() {
    batches.close();
  }

  /** A batch of which fewer rows exist. */
  private static final class Among extends Batch {
    private final Batch rows;
    private final HostBuffer passing;
    private final BatchMemory memory;

    Among(Batch rows, HostBuffer passing, BatchMemory memory) {
      this.rows = rows;
      this.passing = passing;
      this.memory = memory;
    }

    @Override
    public int rows() {
      return rows.rows();
    }

    @Override
    public DeviceBuffer live() {
      return passing;
    }

    @Override
    public long rowBase() {
      return rows.rowBase();
    }

    @Override
    public long rowNumber(int row) {
      return rows.rowNumber(row);
    }

    @Override
    public @Nullable InTablet inTablet(int of) {
      return rows.inTablet(of);
    }

    @Override
    public long copiedBytes() {
      return rows.copiedBytes();
    }

    @Override
    public long storedBytes() {
      return rows.storedBytes();
    }

    @Override
    public DeviceBuffer values(int of) {
      return rows.values(of);
    }

    @Override
    public @Nullable DeviceBuffer validity(int of) {
      return rows.validity(of);
    }

    @Override
    public StringDomain strings(int of) {
      return rows.strings(of);
    }

    @Override
    public void close() {
      try (memory) {
        rows.close();
      }
    }
  }
}
