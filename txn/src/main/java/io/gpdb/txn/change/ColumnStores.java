package io.gpdb.txn.change;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.exec.Device;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.exec.library.change.ColumnUpdate;
import io.gpdb.exec.library.change.GridApplyDelete;
import io.gpdb.exec.library.change.GridApplyUpdate;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.exec.library.change.HostUpdate;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.version.TabletVersions;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes the working image by rows: by kernels, or on the host where a launch would cost more than
 * it does. Callers hold the tablet's exclusive latch.
 */
public final class ColumnStores {
  /** Fewer rows than this are changed on the host. */
  public static final int KERNEL_ROWS_MIN = 32;

  private final GridApplyUpdate update;
  private final GridApplyDelete delete;
  private final GridInsert insert;
  private final SuppliedValues given;
  private final MemoryAccount memory;
  private final DeviceMemory device;
  private final LogKind logKind;

  public ColumnStores(Device device, MemoryAccount memory, LogKind logKind) {
    this.update = new GridApplyUpdate(device);
    this.delete = new GridApplyDelete(device);
    this.insert = new GridInsert(device);
    this.given = new SuppliedValues(device);
    this.memory = memory;
    this.device = device.memory();
    this.logKind = logKind;
  }

  public SuppliedValues suppliedValues() {
    return given;
  }

  public LogKind logKind() {
    return logKind;
  }

  /** Of that number of logs, if they are conventional. */
  public LogControls logControls(TransactionWrites writes, int logs) {
    return new LogControls(writes.memory(), logKind == LogKind.HCL ? 0 : logs);
  }

  MemoryAccount memory() {
    return memory;
  }

  public static int entryWords(ElementType type) {
    return HclLayout.updateEntryWords(LaneInputs.element(type));
  }

  /** Carries the change out in the working image, logged or not; of new rows nothing is logged. */
  public void apply(TransactionWrites writes, TableChange change, boolean logged) {
    switch (change) {
      case InsertChange insert -> insert(insert, Homes.NOWHERE);
      case UpdateChange update -> update(writes, update, logged);
      case DeleteChange delete -> delete(writes, delete, logged);
    }
  }

  /** Stores new rows; in chunks that have a home, durably. */
  public void insert(InsertChange change, Homes homes) {
    if (change.rows() >= KERNEL_ROWS_MIN) {
      insertByKernel(change, homes);
      return;
    }
    for (InsertChange.Part part : change.parts()) {
      NewRows.store(change, part, homes);
      part.begin();
      part.tablet()
          .writableLive()
          .edit(live -> Bitmaps.setRange(live, part.from(), part.n(), true));
    }
  }

  /** All columns of all tablets by one launch, which makes them durable, too. */
  private void insertByKernel(InsertChange change, Homes homes) {
    GridInsert.Rows rows = new GridInsert.Rows();
    for (InsertChange.Part part : change.parts()) {
      NewRows.bind(change, part, homes, rows);
    }
    for (InsertChange.Part part : change.parts()) {
      part.begin();
      DeviceBuffer live = part.tablet().writableLive();
      rows.bits(null, 0, live, part.from(), part.n(), PersistTarget.VOLATILE);
    }
    insert.run(rows);
  }

  /** Captures, computes, logs where {@code logged}, and stores, all parts together. */
  public void update(TransactionWrites writes, UpdateChange change, boolean logged) {
    if (change.isSupplied()) {
      updateSupplied(writes, change, 0, change.columns().length, logged);
      return;
    }
    List<BatchRows> groups = change.operands(writes, Homes.NOWHERE);
    try (BatchLogs logs = new BatchLogs(writes, change, logKind)) {
      if (logged) {
        logs.give(groups);
      }
      change.kernel().redo(change.bindings(), groups);
      change.captured();
      logs.finish();
    } catch (KernelTrap trap) {
      change.captured();
      throw trap;
    }
  }

  /** The c-th column alone, after all before it; its values are there. */
  public void updateColumn(TransactionWrites writes, UpdateChange change, int c) {
    updateSupplied(writes, change, c, c + 1, true);
  }

