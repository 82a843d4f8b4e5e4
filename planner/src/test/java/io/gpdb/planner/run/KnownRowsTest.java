package io.gpdb.planner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.planner.FileInMemory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Rows with and without memory for all of them, against a map. {@code -Dgpdb.seed=S} replays one
 * round, {@code -Dgpdb.fuzz=N} runs N.
 */
class KnownRowsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 1);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 3);
  private static final long LIMIT_BYTES = 1 << 20;

  /** Seven runs of each of two sizes, and what becomes one of the next. */
  private static final int FILES_MAX = 17;

  @Test
  void rowsComeOutOnceInTheOrderInWhichTheyWereAdded() {
    for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
      for (long limit : new long[] {LIMIT_BYTES / 4, LIMIT_BYTES, Long.MAX_VALUE}) {
        check(new Random(seed), limit);
      }
    }
  }

  private static void check(Random random, long limitBytes) {
    List<FileInMemory> files = new ArrayList<>();
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(limitBytes);
      memory.temporaryFiles(
          () -> {
            assertThat(files.stream().filter(FileInMemory::isOpen)).hasSizeLessThan(FILES_MAX);
            files.add(new FileInMemory());
            return files.getLast();
          });
      int compared = 1 + random.nextInt(3);
      WordRow layout = new WordRow(compared + random.nextInt(3), compared);
      int distinct = 1 + random.nextInt(40_000);
      try (MemoryAccount statement = memory.work().statement("test");
          MemoryAccount.Scope bound = statement.bind()) {
        assertThat(bound).isNotNull();
        try (KnownRows known = new KnownRows(layout)) {
          checkAll(random, layout, distinct, known);
        }
        assertThat(statement.usedBytes()).isZero();
        assertThat(files).noneMatch(FileInMemory::isOpen);
        assertThat(statement.spilledBytes() > 0).isEqualTo(!files.isEmpty());
        if (limitBytes == Long.MAX_VALUE) {
          assertThat(files).isEmpty();
        } else if (distinct > 30_000) {
          assertThat(files).isNotEmpty();
        }
      }
    }
  }

  private static void checkAll(Random random, WordRow layout, int distinct, KnownRows known) {
    Map<List<Long>, long[]> expected = new LinkedHashMap<>();
    List<long[]> found = new ArrayList<>();
    for (int n = 0; n < 40_000; n++) {
      long[] row = row(random, layout, random.nextInt(distinct));
      expected.putIfAbsent(key(row, layout), row);
      takeAll(known, layout, found);
      while (known.isFull()) {
        assertThat(known.settle()).isTrue();
        takeAll(known, layout, found);
      }
      known.add(row.clone());
      if (random.nextInt(1000) == 0) {
        end(known, layout, found);
        assertThat(found).hasSize(expected.size());
      }
    }
    end(known, layout, found);
    assertThat(found)
        .usingElementComparator(Arrays::compare)
        .containsExactlyElementsOf(expected.values());
  }

  private static void end(KnownRows known, WordRow layout, List<long[]> found) {
    takeAll(known, layout, found);
    while (known.settle()) {
      takeAll(known, layout, found);
    }
    assertThat(known.waiting()).isZero();
  }

  private static void takeAll(KnownRows known, WordRow layout, List<long[]> found) {
    long[] row = new long[layout.width()];
    while (known.next(row)) {
      found.add(row.clone());
    }
  }

  /** Few of the values differ in their low bits alone. */
  private static long[] row(Random random, WordRow layout, int number) {
    long[] row = new long[layout.width()];
    for (int i = 0; i < row.length; i++) {
      row[i] = i >= layout.compared() ? random.nextLong() : number >> (3 * i) << (number % 5 * 9);
    }
    return row;
  }

  private static List<Long> key(long[] row, WordRow layout) {
    return Arrays.stream(row, 0, layout.compared()).boxed().toList();
  }

  @Test
  void withoutAFileRowsThatMemoryDoesNotHoldRaise53200() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(LIMIT_BYTES);
      try (MemoryAccount statement = memory.work().statement("test");
          MemoryAccount.Scope bound = statement.bind();
          KnownRows known = new KnownRows(new WordRow(1, 1))) {
        assertThat(bound).isNotNull();
        assertThatThrownBy(
                () -> {
                  for (long n = 0; n < LIMIT_BYTES; n++) {
                    known.add(new long[] {n});
                    known.next(new long[1]);
                  }
                })
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY));
      }
    }
  }
}
