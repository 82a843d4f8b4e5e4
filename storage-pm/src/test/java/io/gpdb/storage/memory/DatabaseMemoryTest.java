package io.gpdb.storage.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one pool of blocks, and the accounts of their users. */
class DatabaseMemoryTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20260801);
  private static final long MIB = 1 << 20;

  @Test
  void memoryThatIsFreeAsAWholeGoesBackToTheSystem() {
    Random random = new Random(SEED);
    try (DatabaseMemory memory = new DatabaseMemory()) {
      MemoryAccount account = memory.tables();
      MemorySegment kept = account.takeZeroed(1000);
      kept.fill((byte) 3);
      for (int round = 0; round < 3; round++) {
        List<MemorySegment> blocks = new ArrayList<>();
        while (memory.reservedBytes() < 100 * MIB) {
          blocks.add(account.take(1 + random.nextInt((int) MIB)));
        }
        MemorySegment one = blocks.remove(random.nextInt(blocks.size()));
        one.fill((byte) 4);
        memory.trim();
        assertThat(memory.reservedBytes()).as("in use").isGreaterThanOrEqualTo(96 * MIB);
        blocks.forEach(account::give);
        memory.trim();
        assertThat(memory.reservedBytes()).as("seed %d", SEED).isLessThan(24 * MIB);
        assertThat(one.get(JAVA_BYTE, 7)).isEqualTo((byte) 4);
        assertThat(kept.get(JAVA_BYTE, 7)).isEqualTo((byte) 3);
        account.give(one);
      }
    }
  }

  @Test
  void aStatementStaysWithTheDeviceOnceAPlanReadsManyRows() {
    try (DatabaseMemory memory = new DatabaseMemory();
        MemoryAccount statement = memory.work().statement("SELECT 1")) {
      assertThat(statement.worksOnHost()).isFalse();
      statement.readsFewRows(true);
      assertThat(statement.worksOnHost()).isTrue();
      statement.readsFewRows(false);
      statement.readsFewRows(true);
      assertThat(statement.worksOnHost()).isFalse();
      memory.work().readsFewRows(true);
      assertThat(memory.work().worksOnHost()).as("all statements together").isFalse();
    }
  }

  @Test
  void theFirstBlocksAreOfOneArenaThatEndsWithTheDatabase() {
    List<MemorySegment> blocks = new ArrayList<>();
    try (DatabaseMemory memory = new DatabaseMemory()) {
      MemoryAccount account = memory.tables();
      while (memory.reservedBytes() < MemoryPool.BASE_BYTES) {
        blocks.add(account.takeZeroed(4096));
      }
      assertThat(blocks).map(MemorySegment::scope).containsOnly(blocks.getFirst().scope());
      MemorySegment large = account.take(MIB);
      assertThat(large.scope()).isNotEqualTo(blocks.getFirst().scope());
      List.copyOf(blocks.subList(1, blocks.size())).forEach(account::give);
      account.give(large);
      memory.trim();
      assertThat(blocks.getFirst().get(JAVA_BYTE, 4095)).isZero();
      blocks.add(account.takeZeroed(MemoryPool.BASE_BYTES / 2));
      assertThat(memory.reservedBytes()).isLessThan(4 * MIB);
    }
    assertThat(blocks).noneMatch(block -> block.scope().isAlive());
  }

  @Test
  void zeroedBlocksAreZeroAndReusedAndGarbageIsBounded() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      MemoryAccount account = memory.tables();
      List<MemorySegment> blocks = new ArrayList<>();
      for (int round = 0; round < 50; round++) {
        for (int bytes = 1; bytes <= MIB; bytes = bytes * 3 + 1) {
          MemorySegment block = account.takeZeroed(bytes);
          assertThat(block.byteSize()).isGreaterThanOrEqualTo(bytes);
          assertThat(block.address() % 256).isZero();
          assertThat(block.mismatch(MemorySegment.ofArray(new byte[(int) block.byteSize()])))
              .isEqualTo(-1);
          block.fill((byte) 7);
          blocks.add(block);
        }
        blocks.forEach(account::give);
        blocks.clear();
      }
      assertThat(memory.reservedBytes()).isLessThan(8 * MIB);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 256, 257, 4096, 1 << 20, (1 << 20) + 1, 64 << 20, (64 << 20) + 1})
  void whatIsTakenAndGivenLeavesTheAccountAsItWas(long bytes) {
    try (DatabaseMemory memory = new DatabaseMemory();
        MemoryAccount statement = memory.work().statement("SELECT 1")) {
      MemorySegment block = statement.take(bytes);
      assertThat(block.byteSize()).isGreaterThanOrEqualTo(bytes).isLessThan(2 * bytes + 256 + MIB);
      assertThat(statement.usedBytes()).isEqualTo(block.byteSize());
      assertThat(memory.work().usedBytes()).isEqualTo(block.byteSize());
      statement.give(block);
      assertThat(statement.usedBytes()).isZero();
      assertThat(memory.usedBytes()).isZero();
      assertThat(memory.reservedBytes()).isLessThanOrEqualTo(MemoryPool.KEPT_BYTES_MIN);
    }
  }

  @Test
  void blocksAbove64MibAreTakenAgainForTheSameSize() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      MemoryAccount work = memory.work();
      work.limit(16 * 256 * MIB);
      MemorySegment block = work.take(100 * MIB);
      block.fill((byte) 7);
      work.give(block);
      MemorySegment other = work.take(90 * MIB);
      assertThat(other.address()).isNotEqualTo(block.address());
      work.give(other);
      assertThat(memory.reservedBytes()).isEqualTo(190 * MIB);
      MemorySegment again = work.takeZeroed(100 * MIB);
      assertThat(again.address()).isEqualTo(block.address());
      assertThat(again.asSlice(50 * MIB, MIB).mismatch(MemorySegment.ofArray(new byte[1 << 20])))
          .isEqualTo(-1);
      work.give(again);
      memory.trim();
      assertThat(memory.reservedBytes()).isLessThan(8 * MIB);
    }
  }

  @Test
  void theLargestBlocksMakeRoomForOthers() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      MemoryAccount work = memory.work();
      work.limit(16 * 256 * MIB);
      MemorySegment first = work.take(100 * MIB);
      MemorySegment second = work.take(120 * MIB);
      MemorySegment third = work.take(130 * MIB);
      work.give(first);
      work.give(second);
      assertThat(memory.reservedBytes()).isEqualTo(350 * MIB);
      work.give(third);
      assertThat(memory.reservedBytes()).isEqualTo(250 * MIB);
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        blocks.add(work.take(8 * MIB));
      }
      blocks.forEach(work::give);
      assertThat(memory.reservedBytes()).isEqualTo(128 * MIB);
      MemorySegment huge = work.take(300 * MIB);
      work.give(huge);
      assertThat(memory.reservedBytes()).isLessThanOrEqualTo(256 * MIB);
    }
  }

  @Test
  void freeMemoryOfLargeBlocksIsBounded() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(1024 * MIB);
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        blocks.add(memory.work().take(8 * MIB));
      }
      assertThat(memory.reservedBytes()).isEqualTo(320 * MIB);
      blocks.forEach(memory.work()::give);
      assertThat(memory.reservedBytes()).isLessThanOrEqualTo(MemoryPool.KEPT_BYTES_MIN);
    }
  }

  @Test
  void aHigherLimitOfStatementsKeepsMore() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(16 * 256 * MIB);
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        blocks.add(memory.work().take(8 * MIB));
      }
      blocks.forEach(memory.work()::give);
      assertThat(memory.reservedBytes()).isEqualTo(256 * MIB);
      memory.trim();
      assertThat(memory.reservedBytes()).isLessThan(8 * MIB);
    }
  }

  @Test
  void freeMemoryOfSmallBlocksIsBounded() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      List<MemorySegment> blocks = new ArrayList<>();
      memory.work().limit(1024 * MIB);
      for (int i = 0; i < 200 * 16; i++) {
        blocks.add(memory.work().take(64 << 10));
      }
      assertThat(memory.reservedBytes()).isGreaterThanOrEqualTo(200 * MIB);
      blocks.forEach(memory.work()::give);
      assertThat(memory.reservedBytes()).isLessThanOrEqualTo(MemoryPool.KEPT_BYTES_MIN);
    }
  }

  @Test
  void theLimitOfAllStatementsIsNamedWithTheStatementThatMeetsIt() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(MIB);
      MemorySegment held = memory.work().take(MIB / 2);
      try (MemoryAccount statement = memory.work().statement("SELECT 'much'")) {
        MemorySegment most = statement.take(MIB / 4);
        assertThatThrownBy(() -> statement.take(MIB / 2))
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY))
            .hasMessage(
                "no memory for statements: bytes=524288, usedBytes=786432, limitBytes=1048576,"
                    + " statement=SELECT 'much'");
        assertThat(statement.usedBytes()).isEqualTo(MIB / 4);
        assertThat(memory.work().usedBytes()).isEqualTo(MIB * 3 / 4);
        assertThat(statement.takeAnyway(MIB).byteSize()).isEqualTo(MIB);
        statement.give(most);
      }
      memory.work().give(held);
      assertThat(memory.usedBytes()).isZero();
    }
  }

  @Test
  void theEndOfAStatementGivesBackWhatWasLeft() {
    try (DatabaseMemory memory = new DatabaseMemory()) {
      MemoryAccount statement = memory.work().statement("SELECT 1");
      List<HeldBlocks> held = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        HeldBlocks blocks = new HeldBlocks(statement);
        blocks.allocate(1000);
        blocks.allocate(5000);
        held.add(blocks);
      }
      held.get(2).close();
      held.get(0).close();
      held.get(4).give(held.get(4).allocate(10));
      statement.charge(77);
      assertThat(statement.usedBytes()).isEqualTo(3 * (1024 + 8192) + 77);
      statement.close();
      assertThat(memory.work().leftBytes()).isEqualTo(3 * (1024 + 8192));
      assertThat(memory.usedBytes()).isZero();
      held.forEach(HeldBlocks::close);
      assertThat(memory.usedBytes()).isZero();
      assertThatThrownBy(() -> held.getFirst().allocate(1)).hasMessageContaining("after the end");
      assertThat(memory.usedBytes()).isZero();
    }
  }

  @Test
  void theThreadTakesFromTheAccountThatIsBoundToIt() {
    try (DatabaseMemory memory = new DatabaseMemory();
        MemoryAccount outer = memory.work().statement("outer");
        MemoryAccount inner = outer.statement("inner")) {
      MemoryAccount before = MemoryAccount.current();
      try (MemoryAccount.Scope _ = outer.bind()) {
        try (MemoryAccount.Scope _ = inner.bind()) {
          assertThat(MemoryAccount.current()).isSameAs(inner);
        }
        assertThat(MemoryAccount.current()).isSameAs(outer);
      }
      assertThat(MemoryAccount.current()).isSameAs(before);
    }
  }

  @Test
  void aClosedPoolGivesNothingAndTakesBackWhatIsLeft() {
    DatabaseMemory memory = new DatabaseMemory();
    MemorySegment small = memory.work().take(1);
    MemorySegment large = memory.work().take(80 * MIB);
    memory.close();
    memory.work().give(small);
    memory.work().give(large);
    assertThat(memory.usedBytes()).isZero();
    assertThatThrownBy(() -> memory.work().take(1 << 12))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(memory.usedBytes()).isZero();
  }

  /** No block goes to two at once, whoever trims meanwhile. */
  @Test
  void threadsShareThePool() throws Exception {
    try (DatabaseMemory memory = new DatabaseMemory();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int t = 1; t <= 4; t++) {
        byte mark = (byte) t;
        ends.add(threads.submit(() -> takeAndGive(memory, mark, new Random(SEED + mark))));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      assertThat(memory.usedBytes()).isZero();
    }
  }

  private static void takeAndGive(DatabaseMemory memory, byte mark, Random random) {
    Map<Long, MemorySegment> mine = new HashMap<>();
    for (int step = 0; step < 4000; step++) {
      if (mine.size() < 20) {
        MemorySegment block = memory.work().take(1L << random.nextInt(22));
        block.set(JAVA_BYTE, 0, mark);
        block.set(JAVA_BYTE, block.byteSize() - 1, mark);
        assertThat(mine.put(block.address(), block)).isNull();
      } else {
        MemorySegment block = mine.remove(mine.keySet().iterator().next());
        assertThat(block.get(JAVA_BYTE, 0)).isEqualTo(mark);
        assertThat(block.get(JAVA_BYTE, block.byteSize() - 1)).isEqualTo(mark);
        memory.work().give(block);
      }
      if (step % 200 == 0) {
        memory.trim();
      }
    }
    mine.values().forEach(memory.work()::give);
  }
}
