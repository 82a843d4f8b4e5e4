package io.gpdb.storage;

import io.gpdb.storage.RootImage.DictionaryImage;
import io.gpdb.storage.RootImage.IndexImage;
import io.gpdb.storage.RootImage.PageImage;
import io.gpdb.storage.RootImage.TableImage;
import io.gpdb.storage.RootImage.TabletImage;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.jspecify.annotations.Nullable;

/** Writes root directories as Chronicle Bytes, and reads them. */
final class RootCodec {
  private RootCodec() {}

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

  static RootImage decode(byte[] encoded, String place) {
    try {
      FieldReader in = new FieldReader(encoded);
      long magic = in.readLong();
      int version = in.readInt();
      if (magic != RootLayout.MAGIC
          || version < RootLayout.VERSION_WITHOUT_RANGES
          || version > RootLayout.VERSION) {
        throw corrupt("magic=%016x, version=%d".formatted(magic, version), place, null);
      }
      boolean hasRanges = version > RootLayout.VERSION_WITHOUT_RANGES;
      byte[] state = readBlob(in);
      List<TableImage> tables = new ArrayList<>();
      for (int n = readCount(in); n > 0; n--) {
        tables.add(readTable(in, hasRanges));
      }
      if (in.remaining() != 0) {
        throw corrupt("bytes left over: " + in.remaining(), place, null);
      }
      return new RootImage(state, tables);
    } catch (BufferUnderflowException | IllegalArgumentException | IllegalStateException e) {
      throw corrupt("does not parse", place, e);
    }
  }

