package io.gpdb.planner.run.sort;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.run.FewRows;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.jspecify.annotations.Nullable;

/**
 * Few rows sorted on the host, equal ones in the order in which they came: what {@link SortSource}
 * does by a kernel for many. Floats are left to that. Immutable.
 */
final class HostSort {
  private final List<SqlTypeSpec> types;
  private final List<RelFieldCollation> keys;

  private HostSort(List<SqlTypeSpec> types, List<RelFieldCollation> keys) {
    this.types = types;
    this.keys = List.copyOf(keys);
  }

  /** For these keys, or null where one is a float. */
  static @Nullable HostSort of(List<SqlTypeSpec> types, List<RelFieldCollation> keys) {
    for (RelFieldCollation key : keys) {
      SqlTypeSpec.Kind kind = types.get(key.getFieldIndex()).kind();
      if (kind == SqlTypeSpec.Kind.REAL || kind == SqlTypeSpec.Kind.DOUBLE) {
        return null;
      }
    }
    return new HostSort(types, keys);
  }

  /** A row by its place, with the values it is sorted by. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(Batch batch, int number, @Nullable Object[] values) {}

  /** The numbers of the batch's rows in order. */
  int[] order(Batch batch) {
    List<Row> rows = new ArrayList<>();
    for (int r = 0; r < batch.rows(); r++) {
      rows.add(new Row(batch, r, values(batch, r)));
    }
    rows.sort(this::compare);
    return rows.stream().mapToInt(Row::number).toArray();
  }

  Batches run(FewRows input, BitSet needed, long offset, long fetch) {
    List<Row> rows = new ArrayList<>();
    for (Batch batch : input.all()) {
      for (int r = 0; r < batch.rows(); r++) {
        rows.add(new Row(batch, r, values(batch, r)));
      }
    }
    rows.sort(this::compare);
    int from = (int) Math.min(offset, rows.size());
    int count = (int) Math.min(fetch, rows.size() - from);
    return Batches.of(count == 0 ? null : picked(rows.subList(from, from + count), needed));
  }

  private @Nullable Object[] values(Batch batch, int row) {
    @Nullable Object[] values = new @Nullable Object[keys.size()];
    for (int k = 0; k < values.length; k++) {
      int field = keys.get(k).getFieldIndex();
      values[k] = Bytes.encoded(batch, field, types.get(field), row);
    }
    return values;
  }

  private int compare(Row a, Row b) {
    for (int k = 0; k < keys.size(); k++) {
      Object x = a.values[k];
      Object y = b.values[k];
      int order;
      if (x == null || y == null) {
        int nullOrder = RowOrder.nullsFirst(keys.get(k)) ? -1 : 1;
        order = x == null ? (y == null ? 0 : nullOrder) : -nullOrder;
      } else {
        int ascending =
            x instanceof Bytes text
                ? Arrays.compareUnsigned(text.bytes(), ((Bytes) y).bytes())
                : Long.compare((Long) x, (Long) y);
        order = keys.get(k).getDirection().isDescending() ? -ascending : ascending;
      }
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private Batch picked(List<Row> rows, BitSet needed) {
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch result = new DenseBatch(rows.size(), types.size(), memory);
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        column(result, i, rows, memory);
      }
      return result;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private void column(DenseBatch result, int field, List<Row> rows, BatchMemory memory) {
    SqlTypeSpec type = types.get(field);
    HostBuffer values = memory.pin((long) rows.size() * type.element().bytes());
    HostBuffer validity = memory.bitmap(rows.size());
    boolean hasNulls = false;
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      boolean isNull = row.batch.isNull(field, row.number);
      hasNulls |= isNull;
      long raw = isNull ? 0 : type.element().rawAt(row.batch.hostValues(field), row.number);
      type.element().setRawAt(values, i, raw);
      Bitmaps.set(validity, i, !isNull);
    }
    result.set(field, values, hasNulls ? validity : null);
    if (type.kind().isString()) {
      result.strings(field, rows.getLast().batch.strings(field));
    }
  }
}
