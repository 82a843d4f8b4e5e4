package io.gpdb.txn;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.GroupedRows;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletRows;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.LongUnaryOperator;

/** Batches on the table of {@link SampleDatabase}: amounts grow by a delta, computed by kernels. */
public final class SampleBatches {
  private static final int TRAP = 7;

  private static final LaneInputs INPUTS = new LaneInputs();
  private static final LaneInputs.Column AMOUNT = INPUTS.column("amount", Element.I64);
  private static final LaneInputs.Column DELTA = INPUTS.column("delta", Element.I64);
  private static final LaneInputs.Column NOTE = INPUTS.column("note", Element.I32);
  private static final GridApplyBatch KERNEL =
      new GridApplyBatch(
          SampleDatabase.DEVICE,
          "sample batch",
          INPUTS,
          List.of(new LaneInputs.Stored(AMOUNT, SampleDatabase.AMOUNT)),
          List.of(
              new GridApplyBatch.Target(SampleDatabase.AMOUNT, Element.I64, SampleBatches::sum),
              new GridApplyBatch.Target(SampleDatabase.WEIGHT, Element.F64, SampleBatches::half),
              new GridApplyBatch.Target(
                  SampleDatabase.NOTE, Element.I32, lane -> lane.column(NOTE))));

  private SampleBatches() {}

  private static LaneValue sum(Lane lane) {
    LaneValue amount = lane.column(AMOUNT);
    Reg sum = lane.builder().add(amount.value(), lane.column(DELTA).value());
    return new LaneValue(sum, amount.present());
  }

  private static LaneValue half(Lane lane) {
    KernelBuilder b = lane.builder();
    LaneValue sum = sum(lane);
    return new LaneValue(b.mul(b.convert(sum.value(), Type.F64), b.f64(0.5)), sum.present());
  }

  /** Rows in the order of their ids. */
  private static long[] rows(Transaction tx, Integer[] ids) {
    TableReader reader = tx.reader(SampleDatabase.table(tx));
    long[] rows = new long[ids.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = reader.findByKey(0, new long[] {ids[i]});
    }
    return rows;
  }

  private static GroupedRows grouped(Transaction tx, long[] rows, BufferAllocator memory) {
    int[] positions = new int[rows.length];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = positions.length - 1 - i;
    }
    int tablets = tx.reader(SampleDatabase.table(tx)).tabletCount();
    return GroupedRows.of(rows, positions, rows.length, tablets, memory);
  }

  /** Adds the delta to every amount whose id passes. */
  public static void update(Transaction tx, IntPredicate chosen, long delta) {
    Map<Integer, Long> contents = SampleDatabase.contents(tx);
    Integer[] ids = contents.keySet().stream().filter(chosen::test).toArray(Integer[]::new);
    int table = SampleDatabase.table(tx);
    CodedStrings notes = tx.reader(table).strings(SampleDatabase.NOTE);
    try (Scratch memory = new Scratch()) {
      HostBuffer deltas = memory.pin(8L * ids.length);
      HostBuffer codes = memory.pin(4L * ids.length);
      for (int i = 0; i < ids.length; i++) {
        long old = contents.get(ids[i]);
        long amount = old == SampleDatabase.NULL ? old : old + delta;
        byte[] note = SampleDatabase.noteText(amount).getBytes(UTF_8);
        deltas.setLong(i, delta);
        codes.setInt(i, notes.intern(note, 0, note.length));
      }
      LaneBindings bindings =
          new LaneBindings(INPUTS).column(DELTA, deltas, null).column(NOTE, codes, null);
      tx.writer(table).update(grouped(tx, rows(tx, ids), memory), KERNEL, bindings);
    }
  }

  /** Stores these amounts in the rows with ids from {@code first} on, whose rows are neighbours. */
  static void give(Transaction tx, int first, int n, LongUnaryOperator amount) {
    int[] columns = {SampleDatabase.AMOUNT, SampleDatabase.WEIGHT, SampleDatabase.NOTE};
    long firstRow = rows(tx, new Integer[] {first})[0];
    try (Arena arena = Arena.ofShared();
        Scratch memory = new Scratch()) {
      List<TabletRows> parts = new ArrayList<>();
      for (int done = 0; done < n; done += parts.getLast().n()) {
        int from = (int) ((firstRow + done) % Tablet.ROWS);
        int count = Math.min(n - done, Tablet.ROWS - from);
        HostBuffer rows = memory.pin(4L * count);
        for (int i = 0; i < count; i++) {
          rows.setInt(i, from + i);
        }
        ColumnView[] all = SampleDatabase.rows(tx, arena, first + done, count, amount);
        int tablet = (int) ((firstRow + done) / Tablet.ROWS);
        parts.add(
            new TabletRows(
                tablet, rows, count, List.of(all[columns[0]], all[columns[1]], all[columns[2]])));
      }
      tx.writer(SampleDatabase.table(tx)).update(parts, columns);
    }
  }

  /** Doubles the amounts of these rows, and traps at the one whose amount is {@code last}. */
  static void doubleUntil(Transaction tx, Integer[] ids, long last) {
    GridApplyBatch kernel =
        new GridApplyBatch(
            SampleDatabase.DEVICE,
            "trapping batch",
            INPUTS,
            List.of(new LaneInputs.Stored(AMOUNT, SampleDatabase.AMOUNT)),
            List.of(
                new GridApplyBatch.Target(
                    SampleDatabase.AMOUNT,
                    Element.I64,
                    lane -> {
                      LaneValue amount = lane.column(AMOUNT);
                      KernelBuilder b = lane.builder();
                      lane.trap(b.eq(amount.value(), b.i64(last)), TRAP);
                      return new LaneValue(b.mul(amount.value(), b.i64(2)), amount.present());
                    })));
    try (Scratch memory = new Scratch()) {
      GroupedRows rows = grouped(tx, rows(tx, ids), memory);
      tx.writer(SampleDatabase.table(tx)).update(rows, kernel, new LaneBindings(INPUTS));
    }
  }

  static void delete(Transaction tx, IntPredicate chosen) {
    Integer[] ids =
        SampleDatabase.contents(tx).keySet().stream().filter(chosen::test).toArray(Integer[]::new);
    try (Scratch memory = new Scratch()) {
      tx.writer(SampleDatabase.table(tx)).delete(grouped(tx, rows(tx, ids), memory));
    }
  }

  /** The tablet of a row, for tests that hold a latch. */
  static Tablet tablet(Transaction tx, int number) {
    return ((SnapshotReader) tx.reader(SampleDatabase.table(tx))).table().store().tablet(number);
  }
}
