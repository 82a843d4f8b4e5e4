package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.ConventionalLog;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.LogControls;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.MemoryRange;
import io.gpdb.txn.version.TableVersions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A record that is to be appended to the undo log: the old values of n rows of one column in one
 * tablet, whose chunks are in place already. The log assigns its place, a kernel fills its region.
 */
final class UndoDraft {
  private static final int PARTITIONS = LogControls.PARTITIONS;

  private final Tablet tablet;
  private final int column;
  private final int n;
  private final int entryWords;
  private final MemorySegment header;
  private final LogKind kind;
  private final LogControls controls;
  private final DeviceMemory memory;

  /**
   * @param nullable whether the column has a validity bitmap
   * @param controls of conventional logs, of which the record takes one
   * @param headers memory for the header while it is filled
   */
  UndoDraft(
      TransactionWrites writes,
      TableVersions table,
      Tablet tablet,
      int column,
      int n,
      boolean nullable,
      LogKind kind,
      LogControls controls,
      SegmentAllocator headers) {
    this.tablet = tablet;
    this.column = column;
    this.n = n;
    this.entryWords = ColumnStores.entryWords(table.type(column));
    this.header = headers.allocate(UndoLayout.HEADER_BYTES, 8);
    this.kind = kind;
    this.controls = controls;
    this.memory = writes.device();
    header.set(JAVA_LONG, UndoLayout.TRANSACTION_AT, writes.stamp().transactionId());
    header.set(JAVA_INT, UndoLayout.TABLE_AT, table.tableId());
    header.set(JAVA_INT, UndoLayout.TABLET_AT, tablet.number());
    header.set(JAVA_INT, UndoLayout.COLUMN_AT, column);
    int element = FormatCodes.of(LaneInputs.element(table.type(column)));
    header.set(JAVA_INT, UndoLayout.ELEMENT_AT, element);
    header.set(JAVA_INT, UndoLayout.N_AT, n);
    header.set(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT, tablet.homeOffset(ChunkKind.VALUES, column));
    header.set(
        JAVA_LONG,
        UndoLayout.VALIDITY_OFFSET_AT,
        nullable ? tablet.homeOffset(ChunkKind.VALIDITY, column) : UndoLayout.NO_VALIDITY);
    if (kind == LogKind.CONVENTIONAL) {
      header.set(JAVA_INT, UndoLayout.FLAGS_AT, UndoLayout.FLAG_CONVENTIONAL);
      header.set(JAVA_INT, UndoLayout.PARTITIONS_AT, PARTITIONS);
      header.set(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT, partitionEntries());
    }
  }

  Tablet tablet() {
    return tablet;
  }

  int column() {
    return column;
  }

  MemorySegment header() {
    return header;
  }

  private int partitionEntries() {
    return ConventionalLog.partitionEntriesFor(n, PARTITIONS);
  }

  long regionBytes() {
    return switch (kind) {
      case HCL -> HclLayout.regionBytes(n, entryWords);
      case CONVENTIONAL -> UndoLog.conventionalBytes(PARTITIONS, partitionEntries(), entryWords);
    };
  }

  /** Where a kernel appends the entries, once the record has its place. */
  UpdateLog log(MemorySegment region, MemoryRange target) {
    if (kind == LogKind.HCL) {
      clearLastGroup(region, target);
      return new UpdateLog.Hcl(memory.map(region), 0, target);
    }
    return new ConventionalLog(
        memory.map(region), controls.next(), PARTITIONS, partitionEntries(), entryWords, target);
  }

  /**
   * Zeroes what n entries leave unused of the last group. The kernel's persist takes in the lines
   * that its lanes stored to and no others, so these are flushed here: the region's checksum is
   * over all of it (U1).
   */
  private void clearLastGroup(MemorySegment region, MemoryRange target) {
    ColumnStores.clearLastGroup(region, n, entryWords);
    long from = HclLayout.regionBytes(n - n % HclLayout.GROUP_ENTRIES, entryWords);
    if (from < region.byteSize()) {
      target.flush(from, region.byteSize() - from);
    }
  }
}
