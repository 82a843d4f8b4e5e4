package io.gpdb.exec.library.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.scan.PassingRows;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that pass a filter of keys, held against a set of the keys. */
class KeyFilterTest {
  private static final int PIECE = 1 << 13;

  private final Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 3, false));

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 64, 65, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7})
  void rowsPassThatHaveAKey(int rows) {
    SplittableRandom random = new SplittableRandom(rows);
    for (int round = 0; round < 40; round++) {
      ElementType element = random.nextBoolean() ? ElementType.I32 : ElementType.I64;
      long base = base(random, element);
      int range = 1 + random.nextInt(1 + 2 * rows);
      PassingRows.Column kept = column(random, element, base, range, random.nextInt(1 + rows));
      PassingRows.Column asked = column(random, element, base - range / 4, range, rows);
      HostBuffer live = random.nextBoolean() ? bits(random, rows) : null;
      KeyFilter filter = KeyFilter.of(device, element, kept);
      assertThat(filter).isNotNull();
      Set<Long> keys = keys(element, kept);
      assertThat(filter.numbers()).isEqualTo(keys.size());
      HostBuffer passing = HostBuffer.collected(Bitmaps.bytes(rows));
      passing.fill((byte) 0x5a);
      int all = filter.pass(new KeyFilter.Rows(asked, live, passing));
      int expected = 0;
      for (int row = 0; row < rows; row++) {
        boolean passes =
            isSet(asked.validity(), row)
                && isSet(live, row)
                && keys.contains(element.rawAt(asked.values(), row));
        assertThat(Bitmaps.test(passing, row)).as("row %d of %d", row, rows).isEqualTo(passes);
        expected += passes ? 1 : 0;
      }
      assertThat(all).isEqualTo(expected);
    }
  }

  @Test
  void severalColumnsAreAskedTogetherAsEachAlone() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 60; round++) {
      PassingRows.Column kept = column(random, ElementType.I32, 0, 500, 300);
      KeyFilter filter = Objects.requireNonNull(KeyFilter.of(device, ElementType.I32, kept));
      List<KeyFilter.Rows> together = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        int rows = random.nextInt(3) * random.nextInt(1 + 2 * PIECE);
        PassingRows.Column asked = column(random, ElementType.I32, -100, 700, rows);
        HostBuffer live = random.nextBoolean() ? bits(random, rows) : null;
        HostBuffer passing = HostBuffer.collected(Math.max(8, Bitmaps.bytes(rows)));
        together.add(new KeyFilter.Rows(asked, live, passing));
      }
      int[] counts = filter.pass(together);
      for (int i = 0; i < counts.length; i++) {
        KeyFilter.Rows rows = together.get(i);
        int all = rows.column().rows();
        HostBuffer alone = HostBuffer.collected(Math.max(8, Bitmaps.bytes(all)));
        assertThat(counts[i])
            .isEqualTo(filter.pass(new KeyFilter.Rows(rows.column(), rows.live(), alone)));
        for (int row = 0; row < all; row++) {
          assertThat(Bitmaps.test(rows.passing(), row)).isEqualTo(Bitmaps.test(alone, row));
        }
      }
    }
  }

  @Test
  void keysFarApartHaveNoFilter() {
    HostBuffer values = HostBuffer.collected(16);
    values.setLong(0, Long.MIN_VALUE);
    values.setLong(1, Long.MAX_VALUE);
    assertThat(KeyFilter.of(device, ElementType.I64, new PassingRows.Column(values, null, 2)))
        .isNull();
    values.setLong(0, 0);
    values.setLong(1, 1L << 40);
    assertThat(KeyFilter.of(device, ElementType.I64, new PassingRows.Column(values, null, 2)))
        .isNull();
  }

  @Test
  void keysThatFollowEachOtherAreDense() {
    HostBuffer values = HostBuffer.collected(8 * 4);
    for (int i = 0; i < 8; i++) {
      values.setInt(i, 7 * i);
    }
    KeyFilter far = KeyFilter.of(device, ElementType.I32, new PassingRows.Column(values, null, 8));
    assertThat(far).isNotNull().returns(false, KeyFilter::isDense);
    for (int i = 0; i < 8; i++) {
      values.setInt(i, 3 - i);
    }
    KeyFilter close =
        KeyFilter.of(device, ElementType.I32, new PassingRows.Column(values, null, 8));
    assertThat(close).isNotNull().returns(true, KeyFilter::isDense);
  }

  private static long base(SplittableRandom random, ElementType element) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextInt(1_000_000) - 500_000;
      case 2 -> element == ElementType.I32 ? Integer.MIN_VALUE + 200_000 : Long.MIN_VALUE + 200_000;
      default ->
          element == ElementType.I32 ? Integer.MAX_VALUE - 200_000 : Long.MAX_VALUE - 200_000;
    };
  }

  private static PassingRows.Column column(
      SplittableRandom random, ElementType element, long base, int range, int rows) {
    HostBuffer values = HostBuffer.collected((long) rows * element.bytes());
    for (int i = 0; i < rows; i++) {
      element.setRawAt(values, i, base + random.nextInt(range));
    }
    return new PassingRows.Column(values, random.nextBoolean() ? bits(random, rows) : null, rows);
  }

  private static HostBuffer bits(SplittableRandom random, int rows) {
    HostBuffer bits = HostBuffer.collected(Bitmaps.bytes(rows));
    for (int i = 0; i < Math.ceilDiv(rows, 32); i++) {
      bits.setInt(i, random.nextInt() | random.nextInt());
    }
    return bits;
  }

  private static boolean isSet(@Nullable HostBuffer bits, int row) {
    return bits == null || Bitmaps.test(bits, row);
  }

  private static Set<Long> keys(ElementType element, PassingRows.Column column) {
    Set<Long> keys = new HashSet<>();
    for (int row = 0; row < column.rows(); row++) {
      if (isSet(column.validity(), row)) {
        keys.add(element.rawAt(column.values(), row));
      }
    }
    return keys;
  }
}
