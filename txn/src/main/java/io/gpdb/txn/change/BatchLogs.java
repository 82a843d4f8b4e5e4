package io.gpdb.txn.change;

import io.gpdb.exec.library.change.BatchRows;
import io.gpdb.exec.library.change.ConventionalLog;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.storage.memory.BumpMemory;
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
  private final List<Packed> packed = new ArrayList<>();

  /** Entries to be copied to a section. */
  private record Packed(ConventionalLog log, MemorySegment region) {}

  BatchLogs(TransactionWrites writes, UpdateChange change, LogKind kind) {
    this.writes = writes;
    this.change = change;
    this.kind = kind;
    this.scratch = new BumpMemory(writes.memory());
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
    ConventionalLog log = ColumnStores.conventional(part.n(), words, scratch, writes.device());
    packed.add(new Packed(log, region));
    return log;
  }

  /** After the launch. */
  void finish() {
    packed.forEach(p -> ColumnStores.pack(p.log(), p.region()));
  }

  @Override
  public void close() {
    scratch.free();
  }
}
