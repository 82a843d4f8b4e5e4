package io.gpdb.txn.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.exec.library.change.ConventionalLog;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.log.ChangeSection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The log sections of a batch: one for each part and column. A kernel appends to a section as it is
 * laid out for warps, or to a conventional log whose entries {@link #finish} copies.
 */
final class BatchLogs implements AutoCloseable {
  private final TransactionWrites writes;
  private final UpdateChange change;
  private final LogKind kind;
  private final BumpMemory scratch;
  private final LogControls controls;
  private final List<Packed> packed = new ArrayList<>();

  /** Entries to be copied to a section. */
  private record Packed(ConventionalLog log, MemorySegment region) {}

  BatchLogs(TransactionWrites writes, UpdateChange change, LogKind kind) {
    this.writes = writes;
    this.change = change;
    this.kind = kind;
    this.scratch = new BumpMemory(writes.memory());
    int logs = kind == LogKind.HCL ? 0 : change.parts().size() * change.columns().length;
    this.controls = new LogControls(writes.memory(), logs);
  }

  void give(List<BatchRows> groups) {
    for (int p = 0; p < groups.size(); p++) {
      for (int c = 0; c < change.columns().length; c++) {
        groups.get(p).log(c, of(change.parts().get(p), c));
      }
    }
  }

  /** The section of one part and column, begun. */
  UpdateLog of(UpdateChange.Part part, int c) {
    int column = change.columns()[c];
    int words = ColumnStores.entryWords(change.table().type(column));
    MemorySegment region =
        ChangeSection.Update.begin(
            writes,
            change.table().tableId(),
            part.tablet().number(),
            column,
            part.n(),
            words,
            kind == LogKind.CONVENTIONAL,
            part.isNullable(c));
    if (kind == LogKind.HCL) {
      ColumnStores.clearLastGroup(region, part.n(), words);
      return new UpdateLog.Hcl(writes.device().map(region), 0);
    }
    ConventionalLog log = conventional(part.n(), words);
    packed.add(new Packed(log, region));
    return log;
  }

  /** An empty log for n entries. */
  private ConventionalLog conventional(int n, int words) {
    int partitions = LogControls.PARTITIONS;
    int capacity = ConventionalLog.partitionEntriesFor(n, partitions);
    long bytes = ConventionalLog.entriesWords(partitions, capacity, words) * HclLayout.WORD_BYTES;
    return new ConventionalLog(
        scratch.buffer(bytes, HclLayout.WORD_BYTES),
        controls.next(),
        partitions,
        capacity,
        words,
        PersistTarget.VOLATILE);
  }

  /** After the launch. */
  void finish() {
    if (!packed.isEmpty()) {
      HostBuffer tails = controls.onHost();
      for (int i = 0; i < packed.size(); i++) {
        pack(packed.get(i), tails, i);
      }
    }
  }

  /** The entries of all partitions, one after the other. */
  private static void pack(Packed from, HostBuffer tails, int number) {
    ConventionalLog log = from.log;
    MemorySegment entries = log.entries().onHost().segment();
    MemorySegment target = from.region;
    long at = 0;
    for (int p = 0; p < log.partitions(); p++) {
      int tail = tails.intAt(LogControls.tailWord(number, p));
      long bytes = (long) tail * log.entryWords() * HclLayout.WORD_BYTES;
      long begin = log.wordIndex(p, 0, 0) * HclLayout.WORD_BYTES;
      MemorySegment.copy(entries, begin, target, at, bytes);
      at += bytes;
    }
    assert at == target.byteSize() : "packed " + at + " of " + target.byteSize();
  }

  @Override
  public void close() {
    controls.close();
    scratch.free();
  }
}
