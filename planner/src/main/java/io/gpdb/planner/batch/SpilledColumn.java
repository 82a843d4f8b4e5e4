package io.gpdb.planner.batch;

import io.gpdb.planner.batch.SpilledRows.Range;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of rows in a temporary file, of which some pages are in memory: those that were turned to
 * last.
 */
public final class SpilledColumn implements AutoCloseable {
  public static final int PAGE_ROWS = 1 << 10;

  /** A binary search among all rows turns to as many, again and again to the same. */
  private static final int PAGES_MAX = 16;

  private final SpilledRows file;
  private final List<List<Range>> pages;
  private final int field;
  private final BitSet only = new BitSet();

  /** By number, the one that was turned to last behind the others. */
  private final LinkedHashMap<Integer, DenseBatch> open = new LinkedHashMap<>();

  /**
   * @param pages the rows in pieces of {@link #PAGE_ROWS}
   */
  public SpilledColumn(SpilledRows file, List<List<Range>> pages, int field) {
    this.file = file;
    this.pages = pages;
    this.field = field;
    only.set(field);
  }

  /** Its number in the pages. */
  public int field() {
    return field;
  }

  /** The page of a row, which is in memory until so many others have been turned to. */
  public DenseBatch turnTo(int row) {
    int number = row / PAGE_ROWS;
    @Nullable DenseBatch page = open.remove(number);
    if (page == null) {
      if (open.size() == PAGES_MAX) {
        open.pollFirstEntry().getValue().close();
      }
      page = file.read(pages.get(number), only);
    }
    open.put(number, page);
    return page;
  }

  @Override
  public void close() {
    open.values().forEach(DenseBatch::close);
    open.clear();
  }
}
