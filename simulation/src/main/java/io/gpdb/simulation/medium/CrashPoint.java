package io.gpdb.simulation.medium;

import io.gpdb.storage.memory.PieceSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a crash at one moment can leave. Each thing that may survive in several ways is a
 * <em>choice</em>: whether each of the unsynced changes of names has happened, the size of each
 * memory that has another one, and each word (or sector) that is not durable as it was stored.
 * Alternative 0 of a choice is what is durable, the last is what was stored last.
 */
public final class CrashPoint {
  private final CrashUnit unit;
  private final PieceSource pieces;
  private final SortedMap<String, Integer> durableNames;
  private final List<NameChange<Integer>> changes;
  private final List<Memory> memories;
  private final List<Choice> choices = new ArrayList<>();
  private final int[] firstChoice;

  /** Versions of a unit that is not durable, oldest first. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Unit(long offset, byte[][] versions) {
    @Override
    public String toString() {
      return versions.length + " versions at " + offset;
    }
  }

  /**
   * A memory at the moment of the crash; {@code sizes} are the durable one and each at which a run
   * of growths or cuts has ended since: it may have any of these, and any between two of them.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Memory(
      String name, long firstBytes, @Nullable CrashPage[] durable, long[] sizes, List<Unit> units) {
    /** So far reach its durable pages and what was stored; at least the size. */
    long reachBytes() {
      long reach = (long) durable.length * CrashPage.BYTES;
      for (long size : sizes) {
        reach = Math.max(reach, size);
      }
      for (Unit pending : units) {
        reach = Math.max(reach, pending.offset + pending.versions[0].length);
      }
      return reach;
    }

