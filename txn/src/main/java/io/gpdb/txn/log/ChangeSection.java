package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was changed in a tablet, or of an index that names its rows. */
public sealed interface ChangeSection extends Section {
  /**
   * New values of n rows of one column of a tablet. The number of words of an entry, 2 or 3,
   * follows from the column's type.
   *
   * @param isRowMajor whether entries are stored one after the other, not in groups, see {@link
   *     HclLayout}
   * @param isNullable whether the column has a validity bitmap
   */
  record Update(
      int tableId,
      int tablet,
      int column,
      int n,
      boolean isRowMajor,
      boolean isNullable,
      MemorySegment entries)
      implements ChangeSection {
    @Override
    public SectionKind kind() {
      return SectionKind.UPDATE;
    }

    /** Writes all but the entries; returns the room for these. */
    public static MemorySegment begin(
        SectionSink sink,
        int tableId,
        int tablet,
        int column,
        int n,
        int words,
        boolean isRowMajor,
        boolean isNullable) {
      int flags =
          (isRowMajor ? WalLayout.FLAG_ROW_MAJOR : 0) | (isNullable ? WalLayout.FLAG_NULLABLE : 0);
      return new SectionHeader(SectionKind.UPDATE, flags, tableId, tablet, n, column, 0)
          .begin(sink, bytes(n, words, isRowMajor));
    }

    static Update read(SectionHeader header, MemorySegment payload) {
      return new Update(
          header.tableId(),
          header.tablet(),
          header.column(),
          header.n(),
          header.has(WalLayout.FLAG_ROW_MAJOR),
          header.has(WalLayout.FLAG_NULLABLE),
          payload);
    }

    /** Whether all n entries are there, if each has that number of words. */
    public boolean isWhole(int words) {
      return bytes(n, words, isRowMajor) <= entries.byteSize();
    }

    static long bytes(int n, int words, boolean isRowMajor) {
      return isRowMajor ? (long) n * words * HclLayout.WORD_BYTES : HclLayout.regionBytes(n, words);
    }

    public boolean isNull(int entry, int words) {
      return (word(entry, 0, words) & HclLayout.NULL_FLAG) != 0;
    }

    /** In the tablet; not negative. */
    public int row(int entry, int words) {
      return word(entry, 0, words) & ~HclLayout.NULL_FLAG;
    }

    /** The rows of all entries, copied group by group: reading one after the other is slow. */
    public int[] rows(int words) {
      int[] rows = new int[n];
      if (isRowMajor) {
        for (int i = 0; i < n; i++) {
          rows[i] = word(i, 0, words);
        }
      } else {
        for (int i = 0; i < n; i += HclLayout.GROUP_ENTRIES) {
          int count = Math.min(HclLayout.GROUP_ENTRIES, n - i);
          long at = HclLayout.wordIndex(0, i, 0, words) * HclLayout.WORD_BYTES;
          MemorySegment.copy(entries, JAVA_INT, at, rows, i, count);
        }
      }
      for (int i = 0; i < n; i++) {
        rows[i] &= ~HclLayout.NULL_FLAG;
      }
      return rows;
    }

    public int word(int entry, int word, int words) {
      long at =
          isRowMajor ? (long) entry * words + word : HclLayout.wordIndex(0, entry, word, words);
      return entries.getAtIndex(JAVA_INT, at);
    }
  }

  /**
   * A new version of the first n values of a column of a tablet, in an extent of the home file.
   *
   * @param chosen a bitmap of the rows that take their values from there; null when all n do
   * @param validity of the n values; null when all are there
   */
  record Version(
      int tableId,
      int tablet,
      int column,
      int n,
      ExtentReference values,
      @Nullable MemorySegment chosen,
      @Nullable MemorySegment validity)
      implements ChangeSection {
    @Override
    public SectionKind kind() {
      return SectionKind.VERSION;
    }

    @Override
    public List<ExtentReference> references() {
      return List.of(values);
    }

    public void write(SectionSink sink) {
      int flags =
          (validity == null ? 0 : WalLayout.FLAG_NULLABLE)
              | (chosen == null ? 0 : WalLayout.FLAG_SOME_ROWS);
      SectionHeader header = new SectionHeader(kind(), flags, tableId, tablet, n, column, 0);
      long bitmap = PayloadPieces.padded(Bitmaps.bytes(n));
      long bytes = values.length() + bitmap * Integer.bitCount(flags);
      PayloadPieces payload = new PayloadPieces(header, header.begin(sink, bytes));
      values.write(payload);
      writeBits(payload, chosen);
      writeBits(payload, validity);
    }

    private void writeBits(PayloadPieces payload, @Nullable MemorySegment bits) {
      if (bits != null) {
        payload.put(Bitmaps.bytes(n)).copyFrom(bits.asSlice(0, Bitmaps.bytes(n)));
      }
    }

    static Version read(SectionHeader header, MemorySegment encoded) {
      PayloadPieces payload = new PayloadPieces(header, encoded);
      ExtentReference values = ExtentReference.read(payload);
      long bytes = Bitmaps.bytes(header.n());
      MemorySegment chosen = header.has(WalLayout.FLAG_SOME_ROWS) ? payload.take(bytes) : null;
      MemorySegment validity = header.has(WalLayout.FLAG_NULLABLE) ? payload.take(bytes) : null;
      return new Version(
          header.tableId(), header.tablet(), header.column(), header.n(), values, chosen, validity);
    }
  }

