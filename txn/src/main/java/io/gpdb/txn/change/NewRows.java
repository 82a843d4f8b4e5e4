package io.gpdb.txn.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;

/**
 * The columns of new rows in one tablet, each with what makes it durable: bound for a launch, or
 * stored on the host. A column gets a validity bitmap with its first NULL.
 */
final class NewRows {
  private NewRows() {}

  static void bind(InsertChange change, InsertChange.Part part, Homes homes, GridInsert.Rows rows) {
    assert part.tablet().latch().isHeldExclusivelyByThisThread() : "R3: insert without the latch";
    Tablet tablet = part.tablet();
    for (int c = 0; c < change.columnCount(); c++) {
      ColumnView data = change.column(c);
      DeviceBuffer given = change.validity(part, c);
      boolean bitmap = prepare(tablet, c, given != null, homes);
      rows.values(
          data.type().bytes(),
          data.values(),
          part.batchFrom(),
          tablet.writableValues(c),
          part.from(),
          part.n(),
          homes.target(tablet, ChunkKind.VALUES, c));
      if (bitmap) {
        PersistTarget target = homes.target(tablet, ChunkKind.VALIDITY, c);
        DeviceBuffer valid = tablet.writableValidity(c);
        rows.bits(given, part.batchFrom(), valid, part.from(), part.n(), target);
      }
    }
  }

  static void store(InsertChange change, InsertChange.Part part, Homes homes) {
    assert part.tablet().latch().isHeldExclusivelyByThisThread() : "R3: insert without the latch";
    Tablet tablet = part.tablet();
    int from = part.from();
    int n = part.n();
    for (int c = 0; c < change.columnCount(); c++) {
      ColumnView data = change.column(c);
      DeviceBuffer given = change.validity(part, c);
      boolean bitmap = prepare(tablet, c, given != null, homes);
      long width = data.type().bytes();
      DeviceBuffer values = tablet.writableValues(c);
      values.copyFrom(data.values(), part.batchFrom() * width, from * width, n * width);
      homes.target(tablet, ChunkKind.VALUES, c).flush(from * width, n * width);
      if (bitmap) {
        DeviceBuffer valid = tablet.writableValidity(c);
        if (given == null) {
          valid.edit(bits -> Bitmaps.setRange(bits, from, n, true));
        } else {
          HostBuffer bits = given.onHost();
          valid.edit(v -> Bitmaps.copyRange(bits, part.batchFrom(), v, from, n));
        }
        long first = from / 32 * 4L;
        long end = (from + n + 31) / 32 * 4L;
        homes.target(tablet, ChunkKind.VALIDITY, c).flush(first, end - first);
      }
    }
  }

  /** Whether the column has a validity bitmap, or gets one now. */
  private static boolean prepare(Tablet tablet, int c, boolean nulls, Homes homes) {
    boolean bitmap = nulls || tablet.validity(c) != null;
    homes.prepare(tablet, c, bitmap);
    return bitmap;
  }
}
