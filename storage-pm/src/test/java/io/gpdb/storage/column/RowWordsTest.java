package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.memory.HostBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowWordsTest {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    1000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE + 1,
    1L << 32,
    -1L << 32
  };

  private static RowWords words(int width, long... raw) {
    HostBuffer column = HostBuffer.collected(8L * raw.length);
    RowWords words = new RowWords(width, raw.length);
    for (int i = 0; i < raw.length; i++) {
      switch (width) {
        case 1 -> column.buffer().put(i, (byte) raw[i]);
        case 2 -> column.buffer().putShort(2 * i, (short) raw[i]);
        case 4 -> column.buffer().putInt(4 * i, (int) raw[i]);
        default -> column.buffer().putLong(8 * i, raw[i]);
      }
    }
    return words.read(column);
  }

  private static long cut(int width, long raw) {
    return raw << (64 - 8 * width) >> (64 - 8 * width);
  }

  @Test
  void valuesAreReadInOrderSignExtended() {
    for (int width : new int[] {1, 2, 4, 8}) {
      RowWords words = words(width, EDGES);
      for (int i = 0; i < EDGES.length; i++) {
        assertThat(words.raw(i)).as("width %d, %d", width, i).isEqualTo(cut(width, EDGES[i]));
      }
    }
  }

  @Test
  void sumsFitWhereExactOnesDo() {
    for (int width : new int[] {4, 8}) {
      for (long x : EDGES) {
        for (long y : EDGES) {
          for (boolean minus : new boolean[] {false, true}) {
            long left = cut(width, x);
            long right = cut(width, y);
            RowWords sums = words(width, 1, right, -1);
            boolean fits = sums.addTo(words(width, 5, left, 6), minus);
            String what = width + " bytes: " + left + (minus ? " - " : " + ") + right;
            assertThat(fits).as(what).isEqualTo(exact(width, left, right, minus));
            if (fits) {
              assertThat(sums.raw(1)).as(what).isEqualTo(minus ? left - right : left + right);
              assertThat(sums.raw(0)).isEqualTo(minus ? 4 : 6);
            }
          }
        }
      }
    }
  }

  private static boolean exact(int width, long left, long right, boolean minus) {
    try {
      long sum = minus ? Math.subtractExact(left, right) : Math.addExact(left, right);
      return width == 8 || sum == Math.toIntExact(sum);
    } catch (ArithmeticException e) {
      return false;
    }
  }

  @Test
  void oneBeyondAmongManyIsSeen() {
    Random random = new Random(Long.getLong("gpdb.seed", 1));
    for (int n : new int[] {1, 255, 256, 257, 700}) {
      long[] right = random.ints(n, -1000, 1000).asLongStream().toArray();
      long[] left = random.ints(n, -1000, 1000).asLongStream().toArray();
      assertThat(words(4, right).addTo(words(4, left), true)).isTrue();
      int at = random.nextInt(n);
      left[at] = Integer.MAX_VALUE;
      right[at] = -1;
      assertThat(words(4, right).addTo(words(4, left), true)).isFalse();
    }
  }

  @Test
  void valuesArePickedByTheirPlaces() {
    for (int width : new int[] {1, 2, 4, 8}) {
      RowWords all = words(width, EDGES);
      int[] places = new Random(3).ints(100, 0, EDGES.length).toArray();
      RowWords picked = new RowWords(width, places.length).pick(all, places);
      for (int i = 0; i < places.length; i++) {
        assertThat(picked.raw(i)).isEqualTo(cut(width, EDGES[places[i]]));
      }
    }
  }

  @Test
  void writtenValuesAreReadAgain() {
    for (int width : new int[] {1, 2, 4, 8}) {
      HostBuffer column = HostBuffer.collected(8L * EDGES.length);
      words(width, EDGES).write(column);
      RowWords again = new RowWords(width, EDGES.length).read(column);
      for (int i = 0; i < EDGES.length; i++) {
        assertThat(again.raw(i)).isEqualTo(cut(width, EDGES[i]));
      }
    }
  }

  @Test
  void allBecomeOneNumber() {
    for (int width : new int[] {4, 8}) {
      RowWords words = new RowWords(width, 3);
      words.fill(-17);
      assertThat(words.raw(2)).isEqualTo(-17);
    }
  }
}