    @Override
    public String toString() {
      return name + ", units pending=" + units.size();
    }
  }

  /** What may survive in several ways; of a word or a size, each alternative. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Choice(
      int memory, String name, long offset, int alternatives, byte[][] bytes, long[] sizes) {
    static Choice ofName(String name) {
      return new Choice(-1, name, CrashChoice.NAMES_OFFSET, 2, new byte[0][], new long[0]);
    }

    static Choice ofSize(int memory, String name, long[] sizes) {
      return new Choice(memory, name, CrashChoice.SIZE_OFFSET, sizes.length, new byte[0][], sizes);
    }

    static Choice ofWord(int memory, String name, long offset, byte[][] bytes) {
      return new Choice(memory, name, offset, bytes.length, bytes, new long[0]);
    }

    @Override
    public String toString() {
      return name + ":" + offset + " of " + alternatives;
    }
  }

  /**
   * @param durableNames which memory (by its number) certainly has which name
   * @param changes of names since, in order
   */
  CrashPoint(
      CrashUnit unit,
      PieceSource pieces,
      SortedMap<String, Integer> durableNames,
      List<NameChange<Integer>> changes,
      List<Memory> memories) {
    this.unit = unit;
    this.pieces = pieces;
    this.durableNames = durableNames;
    this.changes = changes;
    this.memories = memories;
    changes.forEach(change -> choices.add(Choice.ofName(change.name())));
    firstChoice = new int[memories.size()];
    for (int m = 0; m < memories.size(); m++) {
      firstChoice[m] = choices.size();
      addChoices(m, memories.get(m));
    }
  }

  private void addChoices(int number, Memory memory) {
    choices.add(Choice.ofSize(number, memory.name, CrashSizes.between(memory.sizes)));
    for (Unit pending : memory.units) {
      for (int at = 0; at < unit.flushedBytes(); at += unit.tornBytes()) {
        addWord(number, memory, pending, at);
      }
    }
  }

  private void addWord(int number, Memory memory, Unit pending, int at) {
    long offset = pending.offset + at;
    byte[] page = CrashPage.bytes(memory.durable[(int) (offset / CrashPage.BYTES)]);
    int inPage = (int) (offset % CrashPage.BYTES);
    List<byte[]> bytes = new ArrayList<>();
    bytes.add(Arrays.copyOfRange(page, inPage, inPage + unit.tornBytes()));
    for (byte[] version : pending.versions) {
      byte[] word = Arrays.copyOfRange(version, at, at + unit.tornBytes());
      if (!Arrays.equals(word, bytes.getLast())) {
        bytes.add(word);
      }
    }
    if (bytes.size() > 1) {
      choices.add(Choice.ofWord(number, memory.name, offset, bytes.toArray(byte[][]::new)));
    }
  }

  /**
   * A directory as a process finds it that is started after another one was killed at this moment:
   * all that was stored is there, as durable as it was, and has to be flushed again.
   */
  public CrashableDirectory kill() {
    return new CrashableDirectory(unit, pieces, durableNames, changes, memories);
  }

  public int choiceCount() {
    return choices.size();
  }

  public int alternatives(int choice) {
    return choices.get(choice).alternatives;
  }

  /** Whether the choice is about a word or sector, not about names or a size. */
  public boolean isWord(int choice) {
    return choices.get(choice).bytes.length > 0;
  }

  /** Whether the choice is about the word (or sector) right behind that of the choice before. */
  boolean followsOn(int choice) {
    Choice here = choices.get(choice);
    Choice before = choices.get(choice - 1);
    return choice > 0
        && isWord(choice - 1)
        && before.memory == here.memory
        && before.offset + unit.tornBytes() == here.offset;
  }

  /** How many images there are, counting equal ones; at most {@code Long.MAX_VALUE}. */
  public long combinations() {
    long product = 1;
    for (Choice choice : choices) {
      if (product > Long.MAX_VALUE / choice.alternatives) {
        return Long.MAX_VALUE;
      }
      product *= choice.alternatives;
    }
    return product;
  }

  /** What is left when {@code choice} decides. */
  public CrashImage image(CrashChoice choice) {
    int[] picks = new int[choices.size()];
    for (int i = 0; i < picks.length; i++) {
      Choice c = choices.get(i);
      picks[i] = c.alternatives == 1 ? 0 : choice.survivor(c.name, c.offset, c.alternatives);
    }
    return image(picks);
  }

  /** What is left when the picked alternative of each choice survives. */
  public CrashImage image(int[] picks) {
    SortedMap<String, CrashImage.Memory> left = new TreeMap<>();
    names(picks).forEach((name, memory) -> left.put(name, left(memory, picks)));
    return new CrashImage(unit, pieces, left);
  }

  private SortedMap<String, Integer> names(int[] picks) {
    SortedMap<String, Integer> names = new TreeMap<>(durableNames);
    for (int i = 0; i < changes.size(); i++) {
      if (picks[i] > 0) {
        changes.get(i).apply(names);
      }
    }
    return names;
  }

  private CrashImage.Memory left(int number, int[] picks) {
    Memory memory = memories.get(number);
    int from = firstChoice[number];
    int end = number + 1 < firstChoice.length ? firstChoice[number + 1] : choices.size();
    long size = choices.get(from).sizes[picks[from]];
    @Nullable CrashPage[] pages = Arrays.copyOf(memory.durable, CrashPage.count(size));
    int open = -1;
    byte[] bytes = CrashPage.ZEROS;
    for (int i = from + 1; i < end; i++) {
      Choice word = choices.get(i);
      int page = (int) (word.offset / CrashPage.BYTES);
      if (picks[i] > 0 && page < pages.length) {
        if (page != open) {
          close(pages, open, bytes);
          open = page;
          bytes = CrashPage.bytes(pages[page]).clone();
        }
        int at = (int) (word.offset % CrashPage.BYTES);
        System.arraycopy(word.bytes[picks[i]], 0, bytes, at, unit.tornBytes());
      }
    }
    close(pages, open, bytes);
    return new CrashImage.Memory(memory.firstBytes, size, pages);
  }

  private static void close(@Nullable CrashPage[] pages, int page, byte[] bytes) {
    if (page >= 0) {
      pages[page] = CrashPage.of(bytes);
    }
  }
}
