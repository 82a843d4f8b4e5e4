package io.gpdb.exec.library.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.group.KeyStaging;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of {@link KeyRanks}, by key words. One lane per staged row, or per word of ranks.
 * What takes part is in {@code slot_of} as {@link KeyStaging} leaves it: -1 for rows that do not.
 * Thread-safe.
 */
final class KeyRankKernels {
  static final int BLOCK_LANES = 1024;
  static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  static final BufferParam SLOT_OF = BufferParam.input("slot_of", Element.I32);
  static final BufferParam STAGED = BufferParam.input("staged", Element.I64);
  static final BufferParam EXTREMES = BufferParam.output("extremes", Element.I64);
  static final BufferParam RANKS = BufferParam.input("ranks", Element.I64);
  static final BufferParam COUNTS = BufferParam.output("counts", Element.I32);
  static final BufferParam SUMS = BufferParam.input("sums", Element.I64);
  static final BufferParam GROUP_OF = BufferParam.output("group_of", Element.I32);
  static final BufferParam ORDER = BufferParam.output("order", Element.I32);

  /** Places of one word of ranks. */
  static final int PLACES_PER_WORD = 32;

  private static final KernelTexts<Integer> EXTREME_TEXTS =
      new KernelTexts<>(KeyRankKernels::extremesKernel);
  private static final KernelTexts<Integer> MARK_TEXTS =
      new KernelTexts<>(KeyRankKernels::markKernel);
  private static final KernelTexts<Boolean> COUNT_TEXTS = new KernelTexts<>(_ -> countKernel());
  private static final KernelTexts<Boolean> MERGE_TEXTS = new KernelTexts<>(_ -> mergeKernel());
  private static final KernelTexts<Integer> GROUP_TEXTS =
      new KernelTexts<>(KeyRankKernels::groupKernel);
  private static final KernelTexts<Integer> ORDER_TEXTS =
      new KernelTexts<>(KeyRankKernels::orderKernel);

  private final LoadedKernels<Integer> extremes;
  private final LoadedKernels<Integer> marks;
  private final LoadedKernels<Boolean> counts;
  private final LoadedKernels<Boolean> merges;
  private final LoadedKernels<Integer> groups;
  private final LoadedKernels<Integer> orders;

  KeyRankKernels(Device device) {
    extremes = new LoadedKernels<>(device, EXTREME_TEXTS);
    marks = new LoadedKernels<>(device, MARK_TEXTS);
    counts = new LoadedKernels<>(device, COUNT_TEXTS);
    merges = new LoadedKernels<>(device, MERGE_TEXTS);
    groups = new LoadedKernels<>(device, GROUP_TEXTS);
    orders = new LoadedKernels<>(device, ORDER_TEXTS);
  }

  LoadedKernel extremes(int words) {
    return extremes.get(words);
  }

  LoadedKernel mark(int words) {
    return marks.get(words);
  }

  LoadedKernel count() {
    return counts.get(true);
  }

  LoadedKernel merge() {
    return merges.get(true);
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
        (b, ranks, place, target) -> {
          Reg bit = b.shl(b.i64(1), b.and(place, PLACES_PER_WORD - 1));
          b.atomicUpdate(AtomicOp.OR, ranks, b.ushr(place, 5), bit);
        });
  }

  /** Lane i counts the bits of word i. */
  static Kernel countKernel() {
    return each(
        "join_count_bits",
        List.of(RANKS, COUNTS),
        (b, buffers) -> {
          Reg bits = b.unary(UnaryOp.POPC, b.load(buffers.get(0), b.global()));
          b.store(buffers.get(1), b.global(), b.convert(bits, Type.I32));
        });
  }

  /** Lane i adds the number of keys before word i to it. */
  static Kernel mergeKernel() {
    return each(
        "join_merge_ranks",
        List.of(RANKS.with(Access.READ_WRITE), SUMS),
        (b, buffers) -> {
          Reg before = b.shl(b.load(buffers.get(1), b.global()), 32);
          Reg bits = b.load(buffers.get(0), b.global());
          b.store(buffers.get(0), b.global(), b.or(bits, before));
        });
  }

  /** Lane r writes the rank of row r's key; what is there stays where the row takes no part. */
  static Kernel groupKernel(int words) {
    return ranked(
        "join_rank",
        words,
        RANKS,
        GROUP_OF,
        (b, ranks, place, target) -> b.store(target, b.global(), found(b, ranks, place).rank()));
  }

  /** {@code order[rank of row r's key] = r}, for keys that have one row each. */
  static Kernel orderKernel(int words) {
    return ranked(
        "join_order",
        words,
        RANKS,
        ORDER,
        (b, ranks, place, target) -> b.store(target, found(b, ranks, place).rank(), b.global()));
  }

  /** Whether a key occurs, and how many lesser ones do (i32). */
  private record Found(Reg occurs, Reg rank) {}

  private static Found found(KernelBuilder b, int ranks, Reg place) {
    Reg word = b.load(ranks, b.ushr(place, 5));
    Reg bit = b.shl(b.i64(1), b.and(place, PLACES_PER_WORD - 1));
    Reg below = b.unary(UnaryOp.POPC, b.and(word, b.sub(bit, 1)));
    return new Found(
        b.ne(b.and(word, bit), 0), b.convert(b.add(b.ushr(word, 32), below), Type.I32));
  }

  /** The rank of a key, -1 where it does not occur; {@code ranks} has at least one word. */
  static Reg find(KernelBuilder b, KeySpace.Text space, int ranks, List<Reg> words, Reg present) {
    Reg inside = b.and(present, space.contains(words));
    Found found = found(b, ranks, b.select(inside, space.place(words), b.i64(0)));
    return b.select(b.and(inside, found.occurs), found.rank, b.i32(-1));
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

  private static Kernel each(
      String name, List<BufferParam> params, BiConsumer<KernelBuilder, List<Integer>> body) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(ROWS);
    List<Integer> buffers = params.stream().map(b::buffer).toList();
    b.ifThen(b.lt(b.global(), n), () -> body.accept(b, buffers));
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