  static byte[] encodeShape(TableShape shape) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(256);
    writeShape(out, shape);
    return out.toByteArray();
  }

  static TableShape decodeShape(byte[] encoded) {
    try {
      return readShape(new FieldReader(encoded));
    } catch (BufferUnderflowException | IllegalArgumentException | IllegalStateException e) {
      throw corrupt("does not parse", "table shape", e);
    }
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
        out.writeStopBit(dictionary.bytesUsed());
        writeExtents(out, dictionary.entries());
        writeExtents(out, dictionary.bytes());
      }
    }
    for (IndexImage index : table.indexes()) {
      writeCount(out, index.pages().size());
      for (PageImage page : index.pages()) {
        out.writeStopBit(page.prefix());
        out.writeStopBit(page.depth());
        out.writeStopBit(page.entryCount());
        writeExtent(out, page.slots());
      }
      writeExtents(out, index.overflow());
    }
  }

  private static TableImage readTable(FieldReader in, boolean hasRanges) {
    int tableId = (int) in.readStopBit();
    TableShape shape = readShape(in);
    long rowLimit = in.readStopBit();
    int columns = shape.columns().size();
    List<TabletImage> tablets = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      tablets.add(readTablet(in, columns, hasRanges));
    }
    List<@Nullable DictionaryImage> dictionaries = new ArrayList<>(columns);
    for (ColumnShape column : shape.columns()) {
      dictionaries.add(column.type() == ElementType.CODE ? readDictionary(in) : null);
    }
    List<IndexImage> indexes = new ArrayList<>();
    for (int i = 0; i < shape.indexes().size(); i++) {
      indexes.add(readIndex(in));
    }
    return new TableImage(tableId, shape, rowLimit, tablets, dictionaries, indexes);
  }

  private static TabletImage readTablet(FieldReader in, int columns, boolean hasRanges) {
    int liveCount = (int) in.readStopBit();
    List<Extent> values = new ArrayList<>(columns);
    for (int c = 0; c < columns; c++) {
      values.add(present(readExtent(in)));
    }
    List<@Nullable Extent> validity = new ArrayList<>(columns);
    for (int c = 0; c < columns; c++) {
      validity.add(readExtent(in));
    }
    Extent live = present(readExtent(in));
    List<@Nullable ColumnRange> ranges = new ArrayList<>(columns);
    for (int c = 0; c < columns; c++) {
      ranges.add(hasRanges ? readRange(in) : null);
    }
    return new TabletImage(liveCount, values, validity, live, ranges);
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

  private static @Nullable ColumnRange readRange(FieldReader in) {
    if (in.readByte() == 0) {
      return null;
    }
    int rows = readNumber(in);
    int nulls = readNumber(in);
    return nulls == rows
        ? new ColumnRange(rows, nulls, Long.MAX_VALUE, Long.MIN_VALUE)
        : new ColumnRange(rows, nulls, in.readLong(), in.readLong());
  }

  private static DictionaryImage readDictionary(FieldReader in) {
    int codes = readNumber(in);
    long bytesUsed = in.readStopBit();
    if (bytesUsed < 0) {
      throw new IllegalStateException("dictionary of " + bytesUsed + " bytes");
    }
    return new DictionaryImage(codes, bytesUsed, readExtents(in), readExtents(in));
  }

  private static IndexImage readIndex(FieldReader in) {
    List<PageImage> pages = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      pages.add(
          new PageImage(
              (int) in.readStopBit(),
              (int) in.readStopBit(),
              (int) in.readStopBit(),
              present(readExtent(in))));
    }
    return new IndexImage(pages, readExtents(in));
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
      out.writeBoolean(index.unique());
      int[] columns = index.columns();
      writeCount(out, columns.length);
      for (int column : columns) {
        out.writeStopBit(column);
      }
    }
  }

  private static TableShape readShape(FieldReader in) {
    List<ColumnShape> columns = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      String name = readText(in);
      columns.add(new ColumnShape(name, ElementType.ofTag(in.readUnsignedByte())));
    }
    List<IndexShape> indexes = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      int indexId = (int) in.readStopBit();
      boolean unique = in.readBoolean();
      int[] indexed = new int[readCount(in)];
      for (int i = 0; i < indexed.length; i++) {
        indexed[i] = (int) in.readStopBit();
      }
      indexes.add(new IndexShape(indexId, indexed, unique));
    }
    return new TableShape(columns, indexes);
  }

  /** As {@code writeUtf8}, which says something on stderr where JVM flags are missing. */
  private static void writeText(Bytes<byte[]> out, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeCount(out, utf8.length);
    out.write(utf8);
  }

  private static String readText(FieldReader in) {
    return new String(readBlob(in), StandardCharsets.UTF_8);
  }

  private static void writeExtents(Bytes<byte[]> out, List<Extent> extents) {
    writeCount(out, extents.size());
    extents.forEach(e -> writeExtent(out, e));
  }

  private static List<Extent> readExtents(FieldReader in) {
    List<Extent> extents = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      extents.add(present(readExtent(in)));
    }
    return extents;
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

  private static @Nullable Extent readExtent(FieldReader in) {
    int flags = in.readByte();
    if (flags == 0) {
      return null;
    }
    long offset = in.readStopBit() * RootLayout.EXTENT_UNIT_BYTES;
    long bytes = in.readStopBit();
    return new Extent(offset, bytes, in.readInt(), (flags & RootLayout.FLAG_SEALED) != 0);
  }

  private static Extent present(@Nullable Extent extent) {
    if (extent == null) {
      throw new IllegalStateException("extent missing");
    }
    return extent;
  }

  private static void writeBlob(Bytes<byte[]> out, byte[] blob) {
    writeCount(out, blob.length);
    out.write(blob);
  }

  private static byte[] readBlob(FieldReader in) {
    byte[] blob = new byte[readCount(in)];
    in.read(blob);
    return blob;
  }

  private static void writeCount(Bytes<byte[]> out, int count) {
    out.writeStopBit(count);
  }

  /** How many follow; each takes a byte at least, so that no damage asks for wild memory. */
  private static int readCount(FieldReader in) {
    long count = in.readStopBit();
    if (count < 0 || count > in.remaining()) {
      throw new IllegalStateException("count " + count);
    }
    return (int) count;
  }

  private static int readNumber(FieldReader in) {
    long number = in.readStopBit();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new IllegalStateException("number " + number);
    }
    return (int) number;
  }

  private static GpdbException corrupt(String what, String place, @Nullable Exception cause) {
    return new GpdbException(
        ErrorCode.CORRUPTION, "directory is damaged: " + what + ", in=" + place, cause);
  }
}
