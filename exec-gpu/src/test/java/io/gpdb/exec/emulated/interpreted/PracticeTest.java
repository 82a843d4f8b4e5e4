package io.gpdb.exec.emulated.interpreted;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.storage.memory.SlabSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PracticeTest {
  private static final int BLOCKS = PracticeKernels.ROWS / PracticeKernels.BLOCK_SIZE;

  /** What practises has no statement that a trap could fail. */
  @Test
  void kernelsAreValidAndTrapNowhere() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] buffers =
          PracticeKernels.buffers(arena.allocate(PracticeKernels.bytes(), Long.BYTES));
      long[] scalars = {PracticeKernels.ROWS, PracticeKernels.BOUND};
      for (Kernel kernel : PracticeKernels.all()) {
        KernelVerifier.verify(kernel);
        BlockTraps traps = new BlockTraps();
        new InterpretedExecutor(kernel)
            .runBlocks(0, BLOCKS, BLOCKS, buffers, scalars, traps, null, null);
        traps.throwIfAny(kernel.name());
      }
    }
  }

  @Test
  void beginsOnceAndGivesItsMemoryBack() throws InterruptedException {
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger given = new AtomicInteger();
    SlabSource counting =
        bytes -> {
          taken.incrementAndGet();
          SlabSource.Slab slab = SlabSource.SYSTEM.take(bytes);
          return new SlabSource.Slab(
              slab.bytes(),
              () -> {
                given.incrementAndGet();
                slab.giveBack().run();
              });
        };
    Practice practice = new Practice();
    Thread thread = practice.begin(Practice.PROCESSORS_MIN, counting);
    assertThat(thread).isNotNull();
    assertThat(practice.begin(Practice.PROCESSORS_MIN, counting)).isNull();
    thread.join();
    assertThat(taken).hasValue(1);
    assertThat(given).hasValue(1);
  }

  /** Statements need the few processors that there are. */
  @Test
  void beginsNowhereElseThanBesideManyProcessors() throws InterruptedException {
    Practice practice = new Practice();
    assertThat(practice.begin(Practice.PROCESSORS_MIN - 1, SlabSource.SYSTEM)).isNull();
    Thread later = practice.begin(Practice.PROCESSORS_MIN, SlabSource.SYSTEM);
    assertThat(later).isNotNull();
    later.join();
  }

  @Test
  void goesWithoutMemoryWhereThereIsNone() throws InterruptedException {
    SlabSource none =
        bytes -> {
          throw new OutOfMemoryError("none");
        };
    AtomicInteger failed = new AtomicInteger();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> failed.incrementAndGet());
    try {
      Thread thread = new Practice().begin(Practice.PROCESSORS_MIN, none);
      assertThat(thread).isNotNull();
      thread.join();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(failed).hasValue(0);
  }
}
