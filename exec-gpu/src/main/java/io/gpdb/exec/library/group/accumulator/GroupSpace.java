package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The box of whole numbers that the keys of groups are in: key k is NULL or one of {@code
 * widths[k]} numbers from {@code least[k]} on. Each combination has a place from 0 to {@link #size}
 * - 1, in mixed radix; the digit of NULL is the width.
 */
public record GroupSpace(List<Long> least, List<Long> widths, int size) {
  public GroupSpace {
    least = List.copyOf(least);
    widths = List.copyOf(widths);
  }

  /** The space of keys that are all NULL. */
  public static GroupSpace ofNulls(int keys) {
    List<Long> none = Collections.nCopies(keys, 0L);
    return new GroupSpace(none, none, 1);
  }

  /**
   * A space of codes.
   *
   * @param limits each above its key's values; null is returned where one is not positive, or the
   *     places are more than {@code most}
   */
  public static @Nullable GroupSpace ofCodes(int[] limits, long most) {
    List<Long> widths = new ArrayList<>();
    for (int limit : limits) {
      if (limit <= 0) {
        return null;
      }
      widths.add((long) limit);
    }
    return of(Collections.nCopies(limits.length, 0L), widths, most);
  }

  private static @Nullable GroupSpace of(List<Long> least, List<Long> widths, long most) {
    long size = 1;
    for (long width : widths) {
      if (width < 0 || width >= most / size) {
        return null;
      }
      size *= width + 1;
    }
    return new GroupSpace(least, widths, (int) size);
  }

  /**
   * This space, grown so that key k may also be {@code from[k]} to {@code to[k]} (nothing where
   * {@code from} is greater); null where the places are more than {@code most}.
   *
   * @param slack whether a key that grows gets at least twice its numbers, where there is room
   */
  public @Nullable GroupSpace with(List<Long> from, List<Long> to, long most, boolean slack) {
    GroupSpace exact = with(from, to, most);
    if (exact == null || exact.equals(this) || !slack) {
      return exact;
    }
    List<Long> wideFrom = new ArrayList<>();
    List<Long> wideTo = new ArrayList<>();
    for (int k = 0; k < widths.size(); k++) {
      long width = widths.get(k);
      long first = from.get(k);
      long last = to.get(k);
      boolean below = width > 0 && first < least.get(k) && first >= Long.MIN_VALUE + width;
      boolean above = width > 0 && last > last(k) && last <= Long.MAX_VALUE - width;
      wideFrom.add(below ? first - width : first);
      wideTo.add(above ? last + width : last);
    }
    GroupSpace roomy = with(wideFrom, wideTo, most);
    return roomy == null ? exact : roomy;
  }

  private @Nullable GroupSpace with(List<Long> from, List<Long> to, long most) {
    List<Long> newLeast = new ArrayList<>();
    List<Long> newWidths = new ArrayList<>();
    for (int k = 0; k < widths.size(); k++) {
      if (from.get(k) > to.get(k)) {
        newLeast.add(least.get(k));
        newWidths.add(widths.get(k));
        continue;
      }
      boolean none = widths.get(k) == 0;
      long first = none ? from.get(k) : Math.min(from.get(k), least.get(k));
      long last = none ? to.get(k) : Math.max(to.get(k), last(k));
      long width = last - first + 1;
      if (width <= 0) { // more than 2^63 numbers
        return null;
      }
      newLeast.add(first);
      newWidths.add(width);
    }
    return of(newLeast, newWidths, most);
  }

  /** The greatest number of key k, which has some. */
  private long last(int k) {
    return least.get(k) + widths.get(k) - 1;
  }

  /** The digit of key k in a place. */
  private long digit(int k, int place) {
    return place / stride(k) % (widths.get(k) + 1);
  }

  /** By how much a place grows with the digit of key k. */
  public long stride(int k) {
    long stride = 1;
    for (int i = k + 1; i < widths.size(); i++) {
      stride *= widths.get(i) + 1;
    }
    return stride;
  }

  /** Binds what a kernel of {@link GroupColumnKernels} needs to compute key k of a place. */
  public Arguments bindDigit(Arguments arguments, int k) {
    return arguments
        .scalar(GroupColumnKernels.STRIDE, stride(k))
        .scalar(GroupColumnKernels.WIDTH, widths.get(k))
        .scalar(GroupColumnKernels.LEAST, least.get(k));
  }

  public boolean isNull(int k, int place) {
    return digit(k, place) == widths.get(k);
  }

  /** The key of a place where it is not NULL. */
  public long key(int k, int place) {
    return least.get(k) + digit(k, place);
  }

  /** The place in a space that this one has grown into. */
  public int placeIn(GroupSpace larger, int place) {
    long other = 0;
    for (int k = 0; k < widths.size(); k++) {
      long width = larger.widths.get(k);
      long digit = isNull(k, place) ? width : key(k, place) - larger.least.get(k);
      other = other * (width + 1) + digit;
    }
    return (int) other;
  }

  public Arguments bind(Arguments arguments) {
    for (int k = 0; k < least.size(); k++) {
      arguments.scalar(leastScalar(k), least.get(k)).scalar(widthScalar(k), widths.get(k));
    }
    return arguments;
  }

  static ScalarParam leastScalar(int key) {
    return new ScalarParam("least" + key, Type.I64);
  }

  static ScalarParam widthScalar(int key) {
    return new ScalarParam("width" + key, Type.I64);
  }
}
