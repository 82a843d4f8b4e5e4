package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes of a dictionary are freed and assigned to other strings, compared with a model. */
class ReusedCodesTest {
  private StorageDirectory medium = new CrashableDirectory();
  private TableSpace space = TableSpace.open(medium, false);
  private Dictionary dictionary =
      Objects.requireNonNull(space.createTable(16, SampleTables.SHAPE).dictionary(1));

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  private static byte[] utf8(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private int intern(String s) {
    byte[] b = utf8(s);
    return dictionary.intern(b, 0, b.length);
  }

  private int find(String s) {
    byte[] b = utf8(s);
    return dictionary.find(b, 0, b.length);
  }

  private void keepOnly(int... codes) {
    BitSet inUse = new BitSet();
    for (int code : codes) {
      inUse.set(code);
    }
    dictionary.release(inUse, dictionary.size(), space.beginCodeRound());
  }

  @Test
  void aFreedCodeIsGivenToTheNextNewString() {
    intern("a");
    intern("b");
    intern("c");
    long version = dictionary.version();
    keepOnly(0, 2);
    assertThat(find("b")).isEqualTo(-1);
    assertThat(dictionary.bytesOrNull(1)).isNull();
    assertThat(dictionary.usedCodes()).isEqualTo(2);
    assertThat(dictionary.version()).isEqualTo(version);
    assertThat(intern("d")).isEqualTo(1);
    assertThat(dictionary.version()).isGreaterThan(version);
    assertThat(intern("b")).isEqualTo(3);
    assertThat(dictionary.string(1)).isEqualTo("d");
  }

  @Test
  void aCodeFoundOrStoredSinceTheRoundBeganStays() {
    intern("found");
    intern("stored");
    intern("neither");
    int round = space.beginCodeRound();
    assertThat(find("found")).isZero();
    dictionary.stored(1);
    assertThat(dictionary.release(new BitSet(), 3, round)).isOne();
    assertThat(find("found")).isZero();
    assertThat(find("stored")).isOne();
    assertThat(find("neither")).isEqualTo(-1);
  }

  @Test
  void eventsAreRepeatedOnceAndInOrder() {
    dictionary.replayEvent(0, 0, MemorySegment.ofArray(utf8("a")));
    dictionary.replayEvent(1, 1, MemorySegment.ofArray(utf8("b")));
    dictionary.replayEvent(2, 0, null);
    dictionary.replayEvent(3, 0, MemorySegment.ofArray(utf8("c")));
    dictionary.replayEvent(0, 0, MemorySegment.ofArray(utf8("a")));
    dictionary.replayEvent(2, 0, null);
    assertThat(find("a")).isEqualTo(-1);
    assertThat(find("c")).isZero();
    assertThat(dictionary.events()).isEqualTo(4);
    assertThatThrownBy(() -> dictionary.replayEvent(7, 1, null)).hasMessageContaining("event=7");
    assertThatThrownBy(() -> dictionary.replayEvent(4, 9, null)).hasMessageContaining("code=9");
  }

  @Test
  void theEventsThatTheLogLacksAreTold() {
    for (int i = 0; i < 10; i++) {
      intern("s" + i);
    }
    keepOnly(0, 1, 2, 6, 7, 8, 9);
    intern("again");
    int[] codes = new int[6];
    assertThat(dictionary.events()).isEqualTo(14);
    assertThat(dictionary.copyEvents(8, 14, codes)).isEqualTo(8);
    assertThat(codes).containsExactly(8, 9, ~3, ~4, ~5, 3);
    dictionary.eventsLogged(10);
    assertThat(dictionary.copyEvents(0, 14, codes)).isEqualTo(10);
    assertThat(codes).startsWith(~3, ~4, ~5, 3);
    dictionary.eventsLogged(14);
    assertThat(dictionary.copyEvents(0, 14, codes)).isEqualTo(14);
  }

  /** Random strings, up to several pages long, checkpoints and openings between. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void stringsAreThoseOfAModel(long number) {
    long seed = Long.getLong("gpdb.seed", number);
    Random random = new Random(seed);
    Map<Integer, String> model = new HashMap<>();
    for (int step = 0; step < 20; step++) {
      for (int i = random.nextInt(4000); i > 0; i--) {
        String s = random.nextInt(8000) + "x".repeat(random.nextInt(600));
        String known = model.put(intern(s), s);
        assertThat(known).as("seed=" + seed).isIn(null, s);
      }
      if (random.nextInt(8) == 0) {
        String large = "large".repeat(random.nextInt(600_000));
        model.put(intern(large), large);
      }
      free(model, random, seed);
      if (random.nextInt(4) == 0) {
        space.checkpoint(SnapshotImages.current(), step + 1, new byte[0]);
        if (random.nextBoolean()) {
          space.close();
          space = TableSpace.open(medium, false);
          dictionary =
              Objects.requireNonNull(Objects.requireNonNull(space.table(16)).dictionary(1));
        }
      }
      verify(model, seed);
    }
    assertThat(space.check()).as("seed=" + seed).isEmpty();
    long live = model.values().stream().mapToLong(String::length).sum();
    free(model, new Random(0), seed);
    assertThat(dictionary.bytesUsed()).isLessThan(live * 3 / 2 + (4 << 20));
  }

  private void free(Map<Integer, String> model, Random random, long seed) {
    int round = space.beginCodeRound();
    BitSet inUse = new BitSet();
    for (int code : List.copyOf(model.keySet())) {
      if (random.nextInt(3) == 0) {
        model.remove(code);
      } else {
        inUse.set(code);
      }
    }
    dictionary.release(inUse, dictionary.size(), round);
    dictionary.compact();
    assertThat(dictionary.usedCodes()).as("seed=" + seed).isEqualTo(model.size());
  }

  private void verify(Map<Integer, String> model, long seed) {
    model.forEach(
        (code, s) -> {
          assertThat(dictionary.string(code)).as("seed=" + seed).isEqualTo(s);
          assertThat(find(s)).as("seed=" + seed).isEqualTo(code);
        });
  }

  @Test
  void readersMeetNoBytesThatMoved() throws Exception {
    int n = 20_000;
    String tail = "tail".repeat(30);
    List<String> kept = new ArrayList<>();
    BitSet inUse = new BitSet();
    for (int i = 0; i < n; i++) {
      int code = intern(i + tail);
      if (i % 3 == 0) {
        kept.add(i + tail);
        inUse.set(code);
      }
    }
    AtomicBoolean end = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                while (!end.get()) {
                  for (String s : kept) {
                    int code = find(s);
                    if (code < 0 || !dictionary.string(code).equals(s)) {
                      throw new AssertionError(s + " is " + code);
                    }
                  }
                }
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    reader.start();
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < n; i++) {
        intern(round + "," + i + tail);
      }
      dictionary.release(inUse, dictionary.size(), space.beginCodeRound());
      dictionary.compact();
    }
    end.set(true);
    reader.join();
    assertThat(failure.get()).isNull();
    assertThat(dictionary.bytesUsed()).isLessThan(8 << 20);
  }
}
