package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Root directories of earlier versions, and such as nobody writes. */
class RootVersionsTest {
  private static final byte[] STATE = {7};
  private static final Extent SEALED = new Extent(8192, 10, 5, true);
  private static final Extent OPEN = new Extent(16384, 10, 5, false);

  private static RootImage strings(int codes, long next, long events, int... keys) {
    TableShape shape =
        new TableShape(
            List.of(new ColumnShape("S", ElementType.CODE)),
            keys.length == 0 ? List.of() : List.of(new IndexShape(0, keys, true)));
    return new RootImage(
        STATE,
        List.of(
            new TableImage(
                9,
                shape,
                0,
                List.of(),
                List.of(new DictionaryImage(codes, next, events, List.of(), List.of())),
                List.of())));
  }

  private static RootImage numbers() {
    TabletImage tablet =
        new TabletImage(
            3,
            List.of(SEALED),
            Collections.singletonList(null),
            OPEN,
            Collections.singletonList(null));
    return new RootImage(
        STATE,
        List.of(
            new TableImage(
                9,
                new TableShape(List.of(new ColumnShape("N", ElementType.I32)), List.of()),
                5,
                List.of(tablet),
                Collections.singletonList(null),
                List.of())));
  }

  private static RootImage decode(byte[] encoded, int version, int length) {
    byte[] bytes = Arrays.copyOf(encoded, length);
    bytes[RootLayout.VERSION_OFFSET] = (byte) version;
    return RootCodec.decode(bytes, "test");
  }

  private static void assertDamaged(byte[] encoded, int version, int length) {
    assertThatThrownBy(() -> decode(encoded, version, length))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  /** The first version does not say what columns hold. */
  @Test
  void rangesAreReadWhereTheVersionHasThem() {
    byte[] whole = RootCodec.encode(numbers());
    for (int version : new int[] {2, 3, 4}) {
      assertThat(decode(whole, version, whole.length).tables()).isEqualTo(numbers().tables());
      assertDamaged(whole, version, whole.length - 1);
    }
    assertThat(decode(whole, 1, whole.length - 1).tables()).isEqualTo(numbers().tables());
    assertDamaged(whole, 1, whole.length);
    assertThat(decode(whole, 1, whole.length - 1).state()).isEqualTo(STATE);
    for (int version : new int[] {0, -1, 5}) {
      assertDamaged(whole, version, whole.length);
    }
    assertDamaged(whole, 3, whole.length + 1);
  }

  /** Up to the second version events of dictionaries were not counted. */
  @Test
  void eventsAreReadWhereTheVersionHasThem() {
    byte[] whole = RootCodec.encode(strings(5, 6, 77));
    assertThat(decode(whole, 3, whole.length).tables()).isEqualTo(strings(5, 6, 77).tables());
    byte[] without = Arrays.copyOf(whole, whole.length - 1);
    assertThat(whole[whole.length - 3]).isEqualTo((byte) 77);
    without[without.length - 2] = 0;
    for (int version : new int[] {1, 2}) {
      assertThat(decode(without, version, without.length).tables())
          .isEqualTo(strings(5, 6, 0).tables());
      assertDamaged(whole, version, whole.length);
    }
    assertDamaged(without, 3, without.length);
  }

  private static RootImage runs(RunImage... runs) {
    TableShape shape =
        new TableShape(
            List.of(new ColumnShape("N", ElementType.I64)),
            List.of(new IndexShape(0, new int[] {0}, true)));
    IndexImage index =
        new IndexImage(List.of(new PageImage(0, 0, 1, SEALED)), List.of(OPEN), List.of(runs));
    return new RootImage(
        STATE,
        List.of(
            new TableImage(
                9, shape, 0, List.of(), Collections.singletonList(null), List.of(index))));
  }

  /** Up to the third version all entries of an index were in pages. */
  @Test
  void runsAreReadWhereTheVersionHasThem() {
    RootImage some = runs(new RunImage(-1, 3, 200, 1L << 36), new RunImage(1L << 60, 1, 64, 0));
    byte[] whole = RootCodec.encode(some);
    assertThat(decode(whole, 4, whole.length).tables()).isEqualTo(some.tables());
    assertDamaged(whole, 3, whole.length);
    assertDamaged(whole, 4, whole.length - 1);
    byte[] none = RootCodec.encode(runs());
    assertThat(decode(none, 4, none.length).tables()).isEqualTo(runs().tables());
    assertThat(decode(none, 3, none.length - 1).tables()).isEqualTo(runs().tables());
    assertDamaged(none, 4, none.length - 1);
  }

  @Test
  void numbersThatNobodyWritesAreDamage() {
    for (long bad : new long[] {-1, -4096, Long.MIN_VALUE}) {
      for (RootImage root : List.of(strings(5, bad, 7), strings(5, 6, bad))) {
        byte[] encoded = RootCodec.encode(root);
        assertDamaged(encoded, 3, encoded.length);
      }
    }
    for (RootImage root : List.of(strings(-1, 6, 7), strings(5, 6, 7, 1), strings(5, 6, 7, -1))) {
      byte[] encoded = RootCodec.encode(root);
      assertDamaged(encoded, 3, encoded.length);
    }
    byte[] zero = RootCodec.encode(strings(0, 0, 0));
    assertThat(decode(zero, 3, zero.length).tables()).isEqualTo(strings(0, 0, 0).tables());
  }

  @Test
  void whatFollowsTheFieldsOfASuperblockIsZero() {
    byte[] block = new Superblock(9, SEALED, 0, new java.util.UUID(1, 2)).encode();
    assertThat(Superblock.isPadded(block)).isTrue();
    for (int at : new int[] {76, 77, 100, 4095}) {
      byte[] other = block.clone();
      other[at] = 1;
      assertThat(Superblock.isPadded(other)).as("byte " + at).isFalse();
    }
    assertThat(Superblock.isBlank(new byte[4096])).isTrue();
    assertThat(Superblock.isBlank(block)).isFalse();
  }
}
