package io.gpdb.txn.log;

import java.lang.foreign.MemorySegment;

/** A table was created, was dropped, or has grown. */
public sealed interface TableSection extends Section {
  /**
   * A table was created.
   *
   * @param shape encoded
   */
  record CreateTable(int tableId, MemorySegment shape) implements TableSection {
    @Override
    public SectionKind kind() {
      return SectionKind.CREATE_TABLE;
    }

    public void write(SectionSink sink) {
      int bytes = Math.toIntExact(shape.byteSize());
      SectionHeader.ofTable(kind(), tableId, bytes, 0).begin(sink, bytes).copyFrom(shape);
    }

    static CreateTable read(SectionHeader header, MemorySegment payload) {
      header.require(header.n(), payload);
      return new CreateTable(header.tableId(), payload.asSlice(0, header.n()));
    }
  }

  /**
   * A table has a column or an index more, behind the others.
   *
   * @param shape of the table with it, encoded
   * @param raw what the rows so far have in a new column
   * @param isNull whether they have NULL there
   */
  record GrowTable(int tableId, MemorySegment shape, long raw, boolean isNull)
      implements TableSection {
    private static final int FLAG_NULL = 1;

    @Override
    public SectionKind kind() {
      return SectionKind.GROW_TABLE;
    }

    public void write(SectionSink sink) {
      int bytes = Math.toIntExact(shape.byteSize());
      int flags = isNull ? FLAG_NULL : 0;
      new SectionHeader(kind(), flags, tableId, SectionHeader.NONE, bytes, SectionHeader.NONE, raw)
          .begin(sink, bytes)
          .copyFrom(shape);
    }

    static GrowTable read(SectionHeader header, MemorySegment payload) {
      header.require(header.n(), payload);
      return new GrowTable(
          header.tableId(), payload.asSlice(0, header.n()), header.extra(), header.has(FLAG_NULL));
    }
  }

  /** A table is no more. */
  record DropTable(int tableId) implements TableSection {
    @Override
    public SectionKind kind() {
      return SectionKind.DROP_TABLE;
    }

    public void write(SectionSink sink) {
      SectionHeader.ofTable(kind(), tableId, 0, 0).begin(sink, 0);
    }

    static DropTable read(SectionHeader header) {
      return new DropTable(header.tableId());
    }
  }

  /** A table has at least this number of row numbers. */
  record RowLimit(int tableId, long rows) implements TableSection {
    @Override
    public SectionKind kind() {
      return SectionKind.ROW_LIMIT;
    }

    public void write(SectionSink sink) {
      SectionHeader.ofTable(kind(), tableId, 0, rows).begin(sink, 0);
    }

    static RowLimit read(SectionHeader header) {
      return new RowLimit(header.tableId(), header.extra());
    }
  }
}
