package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each kind of section: its bytes are those of the document, and reading returns its fields. */
class SectionTest {
  private static final int TABLE = 16;
  private static final int TABLET = 3;
  private static final int COLUMN = 5;
  private static final long FIRST_ROW = 3L << 16 | 100;
  private static final List<ColumnShape> SHAPES =
      List.of(
          new ColumnShape("A", ElementType.I64),
          new ColumnShape("B", ElementType.I32),
          new ColumnShape("C", ElementType.I64));

  private final DatabaseMemory memory = new DatabaseMemory();
  private final RecordBuffer record = new RecordBuffer(memory.work());

  SectionTest() {
    record.begin(WalLayout.KIND_COMMIT, 0, 1);
  }

  @AfterEach
  void close() {
    record.free();
    memory.close();
  }

  /** Ends the record; its only section is at the end of the header. */
  private void assertHeader(
      SectionKind kind, int flags, int payload, int tablet, int n, int column, long extra) {
    record.end();
    MemorySegment s = record.pieces().getFirst();
    long at = WalLayout.RECORD_HEADER_BYTES;
    assertThat(record.sections()).isOne();
    assertThat(s.get(JAVA_SHORT, at + WalLayout.SECTION_KIND_AT)).isEqualTo((short) kind.code());
    assertThat(s.get(JAVA_SHORT, at + WalLayout.SECTION_FLAGS_AT)).isEqualTo((short) flags);
    assertThat(s.get(JAVA_INT, at + WalLayout.SECTION_PAYLOAD_BYTES_AT)).isEqualTo(payload);
    assertThat(s.get(JAVA_INT, at + WalLayout.SECTION_TABLE_AT)).isEqualTo(TABLE);
    assertThat(s.get(JAVA_INT, at + WalLayout.SECTION_TABLET_AT)).isEqualTo(tablet);
    assertThat(s.get(JAVA_INT, at + WalLayout.SECTION_N_AT)).isEqualTo(n);
    assertThat(s.get(JAVA_INT, at + WalLayout.SECTION_COLUMN_AT)).isEqualTo(column);
    assertThat(s.get(JAVA_LONG, at + WalLayout.SECTION_EXTRA_AT)).isEqualTo(extra);
  }

  private <S extends Section> S read(Class<S> type) {
    List<Section> sections = new ArrayList<>();
    new WalRecord(0, record.pieces().getFirst()).forEachSection(sections::add);
    assertThat(sections).hasSize(1);
    assertThat(sections.getFirst().tableId()).isEqualTo(TABLE);
    return type.cast(sections.getFirst());
  }

  /** The section again, with all of its payload but the last 8 bytes. */
  private void cutPayload() {
    long at = WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_PAYLOAD_BYTES_AT;
    MemorySegment s = record.pieces().getFirst();
    s.set(JAVA_INT, at, s.get(JAVA_INT, at) - WalLayout.SECTION_ALIGNMENT);
  }

