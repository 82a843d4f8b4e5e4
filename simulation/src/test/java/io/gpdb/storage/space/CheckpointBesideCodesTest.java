package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.dictionary.StringArea;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints and backups while threads assign and free codes, and move strings: what is written is
 * whole, has its checksum, and nothing that came between is lost to the next one.
 */
class CheckpointBesideCodesTest {
  private static final int CHECKPOINTS_BETWEEN_ACTS = Integer.getInteger("gpdb.fuzz", 200);
  private static final int CHECKPOINTS = Integer.getInteger("gpdb.fuzz", 40);
  private static final int COLUMN = 1;
  private static final int STRINGS = 30_000;
  private static final int PAGE_BYTES = StringArea.PAGE_BYTES;

  private final long seed = Long.getLong("gpdb.seed", 6);
  private final AtomicBoolean end = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  @Test
  void aCheckpointIsWholeAndLosesNothingThatComesBeside() throws InterruptedException {
    for (int round = 0; round < CHECKPOINTS; round += 20) {
      try (CrashableDirectory medium = new CrashableDirectory()) {
        run(medium, seed + round, Math.min(20, CHECKPOINTS - round));
      }
    }
  }

  /** Between any two acts of a checkpoint codes are freed and assigned, on its own thread. */
  @Test
  void codesThatChangeBetweenTwoActsOfACheckpointAreWrittenWhole() {
    Random random = new Random(seed);
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      Dictionary dictionary =
          Objects.requireNonNull(space.createTable(16, SampleTables.SHAPE).dictionary(COLUMN));
      give(dictionary, random);
      for (int i = 1; i <= CHECKPOINTS_BETWEEN_ACTS; i++) {
        byte[] b = ("more " + i).getBytes(StandardCharsets.UTF_8);
        dictionary.intern(b, 0, b.length);
        medium.listener((file, act, offset, bytes) -> change(space, dictionary, random));
        space.checkpoint(SnapshotImages.current(), i, new byte[0]);
        medium.listener(null);
        assertThat(problems(medium)).as("seed=%d, checkpoint %d", seed, i).isEmpty();
        if (random.nextBoolean()) {
          space.checkpoint(SnapshotImages.current(), i, new byte[0]);
          assertThat(reopened(medium)).as("seed=" + seed).isEqualTo(strings(dictionary));
        }
        dictionary.compact();
      }
    }
  }

  /** Seldom, so that a change that was lost is not covered up by a later one. */
  private static void change(TableSpace space, Dictionary dictionary, Random random) {
    if (random.nextInt(8) > 0) {
      return;
    }
    BitSet inUse = new BitSet();
    inUse.set(0, dictionary.size());
    inUse.clear(random.nextInt(dictionary.size()));
    dictionary.release(inUse, dictionary.size(), space.beginCodeRound());
    byte[] b = ("given " + random.nextInt(STRINGS)).getBytes(StandardCharsets.UTF_8);
    dictionary.intern(b, 0, b.length);
  }

  /** Strings that come and go while pages are written do not pile up. */
  @Test
  void pagesThatCameWhileACheckpointWritesGoAgain() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      Dictionary dictionary =
          Objects.requireNonNull(space.createTable(16, SampleTables.SHAPE).dictionary(COLUMN));
      BitSet needed = new BitSet();
      needed.set(0, fill(dictionary, "first", 4 * PAGE_BYTES));
      List<String> before = strings(dictionary);
      AtomicLong most = new AtomicLong();
      medium.listener(
          (file, act, offset, bytes) -> {
            if (bytes < PAGE_BYTES / 2) { // what else is written: all pages may have to stay
              return;
            }
            for (int i = 0; i < 8; i++) {
              fill(dictionary, "next" + i, PAGE_BYTES);
              most.accumulateAndGet(dictionary.bytesUsed(), Math::max);
              dictionary.release(needed, dictionary.size(), space.beginCodeRound());
              await(start(dictionary::compact));
            }
          });
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      medium.listener(null);
      assertThat(failure.get()).isNull();
      assertThat(most.get()).isBetween(5L * PAGE_BYTES, 8L * PAGE_BYTES);
      assertThat(problems(medium)).isEmpty();
      assertThat(strings(dictionary).subList(0, before.size())).isEqualTo(before);
      assertThat(reopened(medium).subList(0, before.size())).isEqualTo(before);
    }
  }

  /** Interns new strings of that many bytes in all; returns the dictionary's size. */
  private static int fill(Dictionary dictionary, String name, int bytes) {
    for (int i = 0; i < bytes; i += 1000) {
      byte[] b = (name + i + "y".repeat(1000)).substring(0, 1000).getBytes(StandardCharsets.UTF_8);
      dictionary.intern(b, 0, b.length);
    }
    return dictionary.size();
  }

  private void run(CrashableDirectory medium, long runSeed, int checkpoints)
      throws InterruptedException {
    end.set(false);
    try (TableSpace space = TableSpace.open(medium, false)) {
      Dictionary dictionary =
          Objects.requireNonNull(space.createTable(16, SampleTables.SHAPE).dictionary(COLUMN));
      TableStore table = Objects.requireNonNull(space.table(16));
      List<Thread> threads =
          List.of(
              repeat(() -> give(dictionary, new Random(runSeed))),
              repeat(() -> free(space, dictionary, new Random(~runSeed))),
              repeat(() -> insertHints(table.index(0), new Random(runSeed / 3))));
      try {
        for (int i = 1; i <= checkpoints; i++) {
          space.checkpoint(SnapshotImages.current(), i, new byte[0]);
          assertThat(problems(medium)).as("seed=%d, checkpoint %d", runSeed, i).isEmpty();
        }
      } finally {
        end.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertThat(failure.get()).as("seed=" + runSeed).isNull();
      List<String> before = strings(dictionary);
      space.checkpoint(SnapshotImages.current(), checkpoints + 1, new byte[0]);
      assertThat(reopened(medium)).as("seed=" + runSeed).isEqualTo(before);
    }
  }

  private Thread repeat(Runnable work) {
    return start(
        () -> {
          while (!end.get()) {
            work.run();
          }
        });
  }

  private Thread start(Runnable work) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                work.run();
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            });
  }

  private static void await(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void give(Dictionary dictionary, Random random) {
    for (int i = 0; i < 256; i++) {
      String s = random.nextInt(STRINGS) + "x".repeat(random.nextInt(100));
      byte[] b = s.getBytes(StandardCharsets.UTF_8);
      dictionary.intern(b, 0, b.length);
    }
  }

  /** Frees what is needed by nobody: no row has any code. */
  private static void free(TableSpace space, Dictionary dictionary, Random random) {
    BitSet inUse = new BitSet();
    int count = dictionary.size();
    for (int code = 0; code < count; code++) {
      inUse.set(code, random.nextInt(4) > 0);
    }
    dictionary.release(inUse, count, space.beginCodeRound());
    dictionary.compact();
    space.trim();
  }

  private static void insertHints(Index index, Random random) {
    for (int i = 0; i < 256; i++) {
      index.insert(new long[] {random.nextLong()}, random.nextInt(1 << 20));
    }
  }

  /** What a crash at this moment leaves, opened and read to its last byte. */
  private static List<String> problems(CrashableDirectory medium) {
    try (CrashableDirectory crashed = medium.crash(CrashChoice.keepNothing());
        TableSpace space = TableSpace.open(crashed, false)) {
      return space.check();
    }
  }

  private static List<String> reopened(CrashableDirectory medium) {
    try (CrashableDirectory crashed = medium.crash(CrashChoice.keepNothing());
        TableSpace space = TableSpace.open(crashed, false)) {
      assertThat(space.check()).isEmpty();
      return strings(
          Objects.requireNonNull(Objects.requireNonNull(space.table(16)).dictionary(COLUMN)));
    }
  }

  private static List<String> strings(Dictionary dictionary) {
    return IntStream.range(0, dictionary.size())
        .mapToObj(
            code -> {
              byte[] b = dictionary.bytesOrNull(code);
              return b == null ? "" : "=" + new String(b, StandardCharsets.UTF_8);
            })
        .toList();
  }
}
