package io.gpdb.exec.emulated.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Op.PersistScope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockPersistsTest {
  private final List<String> calls = new ArrayList<>();
  private final ExecutionCounters counters = new ExecutionCounters();
  private final PersistTarget target =
      new PersistTarget() {
        @Override
        public void flush(long offset, long bytes) {
          calls.add(offset + "+" + bytes);
        }

        @Override
        public void drain() {
          calls.add("drain");
        }
      };

  private BlockPersists persists(long bytes) {
    MemorySegment[] buffers = {Arena.ofAuto().allocate(bytes, 64)};
    return new BlockPersists(buffers, new PersistTarget[] {target}, counters);
  }

  @Test
  void neighbouringLinesAreOneRangeCutAtTheEnd() {
    BlockPersists persists = persists(64 * 300 + 8);
    persists.stored(0, 0, 8);
    persists.stored(0, 120, 8);
    persists.stored(0, 64 * 63, 4);
    persists.stored(0, 64 * 64, 4);
    persists.stored(0, 64 * 200 + 60, 8);
    persists.stored(0, 64 * 300, 8);
    persists.persist(PersistScope.WORKGROUP);
    assertThat(calls).containsExactly("0+128", "4032+128", "12800+128", "19200+8", "drain");
    assertThat(counters.snapshot().bytesPersisted()).isEqualTo(7 * 64);
  }

  @Test
  void whatIsPersistedIsNotPersistedAgain() {
    BlockPersists persists = persists(640);
    persists.stored(0, 64, 8);
    persists.persist(PersistScope.WORKITEM);
    persists.persist(PersistScope.WORKITEM);
    assertThat(calls).containsExactly("64+64", "drain");
  }

  @Test
  void kernelScopeWaitsForTheEndAndTakesAllThreads() {
    BlockPersists one = persists(640);
    BlockPersists other = persists(640);
    one.stored(0, 0, 8);
    other.stored(0, 64, 8);
    other.persist(PersistScope.KERNEL);
    assertThat(calls).isEmpty();
    one.merge(other);
    BlockPersists.endLaunch(new BlockPersists[] {one});
    assertThat(calls).containsExactly("0+128", "drain");
  }

  @Test
  void aLaunchWithoutBarrierFlushesNothing() {
    BlockPersists persists = persists(640);
    persists.stored(0, 0, 8);
    BlockPersists.endLaunch(new BlockPersists[] {persists});
    assertThat(calls).isEmpty();
  }

  @Test
  void trapKeysOrderByDetailThenCode() {
    BlockTraps traps = new BlockTraps();
    assertThat(traps.isEmpty()).isTrue();
    traps.trap(5, 100);
    traps.trap(4, 100);
    traps.trap(1, 101);
    assertThat(BlockTraps.code(traps.key())).isEqualTo(4);
    assertThat(BlockTraps.detail(traps.key())).isEqualTo(100);
    traps.trap(-1, -3);
    assertThat(BlockTraps.code(traps.key())).isEqualTo(-1);
    assertThat(BlockTraps.detail(traps.key())).isEqualTo(-3);
  }

  @Test
  void trapDetailsKeep48Bits() {
    long key = BlockTraps.key(7, (1L << 47) | 3);
    assertThat(BlockTraps.detail(key)).isEqualTo(-(1L << 47) + 3);
    assertThat(BlockTraps.code(key)).isEqualTo(7);
  }
}
