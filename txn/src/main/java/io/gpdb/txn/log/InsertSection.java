package io.gpdb.txn.log;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Rows of one tablet that were inserted, or some columns of them. */
public sealed interface InsertSection extends Section {
  /**
   * The values of n rows from the first one on, all in one tablet, for some neighbouring columns.
   * The section with the last column makes the rows live.
   *
   * @param encoded the columns one after the other; the width of their values follows from the
   *     table
   */
  record Insert(
      int tableId, long firstRow, int n, int firstColumn, int columnCount, MemorySegment encoded)
      implements InsertSection {
    /** Of one column, n values. */
    public record Column(InsertedValidity validity, MemorySegment values) {}

    @Override
    public SectionKind kind() {
      return SectionKind.INSERT;
    }

    /** As {@link Column}, to be written, with the number of bytes of its values. */
    public record NewColumn(InsertedValidity validity, long valueBytes) {}

    /** Stores the values of all columns to their places in a section. */
    @FunctionalInterface
    public interface Values {
      void copyTo(List<MemorySegment> columns);
    }

    /**
     * Writes a section of n rows from the first one on for the columns from the first one on.
     *
     * @param values are asked for now, or where they are many by any thread when the record is
     *     completed
     */
    public static void write(
        RecordBuffer record,
        int tableId,
        long firstRow,
        int n,
        int firstColumn,
        List<NewColumn> columns,
        Values values) {
      SectionHeader header = header(tableId, firstRow, n, firstColumn, columns.size());
      long bytes = 0;
      for (NewColumn c : columns) {
        bytes += c.validity.bytes() + PayloadPieces.padded(c.valueBytes);
      }
      MemorySegment whole = header.begin(record, bytes);
      PayloadPieces payload = new PayloadPieces(header, whole);
      long[] places = new long[columns.size()];
      for (int c = 0; c < places.length; c++) {
        columns.get(c).validity.write(payload);
        MemorySegment place = payload.put(columns.get(c).valueBytes);
        places[c] = place.address() - whole.address() + WalLayout.SECTION_HEADER_BYTES;
      }
      record.fill(
          WalLayout.SECTION_HEADER_BYTES + WalLayout.align(bytes, WalLayout.SECTION_ALIGNMENT),
          section -> {
            List<MemorySegment> targets = new ArrayList<>(places.length);
            for (int c = 0; c < places.length; c++) {
              targets.add(section.asSlice(places[c], columns.get(c).valueBytes));
            }
            values.copyTo(targets);
          });
    }

    private static SectionHeader header(
        int tableId, long firstRow, int n, int firstColumn, int columnCount) {
      return new SectionHeader(
          SectionKind.INSERT, 0, tableId, columnCount, n, firstColumn, firstRow);
    }

    static Insert read(SectionHeader header, MemorySegment payload) {
      return new Insert(
          header.tableId(), header.extra(), header.n(), header.column(), header.tablet(), payload);
    }

    /** What it holds for the columns of a table of that shape. */
    public List<Column> columns(List<ColumnShape> shapes) {
      List<Column> columns = new ArrayList<>();
      PayloadPieces payload =
          new PayloadPieces(header(tableId, firstRow, n, firstColumn, columnCount), encoded);
      for (ColumnShape shape : shapes.subList(firstColumn, firstColumn + columnCount)) {
        InsertedValidity validity = InsertedValidity.read(payload, n);
        columns.add(new Column(validity, payload.take((long) n * shape.type().bytes())));
      }
      return columns;
    }
  }

  /**
   * As {@link Insert}, with the values of each column in an extent of the home file.
   *
   * @param columns from the first one on
   */
  record InsertInExtents(
      int tableId, long firstRow, int n, int firstColumn, List<ColumnInExtent> columns)
      implements InsertSection {

    /** Of one column. */
    public record ColumnInExtent(InsertedValidity validity, ExtentReference values) {}

    @Override
    public SectionKind kind() {
      return SectionKind.INSERT_IN_EXTENTS;
    }

    @Override
    public List<ExtentReference> references() {
      return columns.stream().map(ColumnInExtent::values).toList();
    }

    public void write(SectionSink sink) {
      SectionHeader header =
          new SectionHeader(kind(), 0, tableId, columns.size(), n, firstColumn, firstRow);
      long bytes = 0;
      for (ColumnInExtent c : columns) {
        bytes += c.validity.bytes() + c.values.length();
      }
      PayloadPieces payload = new PayloadPieces(header, header.begin(sink, bytes));
      for (ColumnInExtent c : columns) {
        c.validity.write(payload);
        c.values.write(payload);
      }
    }

    static InsertInExtents read(SectionHeader header, MemorySegment encoded) {
      if (header.tablet() < 0) {
        throw header.damaged("no number of columns");
      }
      List<ColumnInExtent> columns = new ArrayList<>();
      PayloadPieces payload = new PayloadPieces(header, encoded);
      for (int c = 0; c < header.tablet(); c++) {
        InsertedValidity validity = InsertedValidity.read(payload, header.n());
        columns.add(new ColumnInExtent(validity, ExtentReference.read(payload)));
      }
      return new InsertInExtents(
          header.tableId(), header.extra(), header.n(), header.column(), columns);
    }
  }

  /** The n rows from the first one on, of one tablet, became live; their values are in place. */
  record InsertInPlace(int tableId, long firstRow, int n) implements InsertSection {
    @Override
    public SectionKind kind() {
      return SectionKind.INSERT_IN_PLACE;
    }

    public void write(SectionSink sink) {
      int tablet = (int) (firstRow / Tablet.ROWS);
      new SectionHeader(kind(), 0, tableId, tablet, n, SectionHeader.NONE, firstRow).begin(sink, 0);
    }

    static InsertInPlace read(SectionHeader header) {
      return new InsertInPlace(header.tableId(), header.extra(), header.n());
    }
  }
}
