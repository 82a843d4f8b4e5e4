package io.gpdb.planner.run.table;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.IndexBatch;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Rows of one batch, each as often as it is named, next to rows that an index led to. */
final class PairBatch extends Batch {
  private final int outerFields;
  private final @Nullable HostBuffer[] values;
  private final @Nullable HostBuffer[] validity;
  private final @Nullable StringDomain[] strings;
  private final IndexBatch inner;
  private final BatchMemory memory = new BatchMemory();
  private final int count;

  /**
   * @param rows of the outer batch; the first {@code count} are taken
   */
  PairBatch(
      Batch outerBatch, Source outer, BitSet needed, int[] rows, int count, IndexBatch inner) {
    this.inner = inner;
    this.count = count;
    outerFields = outer.columns().size();
    values = new @Nullable HostBuffer[outerFields];
    validity = new @Nullable HostBuffer[outerFields];
    strings = new @Nullable StringDomain[outerFields];
    for (int f = needed.nextSetBit(0); f >= 0 && f < outerFields; f = needed.nextSetBit(f + 1)) {
      SqlTypeSpec type = outer.columns().get(f).type();
      HostBuffer from = outerBatch.hostValues(f);
      HostBuffer to = memory.pin((long) count * type.element().bytes());
      boolean nullable = outerBatch.validity(f) != null;
      HostBuffer valid = nullable ? memory.bitmap(count) : null;
      for (int i = 0; i < count; i++) {
        type.element().setRawAt(to, i, type.element().rawAt(from, rows[i]));
        if (valid != null) {
          Bitmaps.set(valid, i, !outerBatch.isNull(f, rows[i]));
        }
      }
      values[f] = to;
      validity[f] = valid;
      strings[f] = type.kind().isString() ? outerBatch.strings(f) : null;
    }
  }

  @Override
  public int rows() {
    return count;
  }

  @Override
  public DeviceBuffer values(int field) {
    if (field >= outerFields) {
      return inner.values(field - outerFields);
    }
    return known(values[field], field);
  }

  @Override
  public @Nullable DeviceBuffer validity(int field) {
    return field >= outerFields ? inner.validity(field - outerFields) : validity[field];
  }

  @Override
  public StringDomain strings(int field) {
    if (field >= outerFields) {
      return inner.strings(field - outerFields);
    }
    return known(strings[field], field);
  }

  @Override
  public void close() {
    inner.close();
    memory.close();
  }
}
