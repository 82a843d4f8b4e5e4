package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The box of whole numbers that a build side's keys are in: key word w is one of {@code widths[w]}
 * numbers from {@code least[w]} on. Each combination has a place from 0 to {@link #size} - 1, in
 * the order of the words.
 */
record KeySpace(List<Long> least, List<Long> widths, long size) {
  /** Places for each row that a space may have: 2 bytes, less than a hash table takes. */
  static final int PLACES_PER_ROW = 64;

  /**
   * Places for each row that will be looked up, where that is more: 4 bytes. Few keys far apart are
   * found by one load then, and most rows that find none end there.
   */
  static final int PLACES_PER_PROBE = 16;

  /** A space of that many places is made for any number of rows. */
  static final int PLACES_SMALL = 4096;

  private static final long PLACES_MAX = 1L << 31;

  KeySpace {
    least = List.copyOf(least);
    widths = List.copyOf(widths);
  }

  /**
   * The smallest space for keys, or null where it would be too large for their number.
   *
   * @param least the least word of each key column; greater than the greatest where there is no key
   * @param greatest the greatest ones
   * @param probes how many rows will be looked up, about
   */
  static @Nullable KeySpace of(long[] least, long[] greatest, long rows, long probes) {
    long most = Math.max(rows * PLACES_PER_ROW, Math.min(probes, PLACES_MAX) * PLACES_PER_PROBE);
    most = Math.min(PLACES_MAX, Math.max(PLACES_SMALL, most));
    List<Long> widths = new ArrayList<>();
    long size = 1;
    for (int w = 0; w < least.length; w++) {
      if (least[w] > greatest[w]) {
        List<Long> none = Collections.nCopies(least.length, 0L);
        return new KeySpace(none, none, 0);
      }
      long width = greatest[w] - least[w] + 1; // not positive: more than 2^63 numbers
      if (width <= 0 || width > most / size) {
        return null;
      }
      widths.add(width);
      size *= width;
    }
    return new KeySpace(Arrays.stream(least).boxed().toList(), widths, size);
  }

  /** A key space in a kernel's text. */
  static final class Text {
    private final KernelBuilder b;
    private final List<Reg> least = new ArrayList<>();
    private final List<Reg> widths = new ArrayList<>();

    /** Declares the scalars. */
    Text(KernelBuilder b, int words) {
      this.b = b;
      for (int w = 0; w < words; w++) {
        least.add(b.scalar(leastScalar(w)));
        widths.add(b.scalar(widthScalar(w)));
      }
    }

    /** Whether the key is in the space. */
    Reg contains(List<Reg> words) {
      Reg all = inside(words, 0);
      for (int w = 1; w < words.size(); w++) {
        all = b.and(all, inside(words, w));
      }
      return all;
    }

    private Reg inside(List<Reg> words, int w) {
      return b.compare(CompareOp.ULT, b.sub(words.get(w), least.get(w)), widths.get(w));
    }

    /** The place (i64) of a key that is in the space. */
    Reg place(List<Reg> words) {
      Reg place = b.sub(words.get(0), least.get(0));
      for (int w = 1; w < words.size(); w++) {
        place = b.add(b.mul(place, widths.get(w)), b.sub(words.get(w), least.get(w)));
      }
      return place;
    }
  }

  Arguments bind(Arguments arguments) {
    for (int w = 0; w < least.size(); w++) {
      arguments.scalar(leastScalar(w), least.get(w)).scalar(widthScalar(w), widths.get(w));
    }
    return arguments;
  }

  private static ScalarParam leastScalar(int word) {
    return new ScalarParam("key_least" + word, Type.I64);
  }

  private static ScalarParam widthScalar(int word) {
    return new ScalarParam("key_width" + word, Type.I64);
  }
}
