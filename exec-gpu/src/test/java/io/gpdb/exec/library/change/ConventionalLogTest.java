package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConventionalLogTest extends LogContract {
  private static final int PARTITIONS = 7;

  @Override
  UpdateLog create(Element element, int n) {
    int entries = Math.max(1, ConventionalLog.partitionEntriesFor(n, PARTITIONS));
    return log(PARTITIONS, entries, HclLayout.updateEntryWords(element));
  }

  private static ConventionalLog log(int partitions, int partitionEntries, int entryWords) {
    return new ConventionalLog(
        words(ConventionalLog.entriesWords(partitions, partitionEntries, entryWords)),
        words(ConventionalLog.controlWords(partitions)),
        partitions,
        partitionEntries,
        entryWords,
        PersistTarget.VOLATILE);
  }

  @Override
  List<int[]> entries(UpdateLog updateLog, Element element, int n) {
    ConventionalLog log = (ConventionalLog) updateLog;
    List<int[]> entries = new ArrayList<>();
    for (int p = 0; p < log.partitions(); p++) {
      for (int e = 0; e < log.tail(p); e++) {
        int[] entry = new int[log.entryWords()];
        for (int w = 0; w < entry.length; w++) {
          entry[w] = word(log.entries().onHost(), log.wordIndex(p, e, w));
        }
        entries.add(entry);
      }
    }
    return entries;
  }

  @Override
  void replay(
      Device device,
      UpdateLog updateLog,
      Element element,
      int n,
      HostBuffer values,
      HostBuffer validity) {
    ConventionalLog log = (ConventionalLog) updateLog;
    GridReplay replay = new GridReplay(device);
    for (int p = 0; p < log.partitions(); p++) {
      long base = log.wordIndex(p, 0, 0);
      replay.updateRowMajor(element, log.entries(), base, log.tail(p), values, validity);
    }
  }

  @Test
  void aFullPartitionIsAnErrorAndClearEmptiesIt() {
    ConventionalLog log = log(1, 10, HclLayout.DELETE_ENTRY_WORDS);
    GridApplyDelete apply = new GridApplyDelete(Cases.device(Mode.REFERENCE));
    HostBuffer rows = TestColumn.ints(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    HostBuffer live = words(1);
    assertThatThrownBy(() -> apply.redo(rows, 11, live, log))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
    assertThat(log.tail(0)).isEqualTo(10);
    log.clear();
    apply.redo(rows, 10, live, log);
    assertThat(log.tail(0)).isEqualTo(10);
  }
}
