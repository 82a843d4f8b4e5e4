package io.gpdb.txn;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows that a transaction sees of one table into another, whose columns are columns of
 * the first: with the strings they use and nothing else. Goes tablet by tablet; in addition to the
 * new table it takes the columns of one tablet and 4 bytes for each string of the old table.
 */
final class TableRewrite {
  private final TableReader source;
  private final TableStore sourceStore;
  private final Target target;
  private final TableStore targetStore;
  private final MemoryAccount memory;
  private final BumpMemory mappingMemory;
  private final int[] sourceColumns;
  private final int[] columns;
  private final @Nullable CodeMapping[] mappings;

  /** Takes the rows, a tablet's at a time, in the order of the columns. */
  @FunctionalInterface
  interface Target {
    long insert(ColumnView[] columns, int n);
  }

  /**
   * @param sourceColumns for each column of the target the one of the source that has its values
   */
  TableRewrite(
      TableReader source,
      TableStore sourceStore,
      int[] sourceColumns,
      Target target,
      TableStore targetStore,
      MemoryAccount memory) {
    this.source = source;
    this.sourceStore = sourceStore;
    this.sourceColumns = sourceColumns;
    this.target = target;
    this.targetStore = targetStore;
    this.memory = memory;
    this.mappingMemory = BumpMemory.unlimited(memory);
    this.columns = IntStream.range(0, targetStore.shape().columns().size()).toArray();
    this.mappings = new @Nullable CodeMapping[columns.length];
  }

  /** Copies everything; returns how many rows there are. */
  long run(Runnable beforeEachTablet) {
    try {
      for (int c : columns) {
        Dictionary from = sourceStore.dictionary(sourceColumns[c]);
        Dictionary to = targetStore.dictionary(c);
        if (from != null && to != null) {
          mappings[c] = new CodeMapping(from, to, mappingMemory);
        }
      }
      long rows = 0;
      for (int tablet = 0; tablet < source.tabletCount(); tablet++) {
        beforeEachTablet.run();
        rows += copy(tablet);
      }
      return rows;
    } finally {
      mappingMemory.free();
    }
  }

  private int copy(int tablet) {
    BumpMemory copies = BumpMemory.unlimited(memory);
    try (TabletView view = source.open(tablet, sourceColumns)) {
      LiveRuns live = new LiveRuns(view.live().onHost(), view.rowCount());
      ColumnView[] data = new ColumnView[columns.length];
      for (int c : columns) {
        data[c] = column(view, c, live, copies);
      }
      target.insert(data, live.rows());
      return live.rows();
    } finally {
      copies.free();
    }
  }

  private ColumnView column(TabletView view, int column, LiveRuns live, BumpMemory copies) {
    ElementType type = targetStore.shape().columns().get(column).type();
    int n = live.rows();
    HostBuffer values = copies.buffer(Math.max(1, (long) n * type.bytes()), 8);
    live.copyValues(view.values(column), type.bytes(), values);
    DeviceBuffer validity = view.validity(column);
    HostBuffer present = null;
    if (validity != null) {
      present = copies.buffer(Math.max(4, Bitmaps.bytes(n)), 8);
      live.copyBits(validity.onHost(), present);
    }
    CodeMapping mapping = mappings[column];
    if (mapping != null) {
      mapping.map(values, present, n);
    }
    return new ColumnView(type, values, present);
  }
}
