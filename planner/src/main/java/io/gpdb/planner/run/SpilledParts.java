package io.gpdb.planner.run;

import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows in parts in a temporary file. A batch is written with the rows of a part next to each other;
 * so each part has a range of rows of each batch, in the order of the batches.
 */
final class SpilledParts implements AutoCloseable {
  /** How many parts there are. */
  static final int COUNT = 16;

  /** A batch that is read takes one part in this many of the operator's share. */
  private static final int READ_SHARE = 4;

  private static final int READ_ROWS_MIN = 1 << 10;
  private static final int READ_ROWS_MAX = 1 << 16;

  private final List<SqlTypeSpec> types;
  private final BitSet fields;
  private final GridGather gather;
  private final SpilledRows file;
  private final List<List<Range>> parts = new ArrayList<>();

  /**
   * @param fields that are kept
   */
  SpilledParts(List<SqlTypeSpec> types, BitSet fields, GridGather gather) {
    this.types = types;
    this.fields = fields;
    this.gather = gather;
    file = new SpilledRows(types, fields);
    for (int i = 0; i < COUNT; i++) {
      parts.add(new ArrayList<>());
    }
  }

  /**
   * Takes a batch over.
   *
   * @param partOf by row, its part; -1 of rows that are left out
   */
  void add(Batch batch, int[] partOf) {
    int[] ends = ends(partOf);
    try (DenseBatch divided = divided(batch, partOf, ends.clone())) {
      batch.close(); // a tablet's latch is not held while rows are written
      Range all = file.write(divided);
      for (int p = 0; p < COUNT; p++) {
        int from = p == 0 ? 0 : ends[p - 1];
        if (from < ends[p]) {
          parts.get(p).add(all.part(from, ends[p] - from));
        }
      }
    } finally {
      batch.close();
    }
  }

  /** By part, where its rows end. */
  private static int[] ends(int[] partOf) {
    int[] ends = new int[COUNT];
    for (int part : partOf) {
      if (part >= 0) {
        ends[part]++;
      }
    }
    for (int p = 1; p < COUNT; p++) {
      ends[p] += ends[p - 1];
    }
    return ends;
  }

  /** The rows of the first part, then those of the next; the ends become beginnings. */
  private DenseBatch divided(Batch batch, int[] partOf, int[] ends) {
    int count = ends[COUNT - 1];
    BatchMemory memory = new BatchMemory();
    try (BatchMemory scratch = new BatchMemory()) {
      HostBuffer rows = scratch.pin((long) count * Integer.BYTES);
      for (int row = partOf.length - 1; row >= 0; row--) {
        if (partOf[row] >= 0) {
          rows.setInt(--ends[partOf[row]], row);
        }
      }
      DenseBatch divided = new DenseBatch(count, types.size(), memory);
      for (int i = fields.nextSetBit(0); i >= 0; i = fields.nextSetBit(i + 1)) {
        SqlTypeSpec type = types.get(i);
        DenseColumn from =
            new DenseColumn(Launching.element(type), batch.values(i), batch.validity(i));
        DenseColumn to = gather.column(from, rows, count, false, memory);
        divided.set(i, to.values(), to.validity());
        if (type.kind().isString()) {
          divided.strings(i, batch.strings(i));
        }
      }
      return divided;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  boolean isEmpty(int part) {
    return parts.get(part).isEmpty();
  }

  /** The rows of a part in batches, as often as they are asked for. */
  Batches rows(int part, long rowBytes) {
    int most =
        Math.clamp(HeldRows.rowsOfShare(rowBytes) / READ_SHARE, READ_ROWS_MIN, READ_ROWS_MAX);
    List<List<Range>> batches = new ArrayList<>();
    long rows = Long.MAX_VALUE;
    for (Range range : parts.get(part)) {
      for (int from = 0; from < range.rows(); ) {
        if (rows >= most) {
          batches.add(new ArrayList<>());
          rows = 0;
        }
        int count = (int) Math.min(most - rows, range.rows() - from);
        batches.getLast().add(range.part(from, count));
        rows += count;
        from += count;
      }
    }
    return new Batches() {
      private int next;

      @Override
      public @Nullable Batch next() {
        return next == batches.size() ? null : file.read(batches.get(next++)).withoutRowNumbers();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {
    file.close();
  }
}
