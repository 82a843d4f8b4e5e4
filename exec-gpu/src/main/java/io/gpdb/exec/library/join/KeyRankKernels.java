package io.gpdb.exec.library.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.key.KeyStaging;
import io.gpdb.exec.library.move.RankedBits;
import io.gpdb.exec.library.move.RankedBits.Found;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of {@link KeyRanks}, by key words. One lane per staged row. What takes part is in
 * {@code slot_of} as {@link KeyStaging} leaves it: -1 for rows that do not. Thread-safe.
 */
final class KeyRankKernels {
  static final int BLOCK_LANES = 1024;
  static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  static final BufferParam SLOT_OF = BufferParam.input("slot_of", Element.I32);
  static final BufferParam STAGED = BufferParam.input("staged", Element.I64);
  static final BufferParam EXTREMES = BufferParam.output("extremes", Element.I64);
  static final BufferParam RANKS = BufferParam.input("ranks", Element.I64);
  static final BufferParam GROUP_OF = BufferParam.output("group_of", Element.I32);
  static final BufferParam ORDER = BufferParam.output("order", Element.I32);

  private static final KernelTexts<Integer> EXTREME_TEXTS =
      new KernelTexts<>(KeyRankKernels::extremesKernel);
  private static final KernelTexts<Integer> MARK_TEXTS =
      new KernelTexts<>(KeyRankKernels::markKernel);
  private static final KernelTexts<Integer> GROUP_TEXTS =
      new KernelTexts<>(KeyRankKernels::groupKernel);
  private static final KernelTexts<Integer> ORDER_TEXTS =
      new KernelTexts<>(KeyRankKernels::orderKernel);

  private final LoadedKernels<Integer> extremes;
  private final LoadedKernels<Integer> marks;
  private final LoadedKernels<Integer> groups;
  private final LoadedKernels<Integer> orders;

  KeyRankKernels(Device device) {
    extremes = new LoadedKernels<>(device, EXTREME_TEXTS);
    marks = new LoadedKernels<>(device, MARK_TEXTS);
    groups = new LoadedKernels<>(device, GROUP_TEXTS);
    orders = new LoadedKernels<>(device, ORDER_TEXTS);
  }

  LoadedKernel extremes(int words) {
    return extremes.get(words);
  }

  LoadedKernel mark(int words) {
    return marks.get(words);
  }

  LoadedKernel group(int words) {
    return groups.get(words);
  }

  LoadedKernel order(int words) {
    return orders.get(words);
  }

  /** What {@link #extremesKernel} stores for each block. */
  static int extremesPerBlock(int words) {
    return 2 * words + 1;
  }

