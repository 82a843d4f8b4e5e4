package io.gpdb.storage.home;

import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.TableShape;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a root directory says: where the parts of one checkpoint are in the file. */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record RootImage(byte[] state, List<TableImage> tables) {
  static final RootImage EMPTY = new RootImage(new byte[0], List.of());

  /** A table as of the checkpoint. */
  public record TableImage(
      int tableId,
      TableShape shape,
      long rowLimit,
      List<TabletImage> tablets,
      List<@Nullable DictionaryImage> dictionaries,
      List<IndexImage> indexes) {}

  /**
   * A tablet: its value and validity extents by column, null where all rows are valid, and the
   * ranges of their values, null where nobody has computed them.
   */
  public record TabletImage(
      int liveCount,
      List<Extent> values,
      List<@Nullable Extent> validity,
      Extent live,
      List<@Nullable ColumnRange> ranges) {}

  /**
   * A dictionary: the pages of its entry table and of its bytes, null where one was dropped.
   *
   * @param next where the next string goes
   * @param events the first of its events that may not be in it
   */
  public record DictionaryImage(
      int size, long next, long events, List<Extent> entries, List<@Nullable Extent> bytes) {}

  /**
   * An index of any kind: its pages, and what is in none of them, as extents of entries and as runs
   * in the order of their keys.
   */
  public record IndexImage(List<PageImage> pages, List<Extent> overflow, List<RunImage> runs) {}

  /** As many entries: keys that ascend by {@code step}, of rows that follow each other. */
  public record RunImage(long firstKey, long step, long count, long firstRow) {}

  /**
   * A page of an index, by two numbers that have a meaning for its kind: a page of a hash index has
   * the hashes whose first {@code depth} bits are {@code number}.
   */
  public record PageImage(int number, int depth, int entryCount, Extent entries) {}

  public void forEachExtent(Consumer<Extent> action) {
    for (TableImage table : tables) {
      forEachExtent(table, action);
    }
  }

  private static void forEachExtent(TableImage table, Consumer<Extent> action) {
    for (TabletImage tablet : table.tablets) {
      tablet.values.forEach(action);
      for (Extent validity : tablet.validity) {
        if (validity != null) {
          action.accept(validity);
        }
      }
      action.accept(tablet.live);
    }
    for (DictionaryImage dictionary : table.dictionaries) {
      if (dictionary != null) {
        dictionary.entries.forEach(action);
        dictionary.bytes.stream().filter(Objects::nonNull).forEach(action);
      }
    }
    for (IndexImage index : table.indexes) {
      index.pages.forEach(page -> action.accept(page.entries));
      index.overflow.forEach(action);
    }
  }
}
