package io.gpdb.storage.home;

import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.home.RootImage.RunImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes the tables of a root directory as Chronicle Bytes. A root without tables, as a new
 * database has, does without it.
 */
final class RootTablesWriter {
  private RootTablesWriter() {}

  /** The bytes before the tables, and the tables. */
  static byte[] encode(byte[] head, List<TableImage> tables) {
    LateRoots.prepare();
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(4096);
    out.write(head);
    for (TableImage table : tables) {
      writeTable(out, table);
    }
    return out.toByteArray();
  }

  private static void writeTable(Bytes<byte[]> out, TableImage table) {
    out.writeStopBit(table.tableId());
    out.write(RootWriter.encodeShape(table.shape()));
    out.writeStopBit(table.rowLimit());
    writeCount(out, table.tablets().size());
    for (TabletImage tablet : table.tablets()) {
      out.writeStopBit(tablet.liveCount());
      tablet.values().forEach(e -> writeExtent(out, e));
      tablet.validity().forEach(e -> writeExtent(out, e));
      writeExtent(out, tablet.live());
      tablet.ranges().forEach(r -> writeRange(out, r));
    }
    for (DictionaryImage dictionary : table.dictionaries()) {
      if (dictionary != null) {
        out.writeStopBit(dictionary.size());
        out.writeStopBit(dictionary.next());
        out.writeStopBit(dictionary.events());
        writeExtents(out, dictionary.entries());
        writeExtents(out, dictionary.bytes());
      }
    }
    for (IndexImage index : table.indexes()) {
      writeCount(out, index.pages().size());
      for (PageImage page : index.pages()) {
        out.writeStopBit(page.number());
        out.writeStopBit(page.depth());
        out.writeStopBit(page.entryCount());
        writeExtent(out, page.entries());
      }
      writeExtents(out, index.overflow());
      writeCount(out, index.runs().size());
      index.runs().forEach(run -> writeRun(out, run));
    }
  }

  private static void writeRange(Bytes<byte[]> out, @Nullable ColumnRange range) {
    if (range == null) {
      out.writeByte((byte) 0);
      return;
    }
    out.writeByte((byte) RootLayout.FLAG_PRESENT);
    writeCount(out, range.rows());
    writeCount(out, range.nulls());
    if (!range.isEmpty()) {
      out.writeLong(range.least());
      out.writeLong(range.greatest());
    }
  }

  private static void writeExtents(Bytes<byte[]> out, List<? extends @Nullable Extent> extents) {
    writeCount(out, extents.size());
    extents.forEach(e -> writeExtent(out, e));
  }

  private static void writeExtent(Bytes<byte[]> out, @Nullable Extent extent) {
    if (extent == null) {
      out.writeByte((byte) 0);
      return;
    }
    int sealed = extent.sealed() ? RootLayout.FLAG_SEALED : 0;
    out.writeByte((byte) (RootLayout.FLAG_PRESENT | sealed));
    out.writeStopBit(extent.offset() / RootLayout.EXTENT_UNIT_BYTES);
    out.writeStopBit(extent.bytes());
    out.writeInt(extent.crc());
  }

  private static void writeRun(Bytes<byte[]> out, RunImage run) {
    out.writeLong(run.firstKey());
    out.writeLong(run.step());
    out.writeStopBit(run.count());
    out.writeStopBit(run.firstRow());
  }

  private static void writeCount(Bytes<byte[]> out, int count) {
    out.writeStopBit(count);
  }
}
