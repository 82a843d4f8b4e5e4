package io.gpdb.planner.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.planner.FileInMemory;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.MemoryAccount;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Strings in the heap, outside and in a file, against a map. */
class MadeStringsTest {
  private static final int STRINGS = 120_000;

  /** Fewer than the strings take, so that most of them are in the file. */
  private static final long LIMIT_BYTES = 3 << 20;

  private static final long HEAP_BYTES = 1 << 19;

  private final Random random = new Random(Long.getLong("gpdb.seed", 1));
  private final List<FileInMemory> files = new ArrayList<>();

  @Test
  void stringsHaveTheCodesOfTheirFirstPlaces() {
    check(new StringDomain.Made(Long.MAX_VALUE));
    check(new StringDomain.Made(HEAP_BYTES));
  }

  @Test
  void stringsOfAStatementAreInMemoryAsLongAsTheyHaveRoom() {
    long left = checkStatement(Long.MAX_VALUE);
    assertThat(files).isEmpty();
    assertThat(left).isGreaterThan(LIMIT_BYTES);
  }

  @Test
  void stringsOfAStatementAreInAFileBeyondTheirShare() {
    long left = checkStatement(LIMIT_BYTES);
    assertThat(files).hasSize(1);
    assertThat(files.getFirst().isOpen()).isFalse();
    assertThat(left).isBetween(1L, LIMIT_BYTES / 2);
  }

  /** What the statement had taken at its end. */
  private long checkStatement(long limitBytes) {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(limitBytes);
      memory.temporaryFiles(
          () -> {
            files.add(new FileInMemory());
            return files.getLast();
          });
      long used;
      try (MemoryAccount statement = memory.work().statement("made strings");
          MemoryAccount.Scope _ = statement.bind()) {
        check(new StringDomain.Made(HEAP_BYTES));
        used = statement.usedBytes();
      }
      assertThat(memory.work().usedBytes()).isZero();
      return used;
    }
  }

  private void check(StringDomain.Made made) {
    Map<String, Integer> model = new HashMap<>();
    for (int i = 0; i < STRINGS; i++) {
      byte[] bytes = new byte[i % 5_000 == 77 ? 40_000 + random.nextInt(500_000) : length()];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        bytes = String.valueOf(random.nextInt(STRINGS)).getBytes(StandardCharsets.UTF_8);
      }
      String key = new String(bytes, StandardCharsets.ISO_8859_1);
      Integer known = model.get(key);
      if (i % 8 == 0) {
        assertThat(made.find(bytes)).isEqualTo(known == null ? -1 : known);
      }
      int expected = known == null ? model.size() : known;
      model.putIfAbsent(key, expected);
      int code = made.intern(bytes.clone());
      if (code != expected || made.size() != model.size()) {
        assertThat(code).as("string %d", i).isEqualTo(expected);
        assertThat(made.size()).isEqualTo(model.size());
      }
    }
    model.forEach(
        (key, code) -> {
          byte[] bytes = made.bytes(code);
          if (!new String(bytes, StandardCharsets.ISO_8859_1).equals(key)) {
            assertThat(bytes).isEqualTo(key.getBytes(StandardCharsets.ISO_8859_1));
          }
          if (made.find(bytes) != code) {
            assertThat(made.find(bytes)).isEqualTo(code);
          }
        });
  }

  private int length() {
    return random.nextInt(random.nextInt(50) == 0 ? 700 : 20);
  }

  @Test
  void aCodeThatNoStringHasIsRefused() {
    StringDomain.Made made = new StringDomain.Made();
    made.intern(new byte[] {1});
    assertThatThrownBy(() -> made.bytes(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> made.bytes(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