  /**
   * Rows of a tablet that ceased to be live.
   *
   * @param rows i32[n]; entries of one word are stored alike in groups and row by row
   */
  record Delete(int tableId, int tablet, int n, MemorySegment rows) implements ChangeSection {
    @Override
    public SectionKind kind() {
      return SectionKind.DELETE;
    }

    /**
     * Writes all but the rows; returns the room for these, where not row-major for whole groups.
     */
    public static MemorySegment begin(
        SectionSink sink, int tableId, int tablet, int n, boolean isRowMajor) {
      int flags = isRowMajor ? WalLayout.FLAG_ROW_MAJOR : 0;
      SectionHeader header =
          new SectionHeader(SectionKind.DELETE, flags, tableId, tablet, n, SectionHeader.NONE, 0);
      return header.begin(sink, Update.bytes(n, HclLayout.DELETE_ENTRY_WORDS, isRowMajor));
    }

    static Delete read(SectionHeader header, MemorySegment payload) {
      header.require((long) header.n() * HclLayout.WORD_BYTES, payload);
      return new Delete(header.tableId(), header.tablet(), header.n(), payload);
    }

    public int row(int i) {
      return rows.getAtIndex(JAVA_INT, i);
    }

    /** The rows of all entries, see {@link Update#rows}. */
    public int[] rowNumbers() {
      return rows.asSlice(0, (long) n * HclLayout.WORD_BYTES).toArray(JAVA_INT);
    }
  }

  /**
   * Where the home of a chunk is.
   *
   * @param offset in the home file
   */
  record Extent(int tableId, int tablet, int column, ChunkKind chunk, long offset)
      implements ChangeSection {
    @Override
    public SectionKind kind() {
      return SectionKind.EXTENT;
    }

    public void write(SectionSink sink) {
      new SectionHeader(kind(), 0, tableId, tablet, FormatCodes.of(chunk), column, offset)
          .begin(sink, 0);
    }

    static Extent read(SectionHeader header) {
      return new Extent(
          header.tableId(),
          header.tablet(),
          header.column(),
          FormatCodes.chunkKind(header.n()),
          header.extra());
    }
  }

  /**
   * Rows whose keys of an index were changed in place: their values in the home image are the keys.
   *
   * @param index its ordinal
   * @param rows n times | i64 not read | i64 row |
   */
  record Hints(int tableId, int index, int n, MemorySegment rows) implements ChangeSection {
    private static final int ROW_BYTES = 2 * Long.BYTES;

    @Override
    public SectionKind kind() {
      return SectionKind.HINTS;
    }

    /**
     * Writes all but the rows, which are to be {@link #put}.
     *
     * @param tablet that the rows are of; not read
     */
    public static Hints begin(SectionSink sink, int tableId, int tablet, int index, int n) {
      SectionHeader header = new SectionHeader(SectionKind.HINTS, 0, tableId, tablet, n, index, 0);
      return new Hints(tableId, index, n, header.begin(sink, (long) n * ROW_BYTES));
    }

    static Hints read(SectionHeader header, MemorySegment payload) {
      header.require((long) header.n() * ROW_BYTES, payload);
      return new Hints(header.tableId(), header.column(), header.n(), payload);
    }

    public void put(int i, long row) {
      rows.setAtIndex(JAVA_LONG, 2L * i, 0);
      rows.setAtIndex(JAVA_LONG, 2L * i + 1, row);
    }

    public long row(int i) {
      return rows.getAtIndex(JAVA_LONG, 2L * i + 1);
    }
  }
}
