package io.gpdb.planner.batch;

import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches of which none has many more rows than whoever works on them has memory for: larger ones
 * come in slices. Batches that hold something of a table come as they are, as they are to be closed
 * before anybody else goes on; none of them has more rows than a tablet.
 */
public final class CutBatches extends ForwardingBatches {
  /** A slice begins at a word of the bitmaps. */
  private static final int WORD_ROWS = 64;

  /** Fewer rows are not worth a slice. */
  static final int ROWS_MIN = 1 << 10;

  private final List<SqlTypeSpec> types;
  private final LongSupplier rowsMax;

  /** The batch whose slices come; null where there is none. */
  private @Nullable Batch whole;

  private int next;

  /**
   * @param batches closed with this
   * @param types of all fields
   * @param rowsMax how many rows there is memory for now
   */
  public CutBatches(Batches batches, List<SqlTypeSpec> types, LongSupplier rowsMax) {
    super(batches);
    this.types = types;
    this.rowsMax = rowsMax;
  }

  @Override
  public @Nullable Batch next() {
    Batch cut = whole;
    if (cut != null && next < cut.rows()) {
      return slice(cut);
    }
    end();
    Batch batch = batches.next();
    if (batch == null || fits(batch)) {
      return batch;
    }
    whole = batch;
    next = 0;
    return slice(batch);
  }

  @Override
  public @Nullable Batch nextTogether() {
    if (whole != null) {
      return null;
    }
    Batch batch = batches.nextTogether();
    if (batch == null || fits(batch)) {
      return batch;
    }
    whole = batch;
    next = 0;
    return null;
  }

  private boolean fits(Batch batch) {
    return !batch.ownsColumns() || batch.rows() <= Math.max(ROWS_MIN, rowsMax.getAsLong());
  }

  private Batch slice(Batch cut) {
    long most = Math.max(ROWS_MIN, rowsMax.getAsLong() / WORD_ROWS * WORD_ROWS);
    int from = next;
    int rows = (int) Math.min(most, cut.rows() - from);
    next = from + rows;
    return new Slice(cut, from, rows);
  }

  private void end() {
    Batch cut = whole;
    whole = null;
    if (cut != null) {
      cut.close();
    }
  }

  @Override
  public void close() {
    end();
    super.close();
  }

  /** Some rows of a batch one after the other, which is closed later. */
  private final class Slice extends Batch {
    private final Batch of;
    private final int from;
    private final int rows;
    private final @Nullable DeviceBuffer[] values = new DeviceBuffer[types.size()];
    private final @Nullable DeviceBuffer[] validity = new DeviceBuffer[types.size()];
    private @Nullable DeviceBuffer live;

    Slice(Batch of, int from, int rows) {
      this.of = of;
      this.from = from;
      this.rows = rows;
    }

    @Override
    public int rows() {
      return rows;
    }

    @Override
    public @Nullable DeviceBuffer live() {
      DeviceBuffer all = of.live();
      if (live == null && all != null) {
        live = bits(all);
      }
      return live;
    }

    @Override
    public long rowBase() {
      return of.rowBase() + from;
    }

    @Override
    public long rowNumber(int row) {
      return of.rowNumber(from + row);
    }

    @Override
    public DeviceBuffer values(int field) {
      DeviceBuffer known = values[field];
      if (known == null) {
        int width = types.get(field).element().bytes();
        known = of.values(field).slice((long) from * width, (long) rows * width);
        values[field] = known;
      }
      return known;
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      DeviceBuffer all = of.validity(field);
      if (validity[field] == null && all != null) {
        validity[field] = bits(all);
      }
      return validity[field];
    }

    private DeviceBuffer bits(DeviceBuffer all) {
      return all.slice(from / Byte.SIZE, DenseColumn.bitmapBytes(rows));
    }

    @Override
    public StringDomain strings(int field) {
      return of.strings(field);
    }

    @Override
    public void close() {}
  }
}
