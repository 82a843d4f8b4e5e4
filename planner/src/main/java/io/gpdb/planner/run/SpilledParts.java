package io.gpdb.planner.run;

import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

/**
 * Rows in parts in a temporary file. A batch is written with the rows of a part next to each other;
 * so each part has a range of rows of each batch, in the order of the batches.
 */
public final class SpilledParts implements AutoCloseable {
  /** How many parts there are. */
  public static final int COUNT = 16;

  /** Fewer rows of a batch are not worth a division of their own. */
  private static final int ROWS_MIN = 1 << 10;

  private final List<SqlTypeSpec> types;
  private final BitSet fields;
  private final GridGather gather;
  private final SpilledRows file;
  private final List<List<Range>> parts = new ArrayList<>();

  /**
   * @param fields that are kept
   */
  public SpilledParts(List<SqlTypeSpec> types, BitSet fields, GridGather gather) {
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
  private void add(Batch batch, int[] partOf) {
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

  /**
   * Takes all batches over, as many rows at a time as there is memory for, at most a tablet's.
   *
   * @param source of the batches
   * @param workBytes what their division takes for a row
   * @param partsOf of a batch's rows, by row; -1 of rows that are left out
   */
  public void addAll(
      Source source, Batches batches, long workBytes, Function<Batch, int[]> partsOf) {
    try (HeldRows large = new HeldRows(source, fields)) {
      for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
        int most = Math.clamp(HeldRows.rowsOfShare(workBytes), ROWS_MIN, Tablet.ROWS);
        if (batch.rows() <= most || batch.live() != null) {
          divide(batch, partsOf);
          continue;
        }
        large.add(batch);
        for (long from = 0; from < large.rows(); from += most) {
          divide(large.part(from, (int) Math.min(most, large.rows() - from)), partsOf);
        }
        large.clear();
      }
    }
  }

  private void divide(Batch batch, Function<Batch, int[]> partsOf) {
    try {
      if (batch.rows() > 0) {
        add(batch, partsOf.apply(batch));
      }
    } finally {
      batch.close();
    }
  }

  public boolean isEmpty(int part) {
    return parts.get(part).isEmpty();
  }

  public long rows(int part) {
    return parts.get(part).stream().mapToLong(Range::rows).sum();
  }

  /** Rows of all parts. */
  public long rows() {
    return parts.stream().flatMap(List::stream).mapToLong(Range::rows).sum();
  }

  /** The rows of a part in batches, as often as they are asked for. */
  public Batches rows(int part, long rowBytes) {
    return file.rows(parts.get(part), HeldRows.rowsToRead(rowBytes));
  }

  /** The rows of a part in pieces of so many rows at most, to be read one by one. */
  public List<List<Range>> pieces(int part, int rowsMax) {
    return SpilledRows.pieces(parts.get(part), rowsMax);
  }

  /** All rows of a part. */
  public DenseBatch all(int part) {
    return read(parts.get(part));
  }

  /** The rows of a piece; of none, their strings are known all the same. */
  public DenseBatch read(List<Range> piece) {
    return file.read(piece).withoutRowNumbers();
  }

  @Override
  public void close() {
    file.close();
  }
}
