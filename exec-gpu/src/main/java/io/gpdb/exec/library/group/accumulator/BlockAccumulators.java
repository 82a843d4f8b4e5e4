package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout.Word;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text for accumulators that a block keeps in shared memory: an array for each word of an
 * {@link AccumulatorLayout}, by places, so that a row's place is the index in all of them. Words
 * that no block needs 64 bits for are i32; the first row is a row of the tablet.
 *
 * <p>There may be copies of each place, next to each other, and each lane of a warp adds to its
 * own: on a GPU lanes that change one word at once wait for each other. {@link #merge} adds up the
 * copies.
 */
public final class BlockAccumulators {
  /** The first row of a place without rows. */
  public static final int NO_ROW = Integer.MAX_VALUE;

  private final KernelBuilder b;
  private final AccumulatorLayout layout;
  private final List<Word> words;
  private final List<Integer> arrays = new ArrayList<>();
  private final @Nullable Reg copies;

  /** Without copies. */
  public BlockAccumulators(KernelBuilder b, AccumulatorLayout layout) {
    this(b, layout, null);
  }

  /**
   * @param copies how many there are of each place: a power of two, at most a warp's lanes, for
   *     which the block's places suffice
   */
  BlockAccumulators(KernelBuilder b, AccumulatorLayout layout, @Nullable Reg copies) {
    this.b = b;
    this.layout = layout;
    this.copies = copies;
    words = layout.words();
    for (int w = 0; w < words.size(); w++) {
      Element element = words.get(w).isNarrow() ? Element.I32 : Element.I64;
      arrays.add(b.shared("word" + w, element, layout.blockPlaces()));
    }
  }

  /** Shared memory starts as zeros; words with another identity get it. */
  public void clear(Reg places) {
    eachPlace(
        copiesOf(places),
        (_, place) -> {
          for (int w = 0; w < words.size(); w++) {
            Word word = words.get(w);
            if (word.identity() != 0) {
              long identity = word.isNarrow() ? NO_ROW : word.identity();
              b.storeShared(arrays.get(w), place, b.integer(type(w), identity));
            }
          }
        });
    b.barrier();
  }

  /** Adds a value to a word: an i32 where it is narrow. */
  public void update(Reg place, int word, Reg value) {
    b.atomicSharedUpdate(words.get(word).op(), arrays.get(word), ownCopy(place), value);
  }

  private Reg copiesOf(Reg places) {
    return copies == null ? places : b.mul(places, copies);
  }

  /** The lane's. */
  private Reg ownCopy(Reg place) {
    if (copies == null) {
      return place;
    }
    Reg own = b.and(b.thread(), b.sub(copies, 1));
    return b.add(b.mul(place, b.convert(copies, Type.I64)), b.convert(own, Type.I64));
  }

  /**
   * Adds up the copies of each place in its first, in halves. Goes between two barriers; nothing
   * where there are no copies.
   */
  void merge(Reg places) {
    Reg count = copies;
    if (count == null) {
      return;
    }
    Reg half = b.variable(b.shr(count, 1));
    b.whileLoop(
        () -> b.gt(half, b.i32(0)),
        () -> {
          eachPlace(
              copiesOf(places),
              (_, at) ->
                  b.ifThen(
                      b.lt(b.and(at, b.sub(count, 1)), half), () -> addCopy(at, b.add(at, half))));
          b.barrier();
          b.set(half, b.shr(half, 1));
        });
  }

  private void addCopy(Reg to, Reg from) {
    for (int w = 0; w < words.size(); w++) {
      Reg known = b.loadShared(arrays.get(w), to);
      Reg more = b.loadShared(arrays.get(w), from);
      b.storeShared(arrays.get(w), to, words.get(w).combined(b, known, more));
    }
  }

  /** Adds an argument's value to all words that it is part of. */
  public void addValue(Reg place, int argument, Reg value) {
    for (AccumulatorLayout.Slot slot : layout.slots()) {
      if (slot.argument() != argument) {
        continue;
      }
      switch (slot.function()) {
        case COUNT -> {}
        case MIN, MAX -> update(place, slot.value(), OrderWords.of(b, value));
        case SUM -> {
          if (slot.type() == Type.I64) {
            update(place, slot.value(), b.and(value, 0xffffffffL));
            update(place, slot.value() + 1, b.shr(value, 32));
          } else if (slot.floatSum() < 0) {
            update(place, slot.value(), b.convert(value, Type.I64));
          }
        }
      }
    }
  }

  /** A word as it is kept, of all rows: an i32 where it is narrow. */
  public Reg load(Reg place, int word) {
    return b.loadShared(arrays.get(word), copiesOf(place));
  }

  /**
   * A word as it counts in the whole table.
   *
   * @param rowBase of the tablet
   */
  public Reg widened(Reg place, int word, Reg rowBase) {
    Reg value = load(place, word);
    if (word == AccumulatorLayout.FIRST_ROW) {
      Reg row = b.add(rowBase, b.convert(value, Type.I64));
      return b.select(b.eq(value, NO_ROW), b.i64(AccumulatorLayout.NO_ROW), row);
    }
    return words.get(word).isNarrow() ? b.convert(value, Type.I64) : value;
  }

  /** What is done for each place. */
  public interface AtPlace {
    /**
     * @param first the place of the block's first lane, the same for all lanes
     */
    void write(Reg first, Reg place);
  }

  /** The lanes of the block share the places. */
  public void eachPlace(Reg places, AtPlace body) {
    Reg first = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.lt(first, places),
        () -> {
          Reg place = b.add(first, b.thread());
          b.ifThen(b.lt(place, places), () -> body.write(first, place));
          b.set(first, b.add(first, GroupText.BLOCK_LANES));
        });
  }

  private Type type(int word) {
    return words.get(word).isNarrow() ? Type.I32 : Type.I64;
  }
}
