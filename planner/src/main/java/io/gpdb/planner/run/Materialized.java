package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** All rows of a source as one dense batch, or in a file until all of its strings are known. */
public final class Materialized {
  private Materialized() {}

  /**
   * The batches of a source: where ranks of strings need to know every string before the first
   * batch, all at once or, where memory has no room for them, from a temporary file.
   */
  public static Batches settled(
      Source source, Execution x, BitSet needed, List<StringRanks> ranks) {
    return settled(source, source.open(x, needed), needed, ranks);
  }

  /** As above, of batches of the source that were opened. */
  public static Batches settled(
      Source source, Batches opened, BitSet needed, List<StringRanks> ranks) {
    return ranks.isEmpty() || source.hasSettledStrings() ? opened : settled(source, opened, needed);
  }

  private static Batches settled(Source source, Batches opened, BitSet needed) {
    SpilledRows file = null;
    try (HeldRows held = new HeldRows(source, needed)) {
      long rowBytes = held.rowBytes();
      List<Range> ranges = new ArrayList<>();
      try (Batches stream = opened) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
          if (file != null || held.areTooMany(2 * rowBytes)) {
            file = file == null ? new SpilledRows(source.types(), needed) : file;
            held.spill(file, ranges);
          }
        }
      }
      return file == null
          ? Batches.of(held.taken())
          : file.rowsAndEnd(ranges, HeldRows.rowsToRead(rowBytes));
    } catch (RuntimeException | Error e) {
      if (file != null) {
        file.close();
      }
      throw e;
    }
  }

  /** Whether a row has a NULL in one of the fields. */
  public static boolean hasNull(DenseBatch rows, BitSet fields) {
    for (int field = fields.nextSetBit(0); field >= 0; field = fields.nextSetBit(field + 1)) {
      DeviceBuffer bits = rows.validity(field);
      if (bits != null) {
        HostBuffer validity = bits.onHost();
        for (int row = 0; row < rows.rows(); row++) {
          if (!Bitmaps.test(validity, row)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  public static DenseBatch of(Source source, Execution x, BitSet needed) {
    return of(source, source.open(x, needed), needed);
  }

  /** All of the opened batches, which are closed. */
  public static DenseBatch of(Source source, Batches opened, BitSet needed) {
    try (HeldRows held = new HeldRows(source, needed)) {
      try (Batches stream = opened) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
        }
        return held.taken();
      }
    }
  }
}
