package io.gpdb.simulation.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LaunchExplorerTest {
  private static final int BLOCK = 64;
  private static final int BLOCKS = 3;

  /** Notes lines flushed, and at each drain those flushed before are durable. */
  private static final class NotingTarget implements PersistTarget {
    final Set<Long> flushed = new TreeSet<>();
    final Set<Long> durable = new TreeSet<>();

    @Override
    public void flush(long offset, long bytes) {
      flushed.add(offset / 64);
    }

    @Override
    public void drain() {
      durable.addAll(flushed);
    }
  }

  /** Every lane stores a word; the lanes chosen execute a barrier of the scope. */
  private static Kernel kernel(PersistScope scope, boolean firstBlockOnly) {
    KernelBuilder b = new KernelBuilder("stores").blockSize(BLOCK);
    Reg unused = b.scalar("unused", Type.I32);
    int out = b.buffer(new BufferParam("out", Element.I32, Space.PERSISTENT, Access.READ_WRITE));
    b.store(out, b.global(), b.add(b.global(), unused));
    b.fence(FenceScope.DEVICE);
    if (firstBlockOnly) {
      b.ifThen(b.eq(b.block(), b.i32(0)), () -> b.persist(scope));
    } else {
      b.persist(scope);
    }
    return b.build();
  }

  private static List<String> run(Kernel kernel, long seed, NotingTarget target) {
    List<String> effects = new ArrayList<>();
    try (Arena arena = Arena.ofConfined();
        Device device =
            new ExploringDevice(
                seed,
                (effect, name, block, warp, buffer, offset) ->
                    effects.add(effect + " " + block + "/" + warp + " " + buffer + offset))) {
      LoadedKernel loaded = device.load(kernel);
      MemorySegment out = arena.allocate(4L * BLOCK * BLOCKS, 64);
      Arguments arguments = new Arguments(loaded.kernel());
      arguments.scalar(0, 5);
      arguments.persistent(0, HostMemory.INSTANCE.map(out), target);
      loaded.launch(BLOCKS, arguments);
      for (int i = 0; i < BLOCK * BLOCKS; i++) {
        assertThat(out.getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, i)).isEqualTo(i + 5);
      }
    }
    return effects;
  }

  @Test
  void aBarrierOfOneBlockMakesOnlyThatBlocksStoresDurable() {
    NotingTarget target = new NotingTarget();
    run(kernel(PersistScope.WORKGROUP, true), 1, target);
    assertThat(target.durable).containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void aBarrierOfKernelScopeTakesInAllBlocks() {
    NotingTarget target = new NotingTarget();
    run(kernel(PersistScope.KERNEL, true), 1, target);
    assertThat(target.durable).hasSize(4 * BLOCKS);
  }

  @Test
  void aBarrierOfAWarpTakesInItsOwnLanes() {
    KernelBuilder b = new KernelBuilder("one_warp").blockSize(BLOCK);
    Reg unused = b.scalar("unused", Type.I32);
    int out = b.buffer(new BufferParam("out", Element.I32, Space.PERSISTENT, Access.READ_WRITE));
    b.store(out, b.global(), b.add(b.global(), unused));
    b.barrier();
    b.ifThen(b.lt(b.global(), b.i32(32)), () -> b.persist(PersistScope.WORKITEM));
    NotingTarget target = new NotingTarget();
    run(b.build(), 1, target);
    assertThat(target.durable).containsExactly(0L, 1L);
  }

  @Test
  void everyEffectIsToldAndItsPlace() {
    List<String> effects = run(kernel(PersistScope.WORKGROUP, false), 1, new NotingTarget());
    assertThat(effects.stream().filter(e -> e.startsWith("STORE"))).hasSize(BLOCK * BLOCKS);
    assertThat(effects.stream().filter(e -> e.startsWith("FENCE_DEVICE"))).hasSize(2 * BLOCKS);
    assertThat(effects.stream().filter(e -> e.startsWith("PERSIST_WORKGROUP"))).hasSize(BLOCKS);
    assertThat(effects).contains("STORE 1/1 out" + 4 * (BLOCK + 32));
  }

  @Test
  void aSeedIsAnOrderOfTheWarps() {
    Kernel kernel = kernel(PersistScope.KERNEL, false);
    List<String> first = run(kernel, 1, new NotingTarget());
    assertThat(run(kernel, 1, new NotingTarget())).isEqualTo(first);
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      orders.add(run(kernel, seed, new NotingTarget()));
    }
    assertThat(orders).hasSizeGreaterThan(10);
  }
}
