package io.gpdb.planner.run.table;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.exec.library.scan.PassingRows;
import io.gpdb.exec.library.scan.RangeFilter;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.query.ColumnRanges.Range;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the host asks of each row of a table's batches before a kernel sees them. */
sealed interface RowTest {
  /** Whose host's threads do it. */
  Device device();

  /** Where more than one row in this many passes, to find them out costs more than it spares. */
  int passingShare();

  /** Where at most one row in this many passes, a kernel would mostly look for those that do. */
  int copiedShare();

  /** Sets the bits of the rows that pass; returns how many do, of each batch. */
  int[] pass(List<Asked> all);

  /** The first rows of a batch, and the bitmap of those that pass. */
  record Asked(Batch batch, int rows, HostBuffer passing) {
    PassingRows.Column column(int field) {
      return new PassingRows.Column(batch.hostValues(field), batch.hostValidity(field), rows);
    }

    @Nullable HostBuffer live() {
      return DeviceBuffer.onHostOrNull(batch.live());
    }
  }

  /** Whether a field has one of some numbers. */
  record OfKeys(int field, KeyFilter keys) implements RowTest {
    @Override
    public Device device() {
      return keys.device();
    }

    @Override
    public int passingShare() {
      return 3;
    }

    @Override
    public int copiedShare() {
      return 16;
    }

    @Override
    public int[] pass(List<Asked> all) {
      return keys.pass(
          all.stream()
              .map(each -> new KeyFilter.Rows(each.column(field), each.live(), each.passing))
              .toList());
    }
  }

  /**
   * Whether fields are in ranges, which the kernel asks again: it gains nothing from rows that it
   * passes over, so those that are left are copied, unless they are too many for that to pay.
   */
  record OfRanges(Device device, List<Range> ranges, RangeFilter filter) implements RowTest {
    static OfRanges of(Device device, List<SqlTypeSpec> types, List<Range> ranges) {
      List<RangeFilter.Range> ofColumns = new ArrayList<>();
      for (Range range : ranges) {
        ofColumns.add(
            new RangeFilter.Range(
                types.get(range.column()).element(), range.least(), range.greatest()));
      }
      return new OfRanges(device, ranges, new RangeFilter(device, ofColumns));
    }

    @Override
    public int passingShare() {
      return 8;
    }

    @Override
    public int copiedShare() {
      return 8;
    }

    @Override
    public int[] pass(List<Asked> all) {
      List<PassingRows.Rows> rows = new ArrayList<>();
      List<List<PassingRows.Column>> columns = new ArrayList<>();
      for (Asked each : all) {
        rows.add(new PassingRows.Rows(each.rows, each.live(), each.passing));
        columns.add(ranges.stream().map(range -> each.column(range.column())).toList());
      }
      return filter.pass(rows, columns);
    }
  }
}
