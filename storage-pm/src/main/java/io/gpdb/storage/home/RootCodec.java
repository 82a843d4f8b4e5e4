package io.gpdb.storage.home;

import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.home.RootImage.RunImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Root directories as bytes. Their writer is a class of its own, which opening does not load. */
public final class RootCodec {
  private RootCodec() {}

  public static byte[] encode(RootImage root) {
    return RootWriter.encode(root);
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
      byte[] state = readBlob(in);
      List<TableImage> tables = new ArrayList<>();
      for (int n = readCount(in); n > 0; n--) {
        tables.add(readTable(in, version));
      }
      if (in.remaining() != 0) {
        throw corrupt("bytes left over: " + in.remaining(), place, null);
      }
      return new RootImage(state, tables);
    } catch (BufferUnderflowException | IllegalArgumentException | IllegalStateException e) {
      throw corrupt("does not parse", place, e);
    }
  }

  public static byte[] encodeShape(TableShape shape) {
    return RootWriter.encodeShape(shape);
  }

  public static TableShape decodeShape(byte[] encoded) {
    try {
      return readShape(new FieldReader(encoded));
    } catch (BufferUnderflowException | IllegalArgumentException | IllegalStateException e) {
      throw corrupt("does not parse", "table shape", e);
    }
  }

  private static TableImage readTable(FieldReader in, int version) {
    boolean hasRanges = version > RootLayout.VERSION_WITHOUT_RANGES;
    boolean hasEvents = version > RootLayout.VERSION_WITHOUT_EVENTS;
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
      dictionaries.add(column.type() == ElementType.CODE ? readDictionary(in, hasEvents) : null);
    }
    List<IndexImage> indexes = new ArrayList<>();
    for (int i = 0; i < shape.indexes().size(); i++) {
      indexes.add(readIndex(in, version > RootLayout.VERSION_WITHOUT_RUNS));
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

  private static DictionaryImage readDictionary(FieldReader in, boolean hasEvents) {
    int codes = readNumber(in);
    long next = in.readStopBit();
    long events = hasEvents ? in.readStopBit() : 0;
    if (next < 0 || events < 0) {
      throw new IllegalStateException("dictionary of " + next + " bytes, events=" + events);
    }
    return new DictionaryImage(codes, next, events, readExtents(in), readPages(in));
  }

  private static IndexImage readIndex(FieldReader in, boolean hasRuns) {
    List<PageImage> pages = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      pages.add(
          new PageImage(
              (int) in.readStopBit(),
              (int) in.readStopBit(),
              (int) in.readStopBit(),
              present(readExtent(in))));
    }
    return new IndexImage(pages, readExtents(in), hasRuns ? readRuns(in) : List.of());
  }

  private static List<RunImage> readRuns(FieldReader in) {
    List<RunImage> runs = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      runs.add(new RunImage(in.readLong(), in.readLong(), in.readStopBit(), in.readStopBit()));
    }
    return runs;
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
      byte kind = in.readByte();
      int[] indexed = new int[readCount(in)];
      for (int i = 0; i < indexed.length; i++) {
        indexed[i] = readNumber(in);
        if (indexed[i] >= columns.size()) {
          throw new IllegalStateException("index over column " + indexed[i]);
        }
      }
      boolean[] descending = readDescending(in, IndexKind.ofTag(kind), indexed.length);
      indexes.add(IndexKind.shapeOf(kind, indexId, indexed, descending));
    }
    return new TableShape(columns, indexes);
  }

  private static boolean[] readDescending(FieldReader in, IndexKind kind, int columns) {
    boolean[] descending = new boolean[columns];
    if (kind.isOrdered()) {
      for (int i = 0; i < columns; i++) {
        int flag = in.readByte();
        if (flag != 0 && flag != 1) {
          throw new IllegalStateException("direction " + flag);
        }
        descending[i] = flag == 1;
      }
    }
    return descending;
  }

  private static String readText(FieldReader in) {
    return new String(readBlob(in), StandardCharsets.UTF_8);
  }

  private static List<Extent> readExtents(FieldReader in) {
    List<Extent> extents = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      extents.add(present(readExtent(in)));
    }
    return extents;
  }

  private static List<@Nullable Extent> readPages(FieldReader in) {
    List<@Nullable Extent> pages = new ArrayList<>();
    for (int n = readCount(in); n > 0; n--) {
      pages.add(readExtent(in));
    }
    return pages;
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

  private static byte[] readBlob(FieldReader in) {
    byte[] blob = new byte[readCount(in)];
    in.read(blob);
    return blob;
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
