package io.gpdb.exec.emulated.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.ShuffleKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the judge itself does, against results worked out by hand. */
class ReferenceExecutorTest {
  private final BlockTraps traps = new BlockTraps();
  private final ExecutionCounters counters = new ExecutionCounters();

  /** Runs one block whose lanes store the i32 that the program returns; -7 where none is stored. */
  private int[] run(int lanes, Function<KernelBuilder, Reg> program) {
    KernelBuilder b = new KernelBuilder("by_hand").blockSize(lanes);
    int out = b.output("out", Element.I32);
    b.store(out, b.global(), b.i32(-7));
    b.store(out, b.global(), program.apply(b));
    return run(b.build(), lanes);
  }

  private int[] run(Kernel kernel, int elements) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(4L * elements, 8);
      MemorySegment[] buffers = {out};
      new ReferenceExecutor(kernel).runBlock(0, 1, buffers, new long[0], traps, null, counters);
      return out.toArray(ValueLayout.JAVA_INT);
    }
  }

  private static int[] lanes(int count, IntUnaryOperator value) {
    return IntStream.range(0, count).map(value).toArray();
  }

  @Test
  void collectivesInABranchSeeItsLanesOnly() {
    int[] left =
        run(
            64,
            b -> {
              Reg result = b.variable(b.i32(-1));
              Reg third = b.eq(b.rem(b.lane(), b.i32(3)), 0);
              b.ifThen(
                  third,
                  () -> {
                    Reg rank = b.warpRank(b.ge(b.lane(), b.i32(6)));
                    Reg sum = b.warpReduce(ReduceOp.ADD, b.lane());
                    b.set(result, b.add(b.mul(sum, 100), rank));
                  });
              return result;
            });
    int sum = 0 + 3 + 6 + 9 + 12 + 15 + 18 + 21 + 24 + 27 + 30;
    assertThat(left)
        .isEqualTo(lanes(64, i -> i % 32 % 3 != 0 ? -1 : sum * 100 + Math.max(0, i % 32 / 3 - 2)));
  }

  @Test
  void lanesInATurnOfALoopAreThoseStillInside() {
    int[] left =
        run(
            32,
            b -> {
              Reg turn = b.variable(b.i32(0));
              Reg together = b.variable(b.i32(0));
              b.whileLoop(
                  () -> b.lt(turn, b.lane()),
                  () -> {
                    Reg count = b.unary(Op.UnaryOp.POPC, b.ballot(b.pred(true)));
                    b.set(together, b.add(together, count));
                    b.set(turn, b.add(turn, 1));
                  });
              return together;
            });
    // turn t holds the lanes above t: 31 - t of them
    assertThat(left).isEqualTo(lanes(32, i -> IntStream.range(0, i).map(t -> 31 - t).sum()));
  }

  @Test
  void shufflesOutsideTheWarpOrFromInactiveLanesGiveTheOwnValue() {
    assertThat(run(32, b -> b.shuffle(ShuffleKind.DOWN, b.lane(), b.i32(5))))
        .isEqualTo(lanes(32, i -> i + 5 < 32 ? i + 5 : i));
    assertThat(run(32, b -> b.shuffle(ShuffleKind.UP, b.lane(), b.i32(-3))))
        .isEqualTo(lanes(32, i -> i + 3 < 32 ? i + 3 : i));
    assertThat(run(32, b -> b.shuffle(ShuffleKind.IDX, b.lane(), b.i32(Integer.MIN_VALUE))))
        .isEqualTo(lanes(32, i -> i));
    assertThat(
            run(
                32,
                b -> {
                  Reg result = b.variable(b.i32(-1));
                  b.ifThen(
                      b.ne(b.lane(), 4),
                      () -> b.set(result, b.shuffle(ShuffleKind.XOR, b.lane(), b.i32(1))));
                  return result;
                }))
        .isEqualTo(lanes(32, i -> i == 4 ? -1 : i == 5 ? 5 : i ^ 1));
  }

  @Test
  void floatReductionsTakeTheStatedTree() {
    // 1e30 at lanes 0 and -1e30 at 16 meet first, so that the small values are not lost
    int[] left =
        run(
            32,
            b -> {
              Reg big = b.select(b.eq(b.lane(), 0), b.f64(1e30), b.f64(1));
              Reg value = b.select(b.eq(b.lane(), 16), b.f64(-1e30), big);
              return b.convert(b.blockReduce(ReduceOp.ADD, value), Type.I32);
            });
    assertThat(left).containsOnly(30);
  }

  @Test
  void aTrappedLaneTakesPartInNothingAfter() {
    int[] left =
        run(
            64,
            b -> {
              b.trap(b.eq(b.and(b.thread(), 1), 1), 3, b.thread());
              Reg rank = b.blockRank(b.pred(true));
              Reg sum = b.blockReduce(ReduceOp.ADD, b.i32(1));
              return b.add(b.mul(sum, 100), rank);
            });
    assertThat(left).isEqualTo(lanes(64, i -> i % 2 == 1 ? -7 : 3200 + i / 2));
    assertThat(traps.isEmpty()).isFalse();
    assertThat(BlockTraps.code(traps.key())).isEqualTo(3);
    assertThat(BlockTraps.detail(traps.key())).isEqualTo(1);
  }

  @Test
  void logEntriesAreStripedByWord() {
    KernelBuilder b = new KernelBuilder("log").blockSize(64);
    int log = b.output("log", Element.I32);
    Reg entry = b.global();
    b.logAppend(log, b.i64(10), entry, List.of(entry, b.add(entry, 1000)));
    int[] words = run(b.build(), 10 + 128);
    for (int e = 0; e < 64; e++) {
      assertThat(words[10 + e / 32 * 64 + e % 32]).isEqualTo(e);
      assertThat(words[10 + e / 32 * 64 + 32 + e % 32]).isEqualTo(e + 1000);
    }
    assertThat(counters.snapshot().bytesLogged()).isEqualTo(64 * 8);
    assertThat(counters.snapshot().sectors()).isGreaterThanOrEqualTo(64 * 8 / 32);
  }

  @Test
  void aLogEntryThatDoesNotFitIsNotWrittenAtAll() {
    KernelBuilder b = new KernelBuilder("log").blockSize(64);
    int log = b.output("log", Element.I32);
    b.logAppend(log, b.i64(0), b.global(), List.of(b.i32(1), b.i32(1)));
    int[] words = run(b.build(), 128 - 1);
    assertThat(words[64 + 30]).isEqualTo(1);
    assertThat(words[64 + 31]).isZero();
    assertThat(BlockTraps.code(traps.key())).isEqualTo(Op.OUT_OF_RANGE);
    assertThat(BlockTraps.detail(traps.key())).isEqualTo(63);
  }

  @Test
  void branchesAndAccessesAreCountedByWarp() {
    run(
        64,
        b -> {
          b.ifThen(b.lt(b.thread(), 32), () -> b.fence(Op.FenceScope.DEVICE));
          b.ifThen(b.lt(b.thread(), 5), () -> b.fence(Op.FenceScope.SYSTEM));
          return b.i32(0);
        });
    ExecutionCounters.Snapshot counted = counters.snapshot();
    assertThat(counted.warpBranches()).isEqualTo(4);
    assertThat(counted.divergentBranches()).isEqualTo(1);
    assertThat(counted.fencesDevice()).isEqualTo(1);
    assertThat(counted.fencesSystem()).isEqualTo(1);
    assertThat(counted.warpAccesses()).isEqualTo(4);
  }
}
