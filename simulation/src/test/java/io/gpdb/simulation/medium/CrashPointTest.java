package io.gpdb.simulation.medium;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CrashPointTest {
  private static void store(PersistentMemory memory, long offset, long... words) {
    memory.store(offset, MemorySegment.ofArray(words));
  }

  private static long word(CrashImage image, long offset) {
    try (CrashableDirectory left = image.open()) {
      MemorySegment target = MemorySegment.ofArray(new long[1]);
      left.open("m", 4096).load(offset, target);
      return target.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private static PersistentMemory durable(CrashableDirectory directory) {
    PersistentMemory memory = directory.open("m", 8192);
    directory.syncNames();
    memory.drain();
    return memory;
  }

  private static Set<Long> firstWords(CrashableDirectory directory) {
    CrashPoint point = directory.capture();
    Set<Long> found = new TreeSet<>();
    for (int[] picks : CrashStates.of(point, 1 << 16, 0, 1)) {
      found.add(word(point.image(picks), 0));
    }
    return found;
  }

  @Test
  void allSubsetsOfAFewWordsAreEnumeratedOnce() {
    CrashableDirectory directory = new CrashableDirectory();
    store(durable(directory), 64, 1, 2, 3, 4, 5);
    CrashPoint point = directory.capture();
    assertThat(point.combinations()).isEqualTo(32);
    Set<Long> hashes = new HashSet<>();
    for (int[] picks : CrashStates.of(point, 32, 0, 1)) {
      hashes.add(point.image(picks).hash());
    }
    assertThat(hashes).hasSize(32);
  }

  @Test
  void asAFileASectorSurvivesWholeOrNotAtAll() {
    CrashableDirectory directory = new CrashableDirectory(CrashUnit.SECTOR);
    PersistentMemory memory = durable(directory);
    store(memory, 0, 1, 2, 3, 4, 5);
    store(memory, 512, 6);
    CrashPoint point = directory.capture();
    assertThat(point.combinations()).isEqualTo(4);
    for (int[] picks : CrashStates.of(point, 4, 0, 1)) {
      long first = word(point.image(picks), 0);
      assertThat(word(point.image(picks), 32)).isEqualTo(first == 0 ? 0 : 5);
    }
  }

  @Test
  void untilADrainACutMayOrMayNotHaveHappened() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    memory.grow(65_536);
    store(memory, 40_960, 7);
    memory.persist(40_960, 8);
    memory.shrink(8192);
    memory.grow(49_152);
    store(memory, 40_960, 8);
    CrashPoint point = directory.capture();
    Set<String> found = new TreeSet<>();
    for (int[] picks : CrashStates.of(point, 1 << 16, 0, 1)) {
      long size = point.image(picks).memories().get("m").sizeBytes();
      if (size >= 49_152 || size == 8192) {
        found.add(size + ":" + (size > 8192 ? word(point.image(picks), 40_960) : -1));
      }
    }
    assertThat(found)
        .contains("8192:-1", "49152:0", "49152:7", "49152:8", "65536:0", "65536:7", "65536:8");
    memory.persist(40_960, 8);
    assertThat(directory.capture().combinations()).isEqualTo(1);
    assertThat(word(directory.capture().image(CrashChoice.keepNothing()), 40_960)).isEqualTo(8);
  }

  @Test
  void everyVersionSinceTheLastDrainMaySurvive() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    store(memory, 0, 7);
    memory.persist(0, 8);
    assertThat(firstWords(directory)).containsExactly(7L);
    store(memory, 0, 8);
    memory.flush(0, 8);
    store(memory, 0, 9);
    assertThat(firstWords(directory)).containsExactly(7L, 8L, 9L);
    memory.drain();
    assertThat(firstWords(directory)).containsExactly(8L, 9L);
    memory.drain();
    assertThat(firstWords(directory)).containsExactly(8L, 9L);
    memory.persist(0, 8);
    assertThat(firstWords(directory)).containsExactly(9L);
  }

  @Test
  void whatWasStoredThroughAViewMaySurviveToo() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    memory.view(0, 4096, true).set(ValueLayout.JAVA_LONG, 0, 5);
    assertThat(firstWords(directory)).containsExactly(0L, 5L);
    memory.persist(0, 8);
    assertThat(firstWords(directory)).containsExactly(5L);
  }

  @Test
  void aKilledProcessLeavesWhatItStoredButNothingFlushed() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    store(memory, 0, 1);
    store(memory, 0, 2);
    memory.grow(65_536);
    store(memory, 40_960, 3);
    memory.shrink(16_384);
    memory.flush(0, 8);
    directory.open("new", 4096);
    try (CrashableDirectory next = directory.capture().kill()) {
      assertThat(next.names()).containsExactly("m", "new");
      PersistentMemory again = next.open("m", 4096);
      assertThat(again.sizeBytes()).isEqualTo(16_384);
      MemorySegment first = MemorySegment.ofArray(new long[1]);
      again.load(0, first);
      assertThat(first.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(2);
      assertThat(next.capture().combinations()).isEqualTo(directory.capture().combinations());
      again.drain();
      assertThat(firstWords(next)).containsExactly(0L, 1L, 2L);
      again.flush(0, 8);
      again.drain();
      assertThat(firstWords(next)).containsExactly(2L);
    }
    assertThat(firstWords(directory)).containsExactly(0L, 1L, 2L);
  }

  @Test
  void closingForgetsWhatWasFlushedAndNotDrained() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    store(memory, 0, 1);
    memory.flush(0, 8);
    memory.close();
    directory.open("m", 4096).drain();
    assertThat(firstWords(directory)).containsExactly(0L, 1L);
  }

  @Test
  void unsyncedNamesAndSizesAreChoices() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    memory.grow(16384);
    directory.open("n", 4096);
    CrashPoint point = directory.capture();
    Set<List<String>> names = new HashSet<>();
    Set<Long> sizes = new TreeSet<>();
    for (int[] picks : CrashStates.of(point, CrashStates.ENUMERATED_MAX, 0, 1)) {
      try (CrashableDirectory left = point.image(picks).open()) {
        names.add(left.names());
        sizes.add(left.open("m", 1).sizeBytes());
      }
    }
    assertThat(names).containsExactlyInAnyOrder(List.of("m"), List.of("m", "n"));
    assertThat(sizes).containsExactly(8192L, 12288L, 16384L);
  }

  @Test
  void aSyncThatBeganEarlierTakesNoSizeBack() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    Runnable early = directory.beginSync("m");
    memory.grow(16_384);
    store(memory, 12_288, 5);
    memory.persist(12_288, 8);
    early.run();
    assertThat(directory.capture().combinations()).isEqualTo(1);
    assertThat(word(directory.capture().image(CrashChoice.keepNothing()), 12_288)).isEqualTo(5);
  }

  @Test
  void eachPageOfAGrowthMayArriveAlone() {
    CrashableDirectory directory = new CrashableDirectory(CrashUnit.SECTOR);
    PersistentMemory memory = directory.open("m", 16_384);
    directory.syncNames();
    store(memory, 0, 1);
    store(memory, 12_288, 2);
    Set<String> found = new TreeSet<>();
    CrashPoint point = directory.capture();
    for (int[] picks : CrashStates.of(point, CrashStates.ENUMERATED_MAX, 0, 1)) {
      CrashImage image = point.image(picks);
      long size = image.memories().get("m").sizeBytes();
      long first = size > 0 ? word(image, 0) : -1;
      found.add(size + ":" + first + ":" + (size > 12_288 ? word(image, 12_288) : -1));
    }
    assertThat(found)
        .containsExactlyInAnyOrder(
            "0:-1:-1",
            "4096:0:-1",
            "4096:1:-1",
            "8192:0:-1",
            "8192:1:-1",
            "12288:0:-1",
            "12288:1:-1",
            "16384:0:0",
            "16384:0:2",
            "16384:1:0",
            "16384:1:2");
  }

  @Test
  void ofALongGrowthSizesNearEitherEndAreFound() {
    long[] sizes = CrashSizes.between(new long[] {4096, 1 << 20, 8192});
    assertThat(sizes).startsWith(4096, 8192, 12_288).endsWith(16_384, 12_288, 8192);
    assertThat(sizes).contains(1 << 20, (1 << 20) - 4096, (1 << 20) - 8192);
    assertThat(sizes.length).isLessThan(40);
  }

  @Test
  void eachChangeOfNamesMayArriveAlone() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    directory.open("gone", 4096);
    directory.syncNames();
    directory.open("new", 4096);
    directory.rename("m", "renamed");
    directory.delete("gone");
    Set<List<String>> found = new HashSet<>();
    CrashPoint point = directory.capture();
    for (int[] picks : CrashStates.of(point, CrashStates.ENUMERATED_MAX, 0, 1)) {
      found.add(List.copyOf(point.image(picks).memories().keySet()));
    }
    assertThat(memory.name()).isEqualTo("renamed");
    assertThat(found)
        .containsExactlyInAnyOrder(
            List.of("gone", "m"),
            List.of("gone", "m", "new"),
            List.of("gone", "renamed"),
            List.of("gone", "new", "renamed"),
            List.of("m"),
            List.of("m", "new"),
            List.of("renamed"),
            List.of("new", "renamed"));
    directory.syncNames();
    assertThat(directory.capture().image(CrashChoice.keepNothing()).memories().keySet())
        .containsExactly("new", "renamed");
  }

  @Test
  void samplesHoldTheExtremesAndFollowTheSeed() {
    CrashableDirectory directory = new CrashableDirectory();
    long[] words = new long[100];
    Arrays.setAll(words, i -> i + 1);
    store(durable(directory), 0, words);
    CrashPoint point = directory.capture();
    List<int[]> picks = CrashStates.of(point, CrashStates.ENUMERATED_MAX, 50, 3);
    assertThat(picks).hasSize(52);
    Set<Long> hashes = new HashSet<>();
    picks.forEach(p -> hashes.add(point.image(p).hash()));
    assertThat(hashes)
        .contains(point.image(CrashChoice.keepAll()).hash())
        .contains(point.image(CrashChoice.keepNothing()).hash())
        .hasSizeGreaterThan(40);
    List<int[]> again = CrashStates.of(point, CrashStates.ENUMERATED_MAX, 50, 3);
    for (int i = picks.size() - 1; i >= 0; i--) { // drawn in their order, whichever is asked first
      assertThat(again.get(i)).isEqualTo(picks.get(i));
    }
  }

  @Test
  void anImageIsNotChangedByItsDirectoryAndPiecesUsedAgainAreZero() {
    CrashableDirectory directory = new CrashableDirectory();
    PersistentMemory memory = durable(directory);
    store(memory, 4096, 1, 2, 3);
    memory.persist(4096, 24);
    CrashImage image = directory.capture().image(CrashChoice.keepNothing());
    long hash = image.hash();
    for (int i = 0; i < 3; i++) {
      try (CrashableDirectory left = image.open()) {
        PersistentMemory again = left.open("m", 1);
        assertThat(again.view(0, 4096, false).mismatch(MemorySegment.ofArray(new byte[4096])))
            .isNegative();
        store(again, 0, 99);
        again.view(4096, 64, true).fill((byte) 7);
        again.persist(0, 8192);
      }
    }
    assertThat(image.hash()).isEqualTo(hash);
    assertThat(word(image, 4104)).isEqualTo(2);
  }
}