  /**
   * Block b stores the least and the greatest of each word in turn, then how many of its rows take
   * no part or have no greater key than the row before.
   */
  static Kernel extremesKernel(int words) {
    KernelBuilder b = builder("join_extremes", words);
    Reg rows = b.scalar(ROWS);
    int slotOf = b.buffer(SLOT_OF);
    int staged = b.buffer(STAGED);
    int extremes = b.buffer(EXTREMES);
    List<Reg> least = new ArrayList<>();
    List<Reg> greatest = new ArrayList<>();
    for (int w = 0; w < words; w++) {
      least.add(b.variable(b.i64(Long.MAX_VALUE)));
      greatest.add(b.variable(b.i64(Long.MIN_VALUE)));
    }
    Reg outOfOrder = b.variable(b.i32(0));
    b.ifThen(b.lt(b.global(), rows), () -> b.set(outOfOrder, b.i32(1)));
    ifStaged(
        b,
        rows,
        slotOf,
        () -> {
          List<Reg> key = key(b, staged, words, b.global());
          for (int w = 0; w < words; w++) {
            b.set(least.get(w), key.get(w));
            b.set(greatest.get(w), key.get(w));
          }
          List<Reg> before = key(b, staged, words, b.max(b.sub(b.global(), 1), b.i32(0)));
          Reg ascends = b.or(b.eq(b.global(), 0), isGreater(b, key, before));
          b.set(outOfOrder, b.select(ascends, b.i32(0), b.i32(1)));
        });
    List<Reg> found = new ArrayList<>();
    for (int w = 0; w < words; w++) {
      found.add(b.blockReduce(ReduceOp.MIN, least.get(w)));
      found.add(b.blockReduce(ReduceOp.MAX, greatest.get(w)));
    }
    found.add(b.convert(b.blockReduce(ReduceOp.ADD, outOfOrder), Type.I64));
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          Reg first = b.mul(b.block(), extremesPerBlock(words));
          for (int i = 0; i < found.size(); i++) {
            b.store(extremes, i == 0 ? first : b.add(first, i), found.get(i));
          }
        });
    return b.build();
  }

  /** Whether the first of the words that differ is greater. */
  private static Reg isGreater(KernelBuilder b, List<Reg> key, List<Reg> other) {
    int last = key.size() - 1;
    Reg greater = b.gt(key.get(last), other.get(last));
    for (int w = last - 1; w >= 0; w--) {
      Reg tie = b.and(b.eq(key.get(w), other.get(w)), greater);
      greater = b.or(b.gt(key.get(w), other.get(w)), tie);
    }
    return greater;
  }

  /** Sets the bit of each staged key; the order in which lanes do does not matter. */
  static Kernel markKernel(int words) {
    return ranked(
        "join_mark",
        words,
        RANKS.with(Access.READ_WRITE),
        null,
        (b, ranks, place, target) -> RankedBits.mark(b, ranks, place));
  }

  /** Lane r writes the rank of row r's key; what is there stays where the row takes no part. */
  static Kernel groupKernel(int words) {
    return ranked(
        "join_rank",
        words,
        RANKS,
        GROUP_OF,
        (b, ranks, place, target) ->
            b.store(target, b.global(), RankedBits.find(b, ranks, place).rank()));
  }

  /** {@code order[rank of row r's key] = r}, for keys that have one row each. */
  static Kernel orderKernel(int words) {
    return ranked(
        "join_order",
        words,
        RANKS,
        ORDER,
        (b, ranks, place, target) ->
            b.store(target, RankedBits.find(b, ranks, place).rank(), b.global()));
  }

  /** The rank of a key, -1 where it does not occur; {@code ranks} has at least one word. */
  static Reg find(KernelBuilder b, KeySpace.Text space, int ranks, List<Reg> words, Reg present) {
    Reg inside = b.and(present, space.contains(words));
    Found found = RankedBits.find(b, ranks, b.select(inside, space.place(words), b.i64(0)));
    return b.select(b.and(inside, found.isSet()), found.rank(), b.i32(-1));
  }

  private interface Ranked {
    void write(KernelBuilder b, int ranks, Reg place, int target);
  }

  private static Kernel ranked(
      String name,
      int words,
      BufferParam ranksParam,
      @Nullable BufferParam targetParam,
      Ranked body) {
    KernelBuilder b = builder(name, words);
    Reg rows = b.scalar(ROWS);
    KeySpace.Text space = new KeySpace.Text(b, words);
    int slotOf = b.buffer(SLOT_OF);
    int staged = b.buffer(STAGED);
    int ranks = b.buffer(ranksParam);
    int target = targetParam == null ? -1 : b.buffer(targetParam);
    ifStaged(
        b,
        rows,
        slotOf,
        () -> body.write(b, ranks, space.place(key(b, staged, words, b.global())), target));
    return b.build();
  }

  private static void ifStaged(KernelBuilder b, Reg rows, int slotOf, Runnable body) {
    b.ifThen(
        b.lt(b.global(), rows),
        () -> b.ifThen(b.ne(b.load(slotOf, b.global()), KeyRanks.NO_PART), body));
  }

  private static List<Reg> key(KernelBuilder b, int staged, int words, Reg row) {
    List<Reg> key = new ArrayList<>();
    Reg first = words == 1 ? row : b.mul(b.convert(row, Type.I64), words);
    for (int w = 0; w < words; w++) {
      key.add(b.load(staged, w == 0 ? first : b.add(first, w)));
    }
    return key;
  }

  private static KernelBuilder builder(String name, int words) {
    KernelBuilder b = new KernelBuilder(name + "_" + words);
    b.blockSize(BLOCK_LANES);
    return b;
  }
}