  private static void assertDamaged(Runnable reading) {
    assertThatThrownBy(reading::run)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  private void assertDamagedWithoutItsEnd(Class<? extends Section> type) {
    cutPayload();
    assertDamaged(() -> read(type));
  }

  private void assertDamagedWithN(int n) {
    record
        .pieces()
        .getFirst()
        .set(JAVA_INT, WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_N_AT, n);
    assertDamaged(() -> read(Section.class));
  }

  @Test
  void aTableMade() {
    byte[] shape = "a shape of 20 bytes.".getBytes(UTF_8);
    new TableSection.CreateTable(TABLE, MemorySegment.ofArray(shape)).write(record);
    assertHeader(SectionKind.CREATE_TABLE, 0, 24, -1, 20, -1, 0);
    MemorySegment found = read(TableSection.CreateTable.class).shape();
    assertThat(found.mismatch(MemorySegment.ofArray(shape))).isEqualTo(-1);
    assertDamagedWithoutItsEnd(TableSection.CreateTable.class);
  }

  @Test
  void aTableGrown() {
    byte[] shape = "a shape of 20 bytes.".getBytes(UTF_8);
    new TableSection.GrowTable(TABLE, MemorySegment.ofArray(shape), -5, true).write(record);
    assertHeader(SectionKind.GROW_TABLE, 1, 24, -1, 20, -1, -5);
    TableSection.GrowTable found = read(TableSection.GrowTable.class);
    assertThat(found.shape().mismatch(MemorySegment.ofArray(shape))).isEqualTo(-1);
    assertThat(found.raw()).isEqualTo(-5);
    assertThat(found.isNull()).isTrue();
    assertDamagedWithoutItsEnd(TableSection.GrowTable.class);
  }

  @Test
  void aTableDropped() {
    new TableSection.DropTable(TABLE).write(record);
    assertHeader(SectionKind.DROP_TABLE, 0, 0, -1, 0, -1, 0);
    assertThat(read(TableSection.DropTable.class)).isEqualTo(new TableSection.DropTable(TABLE));
    assertDamagedWithN(-1);
  }

  @Test
  void theRowsThatATableHas() {
    new TableSection.RowLimit(TABLE, 1L << 33).write(record);
    assertHeader(SectionKind.ROW_LIMIT, 0, 0, -1, 0, -1, 1L << 33);
    assertThat(read(TableSection.RowLimit.class).rows()).isEqualTo(1L << 33);
  }

  @Test
  void rowsInPlace() {
    InsertSection.InsertInPlace section = new InsertSection.InsertInPlace(TABLE, FIRST_ROW, 7);
    section.write(record);
    assertHeader(SectionKind.INSERT_IN_PLACE, 0, 0, TABLET, 7, -1, FIRST_ROW);
    assertThat(read(InsertSection.InsertInPlace.class)).isEqualTo(section);
  }

  @Test
  void theHomeOfAChunk() {
    ChangeSection.Extent section =
        new ChangeSection.Extent(TABLE, TABLET, COLUMN, ChunkKind.VALIDITY, 8192);
    section.write(record);
    assertHeader(SectionKind.EXTENT, 0, 0, TABLET, 2, COLUMN, 8192);
    assertThat(read(ChangeSection.Extent.class)).isEqualTo(section);
    assertDamagedWithN(9);
  }

  @Test
  void hintsOfAnIndex() {
    ChangeSection.Hints hints = ChangeSection.Hints.begin(record, TABLE, TABLET, 1, 2);
    hints.put(0, 70);
    hints.put(1, 80);
    assertHeader(SectionKind.HINTS, 0, 32, TABLET, 2, 1, 0);
    ChangeSection.Hints found = read(ChangeSection.Hints.class);
    assertThat(found.index()).isOne();
    assertThat(found.n()).isEqualTo(2);
    assertThat(found.row(0)).isEqualTo(70);
    assertThat(found.row(1)).isEqualTo(80);
    assertDamagedWithN(Integer.MAX_VALUE);
  }

  @Test
  void eventsOfADictionary() {
    byte[][] strings = {"one".getBytes(UTF_8), null, {}};
    StringSection.Strings.write(record, TABLE, COLUMN, 40, 3, new int[] {7, 2, 8}, strings);
    assertHeader(SectionKind.STRINGS, 0, 32, -1, 3, COLUMN, 40);
    List<String> events = new ArrayList<>();
    read(StringSection.Strings.class)
        .forEach(
            (i, code, s) -> events.add(i + ":" + code + ":" + (s == null ? -1 : s.byteSize())));
    assertThat(events).containsExactly("40:7:3", "41:2:-1", "42:8:0");
    assertDamagedWithoutItsEnd(StringSection.Strings.class);
  }

  /** Nobody writes it any more. */
  @Test
  void stringsOfEarlierVersions() {
    MemorySegment strings = dictionary(40, 3);
    strings.set(JAVA_INT_UNALIGNED, 0, 5);
    MemorySegment.copy("sieve".getBytes(UTF_8), 0, strings, JAVA_BYTE, 4, 5);
    strings.set(JAVA_INT_UNALIGNED, 9, 0);
    strings.set(JAVA_INT_UNALIGNED, 13, 3);
    MemorySegment.copy("two".getBytes(UTF_8), 0, strings, JAVA_BYTE, 17, 3);
    assertHeader(SectionKind.DICTIONARY, 0, 24, -1, 3, COLUMN, 40);
    StringSection.Dictionary found = read(StringSection.Dictionary.class);
    assertThat(found.column()).isEqualTo(COLUMN);
    assertThat(found.n()).isEqualTo(3);
    List<String> entries = new ArrayList<>();
    found.forEach((code, s) -> entries.add(code + ":" + s.byteSize()));
    assertThat(entries).containsExactly("40:5", "41:0", "42:3");
    for (int said : new int[] {8, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      strings.set(JAVA_INT_UNALIGNED, 13, said);
      assertDamaged(() -> read(StringSection.Dictionary.class));
    }
    strings.set(JAVA_INT_UNALIGNED, 13, 7);
    assertThat(read(StringSection.Dictionary.class).n()).isEqualTo(3);
    assertDamagedWithoutItsEnd(StringSection.Dictionary.class);
  }

  @Test
  void codesOfEarlierVersionsAreOnesThatADictionaryHas() {
    int greatest = Integer.MAX_VALUE - 1;
    dictionary(greatest, 1);
    record.end();
    assertThat(read(StringSection.Dictionary.class).firstCode()).isEqualTo(greatest);
    for (long code : new long[] {-1, Integer.MAX_VALUE, 1L << 32, Long.MIN_VALUE}) {
      long extra = WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_EXTRA_AT;
      record.pieces().getFirst().set(JAVA_LONG, extra, code);
      assertDamaged(() -> read(StringSection.Dictionary.class));
    }
  }

  private MemorySegment dictionary(long firstCode, int n) {
    MemorySegment strings =
        new SectionHeader(
                SectionKind.DICTIONARY, 0, TABLE, SectionHeader.NONE, n, COLUMN, firstCode)
            .begin(record, 24);
    return strings.fill((byte) 0);
  }

  @Test
  void aStringIsAsLongAsItsPayloadAtMost() {
    byte[][] strings = {new byte[8]};
    StringSection.Strings.write(record, TABLE, COLUMN, 0, 1, new int[1], strings);
    record.end();
    long length = WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_HEADER_BYTES + Integer.BYTES;
    for (int said : new int[] {9, Integer.MAX_VALUE, -2, Integer.MIN_VALUE}) {
      record.pieces().getFirst().set(JAVA_INT, length, said);
      assertDamaged(() -> read(StringSection.Strings.class));
    }
  }

  @Test
  void updatesRowByRow() {
    MemorySegment entries =
        ChangeSection.Update.begin(record, TABLE, TABLET, COLUMN, 3, 2, true, true);
    assertThat(entries.byteSize()).isEqualTo(24);
    entries.copyFrom(MemorySegment.ofArray(new int[] {4, 40, 5 | 1 << 31, 50, 6, 60}));
    assertHeader(SectionKind.UPDATE, 3, 24, TABLET, 3, COLUMN, 0);
    ChangeSection.Update found = read(ChangeSection.Update.class);
    assertThat(found.column()).isEqualTo(COLUMN);
    assertThat(found.isNullable()).isTrue();
    assertThat(found.row(1, 2)).isEqualTo(5);
    assertThat(found.rows(2)).containsExactly(4, 5, 6);
    assertThat(found.isNull(1, 2)).isTrue();
    assertThat(found.isNull(2, 2)).isFalse();
    assertThat(found.word(2, 1, 2)).isEqualTo(60);
    assertThat(found.isWhole(2)).isTrue();
    assertThat(found.isWhole(3)).isFalse();
  }

  @Test
  void anUpdateSaysWhatItIsFlagByFlag() {
    for (int flags = 0; flags < 4; flags++) {
      boolean rowMajor = (flags & WalLayout.FLAG_ROW_MAJOR) != 0;
      boolean nullable = (flags & WalLayout.FLAG_NULLABLE) != 0;
      record.begin(1, 0, 7);
      ChangeSection.Update.begin(record, TABLE, TABLET, COLUMN, 3, 2, rowMajor, nullable);
      record.end();
      ChangeSection.Update found = read(ChangeSection.Update.class);
      assertThat(found.isRowMajor()).isEqualTo(rowMajor);
      assertThat(found.isNullable()).isEqualTo(nullable);
    }
  }

  @Test
  void updatesInGroups() {
    MemorySegment entries =
        ChangeSection.Update.begin(record, TABLE, TABLET, COLUMN, 33, 3, false, false);
    for (int i = 0; i < entries.byteSize() / Integer.BYTES; i++) {
      entries.setAtIndex(JAVA_INT, i, i);
    }
    assertHeader(SectionKind.UPDATE, 0, 2 * 32 * 3 * 4, TABLET, 33, COLUMN, 0);
    ChangeSection.Update found = read(ChangeSection.Update.class);
    assertThat(found.row(31, 3)).isEqualTo(31);
    entries.setAtIndex(JAVA_INT, 7, 7 | 1 << 31);
    assertThat(found.rows(3))
        .isEqualTo(IntStream.range(0, 33).map(i -> found.row(i, 3)).toArray())
        .endsWith(30, 31, 32 * 3);
    assertThat(found.word(32, 2, 3)).isEqualTo(32 * 3 + 64);
    cutPayload();
    assertThat(read(ChangeSection.Update.class).isWhole(3)).isFalse();
  }

  @Test
  void deletes() {
    MemorySegment rows = ChangeSection.Delete.begin(record, TABLE, TABLET, 3, true);
    rows.copyFrom(MemorySegment.ofArray(new int[] {4, 5, 6}));
    assertHeader(SectionKind.DELETE, 1, 16, TABLET, 3, -1, 0);
    assertThat(read(ChangeSection.Delete.class).row(2)).isEqualTo(6);
    assertThat(read(ChangeSection.Delete.class).rowNumbers()).containsExactly(4, 5, 6);
    assertDamagedWithoutItsEnd(ChangeSection.Delete.class);
  }

  @Test
  void deletesInGroups() {
    assertThat(ChangeSection.Delete.begin(record, TABLE, TABLET, 33, false).byteSize())
        .isEqualTo(256);
    assertHeader(SectionKind.DELETE, 0, 256, TABLET, 33, -1, 0);
    assertDamagedWithN(65);
  }

  @Test
  void insertedValues() {
    MemorySegment bitmap = MemorySegment.ofArray(new int[] {0b1011 << 4});
    InsertedValidity nulls = InsertedValidity.of(bitmap, 4, 3);
    InsertedValidity all = InsertedValidity.of(bitmap, 4, 2);
    assertThat(all.bitmap()).isNull();
    InsertSection.Insert.write(
        record,
        TABLE,
        FIRST_ROW,
        3,
        1,
        List.of(
            new InsertSection.Insert.NewColumn(nulls, 3 * Integer.BYTES),
            new InsertSection.Insert.NewColumn(all, 3 * Long.BYTES)),
        columns -> {
          columns.get(0).copyFrom(MemorySegment.ofArray(new int[] {7, 0, 9}));
          columns.get(1).copyFrom(MemorySegment.ofArray(new long[] {70, 80, 90}));
        });
    int payload = 8 + 8 + 16 + 8 + 24;
    assertHeader(SectionKind.INSERT, 0, payload, 2, 3, 1, FIRST_ROW);
    InsertSection.Insert found = read(InsertSection.Insert.class);
    assertThat(found.firstRow()).isEqualTo(FIRST_ROW);
    assertThat(found.columnCount()).isEqualTo(2);
    List<InsertSection.Insert.Column> columns = found.columns(SHAPES);
    assertThat(columns.get(0).validity().bitmap().get(JAVA_INT, 0)).isEqualTo(0b011);
    assertThat(columns.get(0).values().toArray(JAVA_INT)).containsExactly(7, 0, 9);
    assertThat(columns.get(1).validity().bitmap()).isNull();
    assertThat(columns.get(1).values().toArray(JAVA_LONG)).containsExactly(70, 80, 90);
    cutPayload();
    assertDamaged(() -> read(InsertSection.Insert.class).columns(SHAPES));
  }

  private static ExtentReference reference(int bytes) {
    int[] checksums = new int[Math.ceilDiv(bytes, 4096)];
    checksums[0] = 77;
    return new ExtentReference(1 << 16, bytes, 4096, MemorySegment.ofArray(checksums));
  }

  @Test
  void insertedValuesInExtents() {
    MemorySegment bitmap = MemorySegment.ofArray(new int[] {1});
    new InsertSection.InsertInExtents(
            TABLE,
            FIRST_ROW,
            2,
            0,
            List.of(
                new InsertSection.InsertInExtents.ColumnInExtent(
                    InsertedValidity.of(null, 0, 2), reference(4097)),
                new InsertSection.InsertInExtents.ColumnInExtent(
                    InsertedValidity.of(bitmap, 0, 2), reference(8))))
        .write(record);
    int payload = 8 + 16 + 8 + 8 + 8 + 16 + 8;
    assertHeader(SectionKind.INSERT_IN_EXTENTS, 0, payload, 2, 2, 0, FIRST_ROW);
    InsertSection.InsertInExtents found = read(InsertSection.InsertInExtents.class);
    assertThat(found.columns().get(1).validity().bitmap().get(JAVA_INT, 0)).isEqualTo(1);
    assertThat(found.references()).hasSize(2);
    assertThat(found.references().getFirst().bytes()).isEqualTo(4097);
    assertThat(found.references().getFirst().checksums().toArray(JAVA_INT)).containsExactly(77, 0);
    assertDamagedWithoutItsEnd(InsertSection.InsertInExtents.class);
    long columns = WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_TABLET_AT;
    for (int said : new int[] {-1, 3, Integer.MAX_VALUE}) {
      record.pieces().getFirst().set(JAVA_INT, columns, said);
      assertDamaged(() -> read(InsertSection.InsertInExtents.class));
    }
    assertDamagedWithN(-100);
  }

  @Test
  void aVersionOfSomeRows() {
    MemorySegment chosen = MemorySegment.ofArray(new int[] {0b101, 9, 9});
    MemorySegment validity = MemorySegment.ofArray(new int[] {0b001, 1});
    new ChangeSection.Version(TABLE, TABLET, COLUMN, 33, reference(132), chosen, validity)
        .write(record);
    assertHeader(SectionKind.VERSION, 6, 16 + 8 + 8 + 8, TABLET, 33, COLUMN, 0);
    ChangeSection.Version found = read(ChangeSection.Version.class);
    assertThat(found.chosen().toArray(JAVA_INT)).containsExactly(0b101, 9);
    assertThat(found.validity().toArray(JAVA_INT)).containsExactly(0b001, 1);
    assertThat(found.references()).containsExactly(found.values());
    assertDamagedWithoutItsEnd(ChangeSection.Version.class);
  }

  @Test
  void aVersionOfAllRows() {
    new ChangeSection.Version(TABLE, TABLET, COLUMN, 33, reference(132), null, null).write(record);
    assertHeader(SectionKind.VERSION, 0, 16 + 8, TABLET, 33, COLUMN, 0);
    assertThat(read(ChangeSection.Version.class).chosen()).isNull();
    assertThat(read(ChangeSection.Version.class).validity()).isNull();
    long bytes = WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_HEADER_BYTES;
    record.pieces().getFirst().set(JAVA_INT, bytes + ExtentReference.BYTES_AT, Integer.MAX_VALUE);
    assertDamaged(() -> read(ChangeSection.Version.class));
  }

  /** No earlier contents of the memory are written to the log. */
  @Test
  void paddingIsZero() {
    record.section(1024).fill((byte) -1);
    record.begin(WalLayout.KIND_COMMIT, 0, 1);
    MemorySegment checksums = MemorySegment.ofArray(new int[] {1, 2, 3});
    MemorySegment bits = MemorySegment.ofArray(new int[] {-1});
    ExtentReference values = new ExtentReference(8192, 24, 8, checksums);
    new ChangeSection.Version(TABLE, TABLET, COLUMN, 3, values, bits, bits).write(record);
    MemorySegment s = record.pieces().getFirst();
    long at = WalLayout.RECORD_HEADER_BYTES + WalLayout.SECTION_HEADER_BYTES;
    assertThat(s.get(JAVA_INT, at + 16 + 8)).isEqualTo(3);
    for (long padding : new long[] {16 + 12, 16 + 16 + 4, 16 + 16 + 8 + 4}) {
      assertThat(s.get(JAVA_INT, at + padding)).as("at %d", padding).isZero();
    }
  }

  /** Also from the middle of what was gathered on: until the record has its length, or more. */
  @Test
  void sectionsAreCopiedUntilTheRecordIsLongEnough() {
    RecordBuffer gathering = new RecordBuffer(memory.work());
    gathering.begin(WalLayout.KIND_COMMIT, 0, 1);
    int sections = 100;
    for (int i = 0; i < sections; i++) {
      new TableSection.DropTable(TABLE + i).write(gathering);
    }
    long sectionBytes = WalLayout.SECTION_HEADER_BYTES;
    MemorySegment gathered =
        gathering
            .pieces()
            .getFirst()
            .asSlice(WalLayout.RECORD_HEADER_BYTES, sections * sectionBytes);
    List<Integer> tables = new ArrayList<>();
    long limit = WalLayout.RECORD_HEADER_BYTES + 7 * sectionBytes;
    for (long at = 0; at < gathered.byteSize(); ) {
      record.begin(WalLayout.KIND_COMMIT, 0, 1);
      List<Long> lengths = new ArrayList<>();
      long next = record.takeSections(gathered, at, limit, (kind, bytes) -> lengths.add(bytes));
      long copied = Math.min(7, (gathered.byteSize() - at) / sectionBytes);
      assertThat(next).isEqualTo(at + copied * sectionBytes);
      assertThat(lengths).hasSize((int) copied).containsOnly(sectionBytes);
      assertThat(record.sections()).isEqualTo((int) copied);
      record.end();
      new WalRecord(0, record.pieces().getFirst()).forEachSection(s -> tables.add(s.tableId()));
      at = next;
    }
    assertThat(tables).hasSize(sections).startsWith(TABLE, TABLE + 1).doesNotHaveDuplicates();
    gathering.free();
  }

  @Test
  void aStringThatIsLongerThanAnyIsDamage() {
    for (int more : new int[] {0, 1}) {
      byte[] string = new byte[Dictionary.MAX_LENGTH_BYTES + more];
      record.begin(WalLayout.KIND_COMMIT, 0, 1);
      StringSection.Strings.write(
          record, TABLE, COLUMN, 0, 1, new int[] {0}, new byte[][] {string});
      record.end();
      if (more > 0) {
        assertDamaged(() -> read(StringSection.Strings.class));
      } else {
        assertThat(read(StringSection.Strings.class).n()).isEqualTo(1);
      }
    }
  }
}
