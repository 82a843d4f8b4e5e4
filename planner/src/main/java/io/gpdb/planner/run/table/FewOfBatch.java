package io.gpdb.planner.run.table;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Copies of a few rows of a stored table's batch, which may be closed. */
final class FewOfBatch extends Batch {
  private static final int WORD_ROWS = Integer.SIZE;

  private final long rowBase;
  private final int[] rows;
  private final @Nullable HostBuffer[] values;
  private final @Nullable HostBuffer[] validity;
  private final @Nullable StringDomain[] strings;
  private final BatchMemory memory = new BatchMemory();
  private long copiedBytes;

  /**
   * @param passing bitmap of the rows that are copied
   * @param count how many they are
   */
  FewOfBatch(Batch batch, BatchesAmong.Fields fields, HostBuffer passing, int count) {
    rowBase = batch.rowBase();
    int width = fields.types().size();
    values = new @Nullable HostBuffer[width];
    validity = new @Nullable HostBuffer[width];
    strings = new @Nullable StringDomain[width];
    try {
      rows = numbers(passing, batch.rows(), count);
      BitSet read = fields.read();
      for (int field = read.nextSetBit(0); field >= 0; field = read.nextSetBit(field + 1)) {
        ElementType element = fields.types().get(field).element();
        values[field] = copied(batch.hostValues(field), element);
        HostBuffer present = batch.hostValidity(field);
        validity[field] = present == null ? null : copiedBits(present);
        if (fields.types().get(field).kind().isString()) {
          strings[field] = batch.strings(field);
        }
      }
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private static int[] numbers(HostBuffer passing, int rowsOfBatch, int count) {
    int[] words = new int[Math.ceilDiv(rowsOfBatch, WORD_ROWS)];
    passing.read(0, words, 0, words.length);
    int[] numbers = new int[count];
    int n = 0;
    for (int i = 0; i < words.length; i++) {
      for (int left = words[i]; left != 0; left &= left - 1) {
        numbers[n++] = i * WORD_ROWS + Integer.numberOfTrailingZeros(left);
      }
    }
    return numbers;
  }

  private HostBuffer copied(HostBuffer from, ElementType element) {
    HostBuffer to = memory.pin((long) rows.length * element.bytes());
    copiedBytes += to.bytes();
    switch (element.bytes()) {
      case Long.BYTES -> {
        long[] some = new long[rows.length];
        take(from, rows, some);
        to.write(0, some, 0, some.length);
      }
      case Integer.BYTES -> {
        int[] some = new int[rows.length];
        take(from, rows, some);
        to.write(0, some, 0, some.length);
      }
      default -> {
        for (int i = 0; i < rows.length; i++) {
          element.setRawAt(to, i, element.rawAt(from, rows[i]));
        }
      }
    }
    return to;
  }

  private static void take(HostBuffer from, int[] rows, long[] to) {
    for (int i = 0; i < rows.length; i++) {
      to[i] = from.longAt(rows[i]);
    }
  }

  private static void take(HostBuffer from, int[] rows, int[] to) {
    for (int i = 0; i < rows.length; i++) {
      to[i] = from.intAt(rows[i]);
    }
  }

  private HostBuffer copiedBits(HostBuffer from) {
    HostBuffer to = memory.bitmap(rows.length);
    for (int i = 0; i < rows.length; i++) {
      if (Bitmaps.test(from, rows[i])) {
        Bitmaps.set(to, i, true);
      }
    }
    return to;
  }

  @Override
  public int rows() {
    return rows.length;
  }

  @Override
  public long rowNumber(int row) {
    return rowBase + rows[row];
  }

  @Override
  public long copiedBytes() {
    return copiedBytes;
  }

  @Override
  public DeviceBuffer values(int field) {
    return known(values[field], field);
  }

  @Override
  public @Nullable DeviceBuffer validity(int field) {
    return validity[field];
  }

  @Override
  public StringDomain strings(int field) {
    return known(strings[field], field);
  }

  @Override
  public void close() {
    memory.close();
  }
}
