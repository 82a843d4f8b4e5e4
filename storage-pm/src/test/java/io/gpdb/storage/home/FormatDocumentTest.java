package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.dictionary.CodeStrings;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.HashIndexLayout;
import io.gpdb.storage.index.OrderedIndexLayout;
import io.gpdb.storage.table.SampleTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds docs/internals/file-format.md against the constants. */
class FormatDocumentTest {
  private String document;

  @BeforeEach
  void read() throws IOException {
    document = Files.readString(Path.of("../docs/internals/file-format.md"));
  }

  private void assertRow(Object... cells) {
    StringBuilder row = new StringBuilder("|");
    for (Object cell : cells) {
      row.append(' ').append(cell).append(" |");
    }
    assertThat(document).contains(row);
  }

  private void assertField(int offset, int bytes, String field) {
    assertThat(document).contains("| " + offset + " | " + bytes + " | " + field);
  }

  private static String ascii(long magic) {
    byte[] b = new byte[8];
    ByteBuffer.wrap(b).order(ByteOrder.LITTLE_ENDIAN).putLong(magic);
    return new String(b, StandardCharsets.US_ASCII);
  }

  @Test
  void superblockFieldsAreWhereTheDocumentSays() {
    assertField(SuperblockLayout.MAGIC_OFFSET, 8, "magic: `" + ascii(SuperblockLayout.MAGIC) + "`");
    assertField(
        SuperblockLayout.VERSION_OFFSET, 4, "format version: " + SuperblockLayout.FORMAT_VERSION);
    assertField(SuperblockLayout.GENERATION_OFFSET, 8, "generation");
    assertField(SuperblockLayout.ROOT_OFFSET_OFFSET, 8, "root directory: offset");
    assertField(SuperblockLayout.ROOT_BYTES_OFFSET, 8, "root directory: bytes");
    assertField(SuperblockLayout.ROOT_CRC_OFFSET, 4, "root directory: checksum");
    assertField(SuperblockLayout.WAL_POSITION_OFFSET, 8, "log position");
    assertField(SuperblockLayout.DATABASE_ID_OFFSET, 16, "database id");
    assertField(
        SuperblockLayout.CRC_OFFSET,
        4,
        "checksum of bytes 0 to " + (SuperblockLayout.CRC_COVERS_BYTES - 1));
    assertThat(document)
        .contains(
            "Two blocks of %d bytes, A at 0, B at %d"
                .formatted(SuperblockLayout.BLOCK_BYTES, SuperblockLayout.BLOCK_BYTES));
  }

  @Test
  void aSuperblockIsWhatItWasEncodedFrom() {
    Superblock block = new Superblock(7, new Extent(8192, 99, -5, true), 1L << 40, new UUID(1, -2));
    assertThat(Superblock.decode(block.encode(), "here")).isEqualTo(block);
    byte[] torn = block.encode();
    torn[SuperblockLayout.WAL_POSITION_OFFSET]++;
    assertThat(Superblock.decode(torn, "here")).isNull();
    assertThat(Superblock.isBlank(torn)).isFalse();
  }

  @Test
  void rootDirectoryConstantsAreThoseOfTheDocument() {
    assertField(RootLayout.MAGIC_OFFSET, 8, "magic: `" + ascii(RootLayout.MAGIC) + "`");
    assertField(RootLayout.VERSION_OFFSET, 4, "version: " + RootLayout.VERSION);
    assertThat(document).contains("| " + RootLayout.BODY_OFFSET + " | | body |");
    assertRow(RootLayout.FLAG_PRESENT, "present");
    assertRow(RootLayout.FLAG_SEALED, "sealed");
    assertThat(document).contains("offset / " + RootLayout.EXTENT_UNIT_BYTES);
    assertThat(RootLayout.EXTENT_UNIT_BYTES).isEqualTo(ExtentAllocator.MIN_BYTES);
  }

  @Test
  void aRootDirectoryOfTheFirstVersionHasNoRanges() {
    RootImage old = new RootImage(new byte[] {3}, java.util.List.of());
    byte[] encoded = RootCodec.encode(old);
    encoded[RootLayout.VERSION_OFFSET] = RootLayout.VERSION_WITHOUT_RANGES;
    assertThat(RootCodec.decode(encoded, "here").state()).containsExactly(3);
    assertThat(document)
        .contains("Version %d has no ranges".formatted(RootLayout.VERSION_WITHOUT_RANGES));
  }

