package io.gpdb.txn.log;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
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

    /** As {@link Column}, to be written, where the values may be in a device's memory. */
    public record NewColumn(InsertedValidity validity, DeviceBuffer values) {}

    /** Writes a section of n rows from the first one on for the columns from the first one on. */
    public static void write(
        SectionSink sink,
        int tableId,
        long firstRow,
        int n,
        int firstColumn,
        List<NewColumn> columns) {
      SectionHeader header = header(tableId, firstRow, n, firstColumn, columns.size());
      long bytes = 0;
      for (NewColumn c : columns) {
        bytes += c.validity.bytes() + PayloadPieces.padded(c.values.bytes());
      }
      PayloadPieces payload = new PayloadPieces(header, header.begin(sink, bytes));
      DeviceMemory memory = columns.getFirst().values.memory();
      List<DeviceMemory.ToHost> values = new ArrayList<>(columns.size());
      for (NewColumn c : columns) {
        c.validity.write(payload);
        MemorySegment target = payload.put(c.values.bytes());
        values.add(new DeviceMemory.ToHost(c.values, memory.map(target)));
      }
      memory.copyToHost(values);
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
