package io.gpdb.exec.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchPoolTest {
  private static final int SECONDS_MAX = 30;

  private HostWork work = new HostWork(0, _ -> {});

  /** No piece ends before each thread has one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void allWorkersAreWokenWhereEachHasAPiece(int workers) {
    CyclicBarrier all = new CyclicBarrier(workers);
    try (EmulatedDevice device =
        new EmulatedDevice(new EmulatedOptions(Mode.AUTO, workers, false))) {
      device.share(workers, _ -> await(all));
    }
    assertThat(all.isBroken()).isFalse();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("not all workers came", e);
    }
  }

  @Test
  void threadsClaimFewerBlocksTowardsTheEnd() {
    assertThat(Launch.claimed(4, 600, 16)).isEqualTo(4);
    assertThat(Launch.claimed(4, 200, 16)).isEqualTo(3);
    assertThat(Launch.claimed(4, 100, 16)).isEqualTo(1);
    assertThat(Launch.claimed(4, -8, 16)).isEqualTo(1);
  }

  @Test
  void eachPieceIsDoneOnce() {
    int pieces = 1000;
    AtomicIntegerArray done = new AtomicIntegerArray(pieces);
    try (EmulatedDevice device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 4, false))) {
      device.share(pieces, done::incrementAndGet);
    }
    for (int i = 0; i < pieces; i++) {
      assertThat(done.get(i)).isEqualTo(1);
    }
  }

  /** Blocks for a row each seem to be nothing, until the first have been run. */
  @Test
  void aLaunchOfFewBlocksThatTakeLongGetsHelpers() {
    int blocks = 64;
    int turns = 10_000;
    KernelBuilder b = new KernelBuilder("turns");
    b.blockSize(32);
    BufferParam output = BufferParam.output("out", Element.I32);
    int out = b.buffer(output);
    Reg turn = b.variable(b.i32(0));
    b.whileLoop(() -> b.lt(turn, turns), () -> b.set(turn, b.add(turn, 1)));
    b.store(out, b.global(), turn);
    Set<Thread> before = workers();
    HostBuffer turned = HostBuffer.collected(blocks * 32 * 4L);
    try (EmulatedDevice device =
        new EmulatedDevice(new EmulatedOptions(Mode.INTERPRETED, 2, false))) {
      LoadedKernel kernel = device.load(b.build());
      Arguments arguments = new Arguments(kernel.kernel()).buffer(output, turned);
      kernel.launch(List.of(new LaunchGroup(blocks, arguments, blocks)));
      Set<Thread> helping = workers();
      helping.removeAll(before);
      assertThat(helping).isNotEmpty();
    }
    for (int i = 0; i < blocks * 32; i++) {
      assertThat(turned.intAt(i)).isEqualTo(turns);
    }
  }

  private static Set<Thread> workers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("gpdb-worker"))
        .collect(Collectors.toSet());
  }

  @Test
  void codeGetsHelpersAsItRuns() {
    Runnable one = () -> {};
    Runnable other = () -> {};
    FreshCode code = FreshCode.of(one);
    code.ran(FreshCode.FRESH_NANOS_MAX - 1);
    assertThat(code.helpersMax(0)).isZero();
    assertThat(FreshCode.of(one)).isSameAs(code);
    code.ran(1);
    assertThat(code.helpersMax(0)).isEqualTo(BlockProgram.FEW_HELPERS);
    code.ran(FreshCode.FEW_NANOS_MAX - FreshCode.FRESH_NANOS_MAX - 1);
    assertThat(code.helpersMax(0)).isEqualTo(BlockProgram.FEW_HELPERS);
    assertThat(code.isTimed()).isTrue();
    code.ran(1);
    assertThat(code.helpersMax(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(code.isTimed()).isFalse();
    assertThat(FreshCode.of(other).helpersMax(0)).isZero();
  }

  @Test
  void workThatTakesLongGetsHelpersWhateverItsCode() {
    Runnable piece = () -> {};
    FreshCode code = FreshCode.of(piece);
    assertThat(code.helpersMax(FreshCode.FRESH_NANOS_MAX - 1)).isZero();
    assertThat(code.helpersMax(FreshCode.FRESH_NANOS_MAX)).isEqualTo(BlockProgram.FEW_HELPERS);
    assertThat(code.helpersMax(FreshCode.WORK_NANOS_MAX - 1)).isEqualTo(BlockProgram.FEW_HELPERS);
    assertThat(code.helpersMax(FreshCode.WORK_NANOS_MAX)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void codeThatThreadsRunTogetherWithoutHindranceGetsAllHelpers() {
    Runnable piece = () -> {};
    FreshCode code = FreshCode.of(piece);
    code.settle();
    assertThat(code.helpersMax(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(code.isTimed()).isFalse();
    code.ran(FreshCode.FRESH_NANOS_MAX);
    assertThat(code.helpersMax(0)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theShortestPiecesSayWhetherThreadsHinderEachOther() {
    PiecePaces paces = new PiecePaces();
    assertThat(paces.ranTogether(1)).isEqualTo(PiecePaces.Verdict.UNKNOWN);
    paces.ranAlone(9_000_000); // interpreted
    paces.ranAlone(1000);
    assertThat(paces.isAloneKnown()).isFalse();
    paces.ranAlone(1200);
    assertThat(paces.isAloneKnown()).isTrue();
    paces = new PiecePaces();
    for (int i = 0; i < PiecePaces.PIECES_MIN; i++) {
      paces.ranAlone(1000);
    }
    assertThat(paces.ranTogether(9000)).isEqualTo(PiecePaces.Verdict.UNKNOWN);
    assertThat(paces.ranTogether(2000)).isEqualTo(PiecePaces.Verdict.UNKNOWN);
    assertThat(paces.ranTogether(7000)).isEqualTo(PiecePaces.Verdict.HINDERED);
    assertThat(paces.ranTogether(1000)).as("asked anew").isEqualTo(PiecePaces.Verdict.UNKNOWN);
    assertThat(paces.ranTogether(1999)).isEqualTo(PiecePaces.Verdict.UNKNOWN);
    assertThat(paces.ranTogether(9000)).isEqualTo(PiecePaces.Verdict.FREE);
  }

  /** Pieces that take long beside others are left to one thread, for a while. */
  @Test
  void aHelperThatHindersWaits() throws InterruptedException {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger helped = new AtomicInteger();
    Thread owner = Thread.currentThread();
    Thread helper = new Thread(() -> work.work());
    int pieces = 16;
    work =
        new HostWork(
            pieces,
            i -> {
              if (i == PiecePaces.PIECES_MIN + 1) {
                helper.start();
              }
              boolean isAlone = running.incrementAndGet() == 1;
              LockSupport.parkNanos(isAlone ? 1_000_000 : 8_000_000);
              helped.addAndGet(Thread.currentThread() == owner ? 0 : 1);
              running.decrementAndGet();
            });
    long start = System.nanoTime();
    work.work();
    work.await();
    helper.join();
    assumeThat(System.nanoTime() - start).isLessThan(FreshCode.WORK_NANOS_MAX);
    assertThat(helped.get()).isPositive().isLessThan(pieces / 3);
  }

  @Test
  void oneThreadRunsFreshCode() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    long start = System.nanoTime();
    try (EmulatedDevice device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 4, false))) {
      device.share(1000, _ -> threads.add(Thread.currentThread()));
    }
    assumeThat(System.nanoTime() - start).isLessThan(FreshCode.FRESH_NANOS_MAX);
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  /** Helpers come after the first call at the latest, whose pieces take long enough. */
  @Test
  void codeThatIsNotFreshIsShared() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    IntConsumer piece =
        _ -> {
          threads.add(Thread.currentThread());
          LockSupport.parkNanos(FreshCode.FRESH_NANOS_MAX / 8);
        };
    try (EmulatedDevice device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 2, false))) {
      device.share(100, piece);
    }
    assertThat(FreshCode.of(piece).isTimed()).isFalse();
    assertThat(threads).hasSize(2);
  }
}
