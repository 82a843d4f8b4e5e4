package io.gpdb.storage;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The verifier: reads every byte of the home image and holds the working image against itself. */
final class SpaceCheck {
  private static final int PROBLEMS_PER_INDEX_MAX = 10;

  private final HomeImage home;
  private final Collection<TableStore> tables;
  private final List<String> problems = new ArrayList<>();

  SpaceCheck(HomeImage home, Collection<TableStore> tables) {
    this.home = home;
    this.tables = tables;
  }

  List<String> run() {
    problems.addAll(home.checkSuperblocks());
    checkExtents();
    for (TableStore table : tables) {
      try {
        checkTable(table);
      } catch (GpdbException e) {
        problems.add(e.getMessage());
      }
    }
    return problems;
  }

  /** Reads what the durable root refers to; order and overlap were checked when it was loaded. */
  private void checkExtents() {
    try {
      Extent at = home.superblock().root();
      byte[] encoded = home.load(at, "root directory");
      RootImage root = RootCodec.decode(encoded, home.memory().name());
      for (RootImage.TableImage table : root.tables()) {
        RootImage one = new RootImage(new byte[0], List.of(table));
        one.forEachExtent(extent -> checkExtent(extent, "table=" + table.tableId()));
      }
    } catch (GpdbException e) {
      problems.add(e.getMessage());
    }
  }

  private void checkExtent(Extent extent, String place) {
    try {
      home.load(extent, place);
    } catch (GpdbException e) {
      problems.add(e.getMessage());
    }
  }

  private void checkTable(TableStore table) {
    for (Dictionary dictionary : table.dictionaries()) {
      dictionary.check(problems);
    }
    for (int i = 0; i < table.indexCount(); i++) {
      table.index(i).check(problems);
    }
    int[] missing = new int[table.indexCount()];
    for (int i = 0; i < table.tabletCount(); i++) {
      Tablet tablet = table.tablet(i);
      tablet.latch().readLock().lock();
      try {
        checkTablet(table, tablet, missing);
      } finally {
        tablet.latch().readLock().unlock();
      }
    }
    for (int i = 0; i < missing.length; i++) {
      if (missing[i] > PROBLEMS_PER_INDEX_MAX) {
        problems.add(
            "table=%d, index=%d: rows without an entry: %d"
                .formatted(table.tableId(), table.index(i).shape().indexId(), missing[i]));
      }
    }
  }

  private void checkTablet(TableStore table, Tablet tablet, int[] missing) {
    MemorySegment live = tablet.live();
    int counted = Tablet.countBits(live, tablet.rowCount());
    if (counted != tablet.liveCount()) {
      problems.add(
          "table=%d, tablet=%d: says live=%d, holds %d"
              .formatted(table.tableId(), tablet.number(), tablet.liveCount(), counted));
    }
    for (int c = 0; c < table.shape().columns().size(); c++) {
      tablet.values(c);
      Dictionary dictionary = table.dictionary(c);
      if (dictionary != null) {
        checkCodes(table, tablet, c, dictionary.size());
      }
    }
    for (int i = 0; i < table.indexCount(); i++) {
      checkKeys(table, tablet, i, missing);
    }
  }

  private void checkCodes(TableStore table, Tablet tablet, int column, int codes) {
    MemorySegment live = tablet.live();
    MemorySegment values = tablet.values(column);
    MemorySegment validity = tablet.validity(column);
    for (int row = 0; row < tablet.rowCount(); row++) {
      long code = ElementType.CODE.rawAt(values, row);
      if ((code < 0 || code >= codes) && isSet(live, row) && isSet(validity, row)) {
        problems.add(
            "%s, row=%d: code=%d, dictionary size=%d"
                .formatted(place(table, tablet, column), row, code, codes));
        return;
      }
    }
  }

  private void checkKeys(TableStore table, Tablet tablet, int ordinal, int[] missing) {
    HashIndex index = table.index(ordinal);
    MemorySegment live = tablet.live();
    for (int row = 0; row < tablet.rowCount(); row++) {
      if (isSet(live, row) && hasKey(tablet, index, row) && !isIndexed(table, tablet, index, row)) {
        if (missing[ordinal]++ < PROBLEMS_PER_INDEX_MAX) {
          problems.add(
              "table=%d, index=%d: no entry for row=%d"
                  .formatted(table.tableId(), index.shape().indexId(), rowId(tablet, row)));
        }
      }
    }
  }

  private static boolean hasKey(Tablet tablet, HashIndex index, int row) {
    for (int column : index.keyColumns()) {
      if (!isSet(tablet.validity(column), row)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIndexed(TableStore table, Tablet tablet, HashIndex index, int row) {
    long hash = 0;
    boolean first = true;
    for (int column : index.keyColumns()) {
      ElementType type = table.shape().columns().get(column).type();
      long raw = type.rawAt(tablet.values(column), row);
      hash = first ? KeyHash.hash(raw) : KeyHash.combine(hash, raw);
      first = false;
    }
    long wanted = rowId(tablet, row);
    return index.nextCandidate(hash, wanted + 1) == wanted;
  }

  private static long rowId(Tablet tablet, int row) {
    return (long) tablet.number() * Tablet.ROWS + row;
  }

  private static boolean isSet(@Nullable MemorySegment bitmap, int row) {
    return bitmap == null || ((ElementType.I32.rawAt(bitmap, row >> 5) >>> (row & 31)) & 1) != 0;
  }

  private static String place(TableStore table, Tablet tablet, int column) {
    return "table=%d, tablet=%d, column=%s"
        .formatted(table.tableId(), tablet.number(), table.shape().columns().get(column).name());
  }
}