  @Test
  void elementTypesHaveTheTagsOfTheDocument() {
    for (ElementType type : ElementType.values()) {
      assertRow(type, type.tag(), type.bytes());
      assertThat(ElementType.ofTag(type.tag())).isEqualTo(type);
    }
  }

  @Test
  void indexKindsHaveTheTagsOfTheDocument() {
    int[] columns = {1, 0};
    for (IndexKind kind : IndexKind.values()) {
      assertRow(kind, kind.tag(true), kind.tag(false));
      for (boolean unique : new boolean[] {true, false}) {
        boolean[] descending = {false, kind.isOrdered()};
        assertThat(IndexKind.shapeOf(kind.tag(unique), 7, columns, descending))
            .isEqualTo(new IndexShape(7, kind, columns, descending, unique));
      }
    }
    assertThatThrownBy(() -> IndexKind.shapeOf((byte) 1, 7, columns, new boolean[2]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("index of kind 1");
  }

  @Test
  void indexConstantsAreThoseOfTheDocument() {
    assertRow("slot bytes", HashIndexLayout.SLOT_BYTES);
    assertRow("slots of a group", HashIndexLayout.GROUP_SLOTS);
    assertRow("groups of a bucket", HashIndexLayout.BUCKET_GROUPS);
    assertRow("buckets of a page, at most", 1 << HashIndexLayout.PAGE_BUCKET_BITS_MAX);
    assertRow("prefix bits", HashIndexLayout.PREFIX_BITS);
    assertRow("step bits", HashIndexLayout.STEP_BITS);
    assertRow("row bits", HashIndexLayout.ROW_BITS);
    assertRow("runs of an index, at most", HashIndexLayout.RUNS_MAX);
    assertThat(HashIndexLayout.PREFIX_BITS + HashIndexLayout.STEP_BITS + HashIndexLayout.ROW_BITS)
        .isEqualTo(64);
    assertRow("header bytes of a leaf", OrderedIndexLayout.HEADER_BYTES);
    assertRow("slot bytes of a leaf", OrderedIndexLayout.SLOT_BYTES);
    assertRow("key length bytes", OrderedIndexLayout.LENGTH_BYTES);
    assertRow("row bytes", OrderedIndexLayout.ROW_BYTES);
    assertRow("bytes behind the entries", OrderedIndexLayout.TAIL_BYTES);
    assertRow("bytes of a leaf, at least", OrderedIndexLayout.LEAF_BYTES_MIN);
    assertRow("bytes of a leaf, at most", OrderedIndexLayout.LEAF_BYTES_MAX);
    assertRow("key bytes, at most", OrderedIndexLayout.KEY_BYTES_MAX);
    assertThat(document).contains("offset << " + CodeStrings.LENGTH_BITS + " | length");
  }

  @Test
  void aRootDirectoryThatIsCutAnywhereIsRefused() {
    byte[] whole = RootCodec.encode(sampleRoot());
    assertThat(RootCodec.decode(whole, "here").tables()).isEqualTo(sampleRoot().tables());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> RootCodec.decode(cut, "here"))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
  }

  private static RootImage sampleRoot() {
    Extent some = new Extent(8192, 1234, 99, true);
    Extent bound = Extent.unsealed(1 << 20, 1 << 18);
    return new RootImage(
        new byte[] {1, 2},
        java.util.List.of(
            new RootImage.TableImage(
                16,
                SampleTables.SHAPE,
                100,
                java.util.List.of(
                    new RootImage.TabletImage(
                        100,
                        java.util.List.of(some, some, bound),
                        java.util.Arrays.asList(null, null, some),
                        some,
                        java.util.Arrays.asList(
                            new ColumnRange(100, 0, -7, 1L << 40),
                            new ColumnRange(100, 100, Long.MAX_VALUE, Long.MIN_VALUE),
                            null))),
                java.util.Arrays.asList(
                    null,
                    new RootImage.DictionaryImage(
                        5, 50, 7, java.util.List.of(some), java.util.Arrays.asList(null, some)),
                    null),
                java.util.List.of(
                    new RootImage.IndexImage(
                        java.util.List.of(new RootImage.PageImage(0, 0, 3, some)),
                        java.util.List.of(),
                        java.util.List.of(
                            new RootImage.RunImage(-9, 1, 40, 0),
                            new RootImage.RunImage(1L << 40, 1L << 50, 200, 1 << 20)))))));
  }
}
