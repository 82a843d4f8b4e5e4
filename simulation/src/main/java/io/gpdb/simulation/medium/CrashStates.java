package io.gpdb.simulation.medium;

import io.gpdb.storage.column.KeyHash;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Which images of a crash point are looked at: all of them while they are few, else the two
 * extremes and a sample that a seed determines.
 *
 * <p>A sample is drawn in turn in four ways: each word by a coin of its own; a cut, before which
 * everything survives and after which nothing does; all but a few words next to each other; only a
 * few words next to each other. The latter two are what a store without its flush, and a record
 * whose end came before its begin, look like.
 */
public final class CrashStates {
  /** Points of at most this number of combinations are enumerated in full. */
  public static final int ENUMERATED_MAX = 256;

  private static final int RUN_WORDS_MAX = 16;

  private final Random random;
  private final List<Integer> groupStarts = new ArrayList<>();
  private final boolean[] words;
  private final int[] alternatives;

  private CrashStates(CrashPoint point, long seed) {
    this.random = new Random(KeyHash.hash(seed));
    words = new boolean[point.choiceCount()];
    alternatives = new int[point.choiceCount()];
    for (int i = 0; i < words.length; i++) {
      alternatives[i] = point.alternatives(i);
      words[i] = point.isWord(i);
      if (words[i] && !point.followsOn(i)) {
        groupStarts.add(i);
      }
    }
  }

  /**
   * Picks for {@link CrashPoint#image(int[])}; those of a sample are drawn when they are asked for.
   *
   * @param enumeratedMax points of at most this number of combinations yield all of them
   * @param sampled how many combinations others yield in addition to the extremes
   */
  public static List<int[]> of(CrashPoint point, int enumeratedMax, int sampled, long seed) {
    CrashStates states = new CrashStates(point, seed);
    if (point.combinations() <= enumeratedMax) {
      return states.all();
    }
    return states.new Sample(sampled);
  }

  /** The two extremes and what is drawn: each of them once, in their order. */
  private final class Sample extends AbstractList<int[]> {
    private final List<int[]> drawn = new ArrayList<>();
    private final int size;

    Sample(int sampled) {
      drawn.add(newest());
      drawn.add(new int[words.length]);
      size = drawn.size() + sampled;
    }

    @Override
    public int[] get(int index) {
      Objects.checkIndex(index, size);
      while (drawn.size() <= index) {
        drawn.add(sample(random.nextInt(4)));
      }
      return drawn.get(index);
    }

    @Override
    public int size() {
      return size;
    }
  }

  private List<int[]> all() {
    List<int[]> picks = new ArrayList<>();
    int[] next = new int[words.length];
    do {
      picks.add(next.clone());
    } while (advance(next));
    return picks;
  }

  /** Counts up in the mixed radix of the choices; false after the last. */
  private boolean advance(int[] picks) {
    for (int i = 0; i < picks.length; i++) {
      if (++picks[i] < alternatives[i]) {
        return true;
      }
      picks[i] = 0;
    }
    return false;
  }

  private int[] newest() {
    int[] picks = new int[words.length];
    for (int i = 0; i < picks.length; i++) {
      picks[i] = alternatives[i] - 1;
    }
    return picks;
  }

  /** The first choice of a run of words next to each other, each run as likely as the others. */
  private int anyGroupStart() {
    return groupStarts.isEmpty() ? 0 : groupStarts.get(random.nextInt(groupStarts.size()));
  }

  private int[] sample(int way) {
    int[] picks = newest();
    int count = picks.length;
    int cut = random.nextBoolean() ? random.nextInt(count + 1) : anyGroupStart();
    int run = 1 << random.nextInt(Integer.numberOfTrailingZeros(RUN_WORDS_MAX) + 1);
    for (int i = 0; i < count; i++) {
      if (words[i]) {
        boolean inRun = i >= cut && i < cut + run;
        picks[i] =
            switch (way) {
              case 0 -> random.nextInt(alternatives[i]);
              case 1 -> i < cut ? picks[i] : 0;
              case 2 -> inRun ? random.nextInt(alternatives[i]) : picks[i];
              default -> inRun ? picks[i] : 0;
            };
      } else if (random.nextInt(4) == 0) {
        picks[i] = random.nextInt(alternatives[i]);
      }
    }
    return picks;
  }
}
