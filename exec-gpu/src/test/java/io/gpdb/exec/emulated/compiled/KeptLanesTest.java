package io.gpdb.exec.emulated.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeptLanesTest {
  private static final long BYTES = 300 << 10;

  /** Keeps its arrays when launched, as executors do. */
  private static final class Program implements BlockProgram {
    boolean keeps;

    void launch(KeptLanes kept) {
      keeps = true;
      kept.used(this);
    }

    @Override
    public void runBlock(
        int block,
        int gridSize,
        MemorySegment[] buffers,
        long[] scalars,
        BlockTraps traps,
        @Nullable BlockPersists persists,
        @Nullable ExecutionCounters counters) {}

    @Override
    public long laneBytes() {
      return BYTES;
    }

    @Override
    public void forgetLanes() {
      keeps = false;
    }
  }

  @Test
  void programsLaunchedOnceLetGoAndTheOneInUseKeepsItsArrays() {
    KeptLanes kept = new KeptLanes(1);
    Program hot = new Program();
    List<Program> once = new ArrayList<>();
    int lettingGo = 0;
    for (int i = 0; i < 3000; i++) {
      hot.launch(kept);
      Program next = new Program();
      once.add(next);
      next.launch(kept);
      lettingGo += hot.keeps ? 0 : 1;
    }
    long keeping = once.stream().filter(p -> p.keeps).count();
    assertThat(keeping * BYTES).isLessThanOrEqualTo(KeptLanes.BYTES_MAX);
    assertThat(kept.bytes()).isLessThanOrEqualTo(KeptLanes.BYTES_MAX);
    assertThat(lettingGo).isZero();
  }
}
