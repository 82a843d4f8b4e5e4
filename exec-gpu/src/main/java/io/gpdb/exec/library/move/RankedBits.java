package io.gpdb.exec.library.move;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Bits, and beside each 32 of them the number of bits set before them: one load says whether a bit
 * is set and how many come before it. Called by joins, whose bits are keys, and by groups, whose
 * bits are their first rows. Thread-safe.
 *
 * <pre>
 *   63             32 31        0
 *   | bits before    | bits     |   i64 per 32 places
 * </pre>
 */
public final class RankedBits {
  private static final int BLOCK_LANES = 1024;
  private static final int PLACES_PER_WORD = 32;
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam WORDS = BufferParam.input("words", Element.I64);
  private static final BufferParam COUNTS = BufferParam.output("counts", Element.I32);
  private static final BufferParam SUMS = BufferParam.input("sums", Element.I64);

  private static final KernelTexts<Boolean> COUNT_TEXTS = new KernelTexts<>(_ -> countKernel());
  private static final KernelTexts<Boolean> MERGE_TEXTS = new KernelTexts<>(_ -> mergeKernel());

  private final LoadedKernels<Boolean> counts;
  private final LoadedKernels<Boolean> merges;
  private final GridPrefixSum prefix;
  private final Device device;

  public RankedBits(Device device) {
    this.device = device;
    counts = new LoadedKernels<>(device, COUNT_TEXTS);
    merges = new LoadedKernels<>(device, MERGE_TEXTS);
    prefix = new GridPrefixSum(device);
  }

  /** How many words have that many places. */
  public static long words(long places) {
    return (places + PLACES_PER_WORD - 1) / PLACES_PER_WORD;
  }

  /** Sets the bit of a place (i64), in any order, in words that are not ranked yet. */
  public static void mark(KernelBuilder b, int words, Reg place) {
    b.atomicUpdate(AtomicOp.OR, words, b.ushr(place, 5), bit(b, place));
  }

  /** Whether a bit is set, and how many before it are (i32). */
  public record Found(Reg isSet, Reg rank) {}

  /** Looks a place (i64) up in words that are ranked. */
  public static Found find(KernelBuilder b, int words, Reg place) {
    Reg word = b.load(words, b.ushr(place, 5));
    Reg bit = bit(b, place);
    Reg below = b.unary(UnaryOp.POPC, b.and(word, b.sub(bit, 1)));
    return new Found(
        b.ne(b.and(word, bit), 0), b.convert(b.add(b.ushr(word, 32), below), Type.I32));
  }

  private static Reg bit(KernelBuilder b, Reg place) {
    return b.shl(b.i64(1), b.and(place, PLACES_PER_WORD - 1));
  }

  /** Adds the numbers of bits before to {@code count} words, one at least; returns that of all. */
  public int rank(DeviceBuffer words, int count) {
    return device.memory().isHosts()
        ? RunningSums.ofBits(device, words.onHost(), count)
        : rankByKernels(words, count);
  }

  /** As {@link #rank}, by kernels alone. */
  int rankByKernels(DeviceBuffer words, int count) {
    try (Scratch local = new Scratch()) {
      DeviceBuffer ofWords = local.ints(count);
      DeviceBuffer sums = local.longs(count);
      launch(counts.get(true), count, words, COUNTS, ofWords);
      int all = (int) prefix.exclusive(ofWords, count, sums);
      launch(merges.get(true), count, words, SUMS, sums);
      return all;
    }
  }

  private static void launch(
      LoadedKernel kernel, int n, DeviceBuffer words, BufferParam param, DeviceBuffer other) {
    Arguments arguments =
        new Arguments(kernel.kernel()).scalar(N, n).buffer(WORDS, words).buffer(param, other);
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
  }

  /** Lane i counts the bits of word i. */
  static Kernel countKernel() {
    return each(
        "count_bits",
        List.of(WORDS, COUNTS),
        (b, buffers) -> {
          Reg bits = b.unary(UnaryOp.POPC, b.load(buffers.get(0), b.global()));
          b.store(buffers.get(1), b.global(), b.convert(bits, Type.I32));
        });
  }

  /** Lane i adds the number of bits before word i to it. */
  static Kernel mergeKernel() {
    return each(
        "rank_bits",
        List.of(WORDS.with(Access.READ_WRITE), SUMS),
        (b, buffers) -> {
          Reg before = b.shl(b.load(buffers.get(1), b.global()), 32);
          Reg bits = b.load(buffers.get(0), b.global());
          b.store(buffers.get(0), b.global(), b.or(bits, before));
        });
  }

  private static Kernel each(
      String name, List<BufferParam> params, BiConsumer<KernelBuilder, List<Integer>> body) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    List<Integer> buffers = params.stream().map(b::buffer).toList();
    b.ifThen(b.lt(b.global(), n), () -> body.accept(b, buffers));
    return b.build();
  }
}
