package io.gpdb.storage.home;

import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/** Writes root directories as Chronicle Bytes. */
final class RootWriter {
  private RootWriter() {}

  static byte[] encode(RootImage root) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(4096);
    out.writeLong(RootLayout.MAGIC);
    out.writeInt(RootLayout.VERSION);
    writeBlob(out, root.state());
    writeCount(out, root.tables().size());
    for (TableImage table : root.tables()) {
      writeTable(out, table);
    }
    return out.toByteArray();
  }

  static byte[] encodeShape(TableShape shape) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(256);
    writeShape(out, shape);
    return out.toByteArray();
  }

  private static void writeTable(Bytes<byte[]> out, TableImage table) {
    out.writeStopBit(table.tableId());
    writeShape(out, table.shape());
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

  private static void writeShape(Bytes<byte[]> out, TableShape shape) {
    writeCount(out, shape.columns().size());
    for (ColumnShape column : shape.columns()) {
      writeText(out, column.name());
      out.writeUnsignedByte(column.type().tag());
    }
    writeCount(out, shape.indexes().size());
    for (IndexShape index : shape.indexes()) {
      out.writeStopBit(index.indexId());
      out.writeByte(index.kind().tag(index.unique()));
      int[] columns = index.columns();
      writeCount(out, columns.length);
      for (int column : columns) {
        out.writeStopBit(column);
      }
      if (index.kind().isOrdered()) {
        for (boolean descending : index.descending()) {
          out.writeByte((byte) (descending ? 1 : 0));
        }
      }
    }
  }

  /** As {@code writeUtf8}, which says something on stderr where JVM flags are missing. */
  private static void writeText(Bytes<byte[]> out, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeCount(out, utf8.length);
    out.write(utf8);
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

  private static void writeBlob(Bytes<byte[]> out, byte[] blob) {
    writeCount(out, blob.length);
    out.write(blob);
  }

  private static void writeCount(Bytes<byte[]> out, int count) {
    out.writeStopBit(count);
  }
}