  /** By loops of the host, or one launch for each variant of the kernel that columns need. */
  private void updateSupplied(
      TransactionWrites writes, UpdateChange change, int from, int to, boolean logged) {
    if (change.rows() < KERNEL_ROWS_MIN) {
      for (UpdateChange.Part part : change.parts()) {
        for (int c = from; c < to; c++) {
          updateOnHost(writes, change.column(writes, part, c), logged && isLogged(part, c));
          part.done(c);
        }
      }
      return;
    }
    try (BatchLogs logs = new BatchLogs(writes, change, logKind)) {
      List<ColumnUpdate> updates = new ArrayList<>(change.parts().size() * (to - from));
      for (UpdateChange.Part part : change.parts()) {
        for (int c = from; c < to; c++) {
          ColumnUpdate operands = operands(change.column(writes, part, c));
          updates.add(logged && isLogged(part, c) ? operands.log(logs.of(part, c)) : operands);
        }
      }
      if (!device.isHosts() || !HostUpdate.redo(updates)) {
        update.redo(updates);
      }
      change.captured(to - 1);
      logs.finish();
    }
  }

  private static boolean isLogged(UpdateChange.Part part, int c) {
    return part.protocol(c) == Protocol.REDO;
  }

  private static DeviceBuffer values(ColumnChange change) {
    assert change.tablet().latch().isHeldExclusivelyByThisThread() : "R3: update without the latch";
    return change.tablet().writableValues(change.column());
  }

  private static @Nullable DeviceBuffer validity(ColumnChange change) {
    return change.oldValidity() == null ? null : change.tablet().writableValidity(change.column());
  }

  private static void updateOnHost(TransactionWrites writes, ColumnChange change, boolean logged) {
    DeviceBuffer values = values(change);
    DeviceBuffer validity = validity(change);
    MemorySegment region = logged ? rowMajorRegion(writes, change) : null;
    if (values instanceof HostBuffer host && (validity == null || validity instanceof HostBuffer)) {
      updateOnHost(change, host.segment(), segmentOf((HostBuffer) validity), region);
    } else {
      updateCells(change, values, validity, region);
    }
  }

  private HostBuffer mapped(MemorySegment segment) {
    return device.map(segment);
  }

  private static ColumnUpdate operands(ColumnChange change) {
    return new ColumnUpdate(LaneInputs.element(change.type()), change.rows(), change.n())
        .newValues(change.newValues(), change.newValidity())
        .column(values(change), validity(change))
        .captureInto(change.oldValues(), change.oldValidity());
  }

  private static MemorySegment rowMajorRegion(TransactionWrites writes, ColumnChange change) {
    return ChangeSection.Update.begin(
        writes,
        change.table().tableId(),
        change.tablet().number(),
        change.column(),
        change.n(),
        entryWords(change.type()),
        true,
        change.oldValidity() != null);
  }

  /** Zeroes the group that n entries may leave partly unused. */
  public static void clearLastGroup(MemorySegment region, int n, int entryWords) {
    if (n % HclLayout.GROUP_ENTRIES != 0) {
      long from = HclLayout.regionBytes(n - n % HclLayout.GROUP_ENTRIES, entryWords);
      region.asSlice(from).fill((byte) 0);
    }
  }

  private static @Nullable MemorySegment segmentOf(@Nullable HostBuffer buffer) {
    return buffer == null ? null : buffer.segment();
  }

  private static void updateOnHost(
      ColumnChange change,
      MemorySegment values,
      @Nullable MemorySegment validity,
      @Nullable MemorySegment region) {
    ElementType type = change.type();
    int words = entryWords(type);
    HostBuffer newValues = change.newValues().onHost();
    DeviceBuffer validityBits = change.newValidity();
    HostBuffer newValidity = validityBits == null ? null : validityBits.onHost();
    HostBuffer oldValidity = change.oldValidity();
    for (int i = 0; i < change.n(); i++) {
      int row = change.rows().intAt(i);
      long raw = type.rawAt(newValues, i);
      boolean present = newValidity == null || Bitmaps.test(newValidity, i);
      type.setRawAt(change.oldValues(), i, type.rawAt(values, row));
      type.setRawAt(values, row, raw);
      if (validity != null && oldValidity != null) {
        Bitmaps.set(oldValidity, i, Bitmaps.test(validity, row));
        Bitmaps.set(validity, row, present);
      }
      if (region != null) {
        putEntry(region, (long) i * words, words, row, raw, present);
      }
    }
  }

