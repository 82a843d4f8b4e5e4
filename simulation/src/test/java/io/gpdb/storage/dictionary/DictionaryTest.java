package io.gpdb.storage.dictionary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DictionaryTest {
  private final StorageDirectory medium = new CrashableDirectory();
  private final TableSpace space = TableSpace.open(medium, false);
  private final Dictionary dictionary =
      Objects.requireNonNull(space.createTable(16, SampleTables.SHAPE).dictionary(1));

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  private static byte[] utf8(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private static int intern(Dictionary dictionary, String s) {
    byte[] b = utf8("<" + s + ">");
    return dictionary.intern(b, 1, b.length - 2);
  }

  @Test
  void codesCountFromZeroAndEqualStringsShareOne() {
    assertThat(intern(dictionary, "a")).isEqualTo(0);
    assertThat(intern(dictionary, "")).isEqualTo(1);
    assertThat(intern(dictionary, "größer")).isEqualTo(2);
    assertThat(intern(dictionary, "a")).isEqualTo(0);
    assertThat(intern(dictionary, "")).isEqualTo(1);
    assertThat(dictionary.size()).isEqualTo(3);
    assertThat(dictionary.string(2)).isEqualTo("größer");
    assertThat(dictionary.length(2)).isEqualTo(8);
    assertThat(dictionary.bytesUsed()).isEqualTo(9);
    assertThat(dictionary.find(utf8("b"), 0, 1)).isEqualTo(-1);
    byte[] target = new byte[10];
    dictionary.copy(2, target, 1);
    assertThat(Arrays.copyOfRange(target, 1, 9)).isEqualTo(utf8("größer"));
  }

  @Test
  void stringsOfEveryLengthAcrossPagesSurviveACheckpoint() {
    Random random = new Random(5);
    int n = 3000;
    byte[][] strings = new byte[n][];
    for (int i = 0; i < n; i++) {
      strings[i] = new byte[i < 100 ? i : random.nextInt(3000)];
      random.nextBytes(strings[i]);
      int code = dictionary.intern(strings[i], 0, strings[i].length);
      assertThat(dictionary.intern(strings[i], 0, strings[i].length)).isEqualTo(code);
    }
    byte[] large = new byte[3 << 20];
    random.nextBytes(large);
    int largeCode = dictionary.intern(large, 0, large.length);
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      Dictionary loaded =
          Objects.requireNonNull(Objects.requireNonNull(again.table(16)).dictionary(1));
      assertThat(loaded.bytes(largeCode)).isEqualTo(large);
      for (byte[] string : strings) {
        int code = loaded.find(string, 0, string.length);
        assertThat(loaded.bytes(code)).isEqualTo(string);
      }
      assertThat(intern(loaded, "something new")).isEqualTo(loaded.size() - 1);
      assertThat(loaded.intern(large, 0, large.length)).isEqualTo(largeCode);
      assertThat(again.check()).isEmpty();
    }
  }

  @Test
  void aDroppedDictionaryGivesAllItsMemoryBack() {
    long before = space.workingBytes();
    for (int n : new int[] {1, 100, 3000, 30_000}) {
      TableStore table = space.createTable(100 + n, SampleTables.SHAPE);
      Dictionary strings = Objects.requireNonNull(table.dictionary(1));
      for (int i = 0; i < n; i++) {
        intern(strings, "string number " + i);
      }
      assertThat(space.workingBytes()).isGreaterThan(before + 20L * n);
      space.dropTable(100 + n);
      assertThat(space.workingBytes()).as("strings: " + n).isEqualTo(before);
    }
  }

  @Test
  void aLaterCheckpointWritesOnlyWhatWasAppended() {
    for (int i = 0; i < 200_000; i++) {
      intern(dictionary, "string number " + i);
    }
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    intern(dictionary, "one more");
    long before = medium.counters().snapshot().bytesStored();
    space.checkpoint(SnapshotImages.current(), 2, new byte[0]);
    assertThat(medium.counters().snapshot().bytesStored() - before).isLessThan(3 << 20);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      Dictionary loaded =
          Objects.requireNonNull(Objects.requireNonNull(again.table(16)).dictionary(1));
      assertThat(loaded.size()).isEqualTo(200_001);
      assertThat(loaded.string(200_000)).isEqualTo("one more");
      assertThat(loaded.string(123_456)).isEqualTo("string number 123456");
    }
  }

  @Test
  void replayIsIdempotentAndNoticesWhatDoesNotFit() {
    intern(dictionary, "a");
    dictionary.appendReplayed(0, MemorySegment.ofArray(utf8("a")));
    dictionary.appendReplayed(1, MemorySegment.ofArray(utf8("b")));
    assertThat(dictionary.find(utf8("b"), 0, 1)).isEqualTo(1);
    assertThatThrownBy(() -> dictionary.appendReplayed(1, MemorySegment.ofArray(utf8("c"))))
        .hasMessageContaining("differ");
    assertThatThrownBy(() -> dictionary.appendReplayed(7, MemorySegment.ofArray(utf8("c"))))
        .hasMessageContaining("code=7, size=2");
  }

  @Test
  void aCodeThatIsNotThereIsCorruption() {
    assertThatThrownBy(() -> dictionary.bytes(0)).hasMessageContaining("code=0, size=0");
    assertThatThrownBy(() -> dictionary.length(-1)).isInstanceOf(GpdbException.class);
  }

  @Test
  void aStringBeyondTheLimitIsRefused() {
    byte[] tooLong = new byte[Dictionary.MAX_LENGTH_BYTES + 1];
    assertThatThrownBy(() -> dictionary.intern(tooLong, 0, tooLong.length))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
    assertThat(dictionary.size()).isZero();
  }

  @Test
  void threadsThatInternTheSameStringsAgree() throws Exception {
    int n = 50_000;
    int[][] codes = new int[3][n];
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread[] threads = new Thread[codes.length];
    for (int t = 0; t < threads.length; t++) {
      int[] own = codes[t];
      threads[t] =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < n; i++) {
                    own[i] = intern(dictionary, "s" + i);
                    if (!dictionary.string(own[i]).equals("s" + i)) {
                      throw new AssertionError("code " + own[i]);
                    }
                  }
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(dictionary.size()).isEqualTo(n);
    assertThat(codes[1]).isEqualTo(codes[0]);
    assertThat(codes[2]).isEqualTo(codes[0]);
  }
}