  /** As {@link #updateOnHost}, where the column is in a device's memory: no other value moves. */
  private static void updateCells(
      ColumnChange change,
      DeviceBuffer values,
      @Nullable DeviceBuffer validity,
      @Nullable MemorySegment region) {
    ElementType type = change.type();
    int words = entryWords(type);
    HostBuffer newValues = change.newValues().onHost();
    HostBuffer newValidity = DeviceBuffer.onHostOrNull(change.newValidity());
    HostBuffer oldValidity = change.oldValidity();
    Cells cells = new Cells();
    int[] valueCells = new int[change.n()];
    int[] bitCells = new int[change.n()];
    for (int i = 0; i < change.n(); i++) {
      int row = change.rows().intAt(i);
      valueCells[i] = type.cell(cells, values, row);
      bitCells[i] = validity == null ? -1 : Bitmaps.cell(cells, validity, row);
    }
    cells.fetch(values.memory());
    for (int i = 0; i < change.n(); i++) {
      int row = change.rows().intAt(i);
      long raw = type.rawAt(newValues, i);
      boolean present = newValidity == null || Bitmaps.test(newValidity, i);
      type.setRawAt(change.oldValues(), i, cells.word(valueCells[i]));
      cells.set(valueCells[i], raw);
      if (validity != null && oldValidity != null) {
        long bits = cells.word(bitCells[i]);
        Bitmaps.set(oldValidity, i, Bitmaps.test(bits, row));
        cells.set(bitCells[i], Bitmaps.with(bits, row, present));
      }
      if (region != null) {
        putEntry(region, (long) i * words, words, row, raw, present);
      }
    }
    cells.store(values.memory());
  }

  private static void putEntry(
      MemorySegment region, long word, int words, int row, long raw, boolean present) {
    region.setAtIndex(JAVA_INT, word, present ? row : row | HclLayout.NULL_FLAG);
    region.setAtIndex(JAVA_INT, word + 1, (int) raw);
    if (words == 3) {
      region.setAtIndex(JAVA_INT, word + 2, (int) (raw >>> 32));
    }
  }

  /** Makes the rows not live, and logs them where {@code logged}. */
  private void delete(TransactionWrites writes, DeleteChange change, boolean logged) {
    boolean onHost = change.rows() < KERNEL_ROWS_MIN;
    List<GridApplyDelete.Group> groups = new ArrayList<>(change.parts().size());
    for (DeleteChange.Part part : change.parts()) {
      assert part.tablet().latch().isHeldExclusivelyByThisThread() : "R3: delete without the latch";
      DeviceBuffer live = part.tablet().writableLive();
      MemorySegment region =
          logged
              ? ChangeSection.Delete.begin(
                  writes, change.table().tableId(), part.tablet().number(), part.n(), onHost)
              : null;
      if (onHost) {
        deleteOnHost(part, live, region);
      } else {
        groups.add(
            new GridApplyDelete.Group(part.rows(), part.n(), live, deleteLog(region, part.n())));
      }
    }
    if (!onHost) {
      change.parts().forEach(DeleteChange.Part::begin);
      delete.redo(groups);
    }
  }

  private static void deleteOnHost(
      DeleteChange.Part part, DeviceBuffer live, @Nullable MemorySegment region) {
    part.begin();
    if (live instanceof HostBuffer bits) {
      for (int i = 0; i < part.n(); i++) {
        Bitmaps.set(bits, part.rows().intAt(i), false);
      }
    } else {
      clearCells(part, live);
    }
    if (region != null) {
      MemorySegment.copy(part.rows().segment(), 0, region, 0, region.byteSize());
    }
  }

  private static void clearCells(DeleteChange.Part part, DeviceBuffer live) {
    Cells cells = new Cells();
    int[] words = new int[part.n()];
    for (int i = 0; i < part.n(); i++) {
      words[i] = Bitmaps.cell(cells, live, part.rows().intAt(i));
    }
    cells.fetch(live.memory());
    for (int i = 0; i < part.n(); i++) {
      int row = part.rows().intAt(i);
      cells.set(words[i], Bitmaps.with(cells.word(words[i]), row, false));
    }
    cells.store(live.memory());
  }

  private @Nullable UpdateLog deleteLog(@Nullable MemorySegment region, int n) {
    if (region == null) {
      return null;
    }
    clearLastGroup(region, n, HclLayout.DELETE_ENTRY_WORDS);
    return new UpdateLog.Hcl(mapped(region), 0);
  }

  /** Puts the old values of an update back. */
  public void restore(UndoVersion version, Tablet tablet) {
    assert tablet.latch().isHeldExclusivelyByThisThread() : "R3: roll-back without the latch";
    for (int i = 0; i < version.columnCount(); i++) {
      int column = version.column(i);
      DeviceBuffer values = tablet.writableValues(column);
      ElementType type = version.table().type(column);
      int at = i;
      values.edit(v -> type.scatter(version.oldValues(at), version.rows(), version.n(), v));
      if (tablet.validity(column) != null) {
        tablet.writableValidity(column).edit(bits -> TabletVersions.putValidity(version, at, bits));
      }
    }
  }
}
