package io.gpdb.exec.library;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.ShuffleKind;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Modular and parity checksums, as lazy persistency on GPUs uses them (Yudha et al. 2020). Called
 * by transactions to seal and to check log regions. One lane per word; each block leaves one
 * partial that the host combines. Thread-safe.
 */
public final class GridChecksum {
  private static final int BLOCK_LANES = 1024;
  private static final int WARPS = BLOCK_LANES / 32;

  private final LoadedKernels<Boolean> kernels;

  /**
   * The checksum of n words w0, w1, ...
   *
   * @param sum of the words, modulo 2^64
   * @param weighted sum of (i+1)*wi, modulo 2^64: sees words that changed places
   * @param parity exclusive or of the words
   */
  public record Checksum(long sum, long weighted, int parity) {}

  public GridChecksum(Device device) {
    kernels = new LoadedKernels<>(device, _ -> kernel());
  }

  /** Of {@code words} i32 words, taken as unsigned. */
  public Checksum of(MemorySegment segment, int words) {
    int blocks = LaneKernels.blocks(words, BLOCK_LANES);
    try (Scratch scratch = new Scratch()) {
      MemorySegment sums = scratch.longs(blocks);
      MemorySegment weighted = scratch.longs(blocks);
      MemorySegment parities = scratch.ints(blocks);
      LoadedKernel kernel = kernels.get(true);
      Arguments arguments =
          new Arguments(kernel.kernel())
              .scalar(0, words)
              .buffer(0, segment)
              .buffer(1, sums)
              .buffer(2, weighted)
              .buffer(3, parities);
      KernelLibrary.launch(kernel, blocks, arguments);
      long sum = 0;
      long weightedSum = 0;
      int parity = 0;
      for (int i = 0; i < blocks; i++) {
        sum += sums.getAtIndex(ValueLayout.JAVA_LONG, i);
        weightedSum += weighted.getAtIndex(ValueLayout.JAVA_LONG, i);
        parity ^= parities.getAtIndex(ValueLayout.JAVA_INT, i);
      }
      return new Checksum(sum, weightedSum, parity);
    }
  }

  /** Block b stores the partials of its 1024 words. */
  static Kernel kernel() {
    KernelBuilder b = new KernelBuilder("checksum");
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar("n", Type.I32);
    int words = b.input("words", Element.I32);
    int sums = b.output("sums", Element.I64);
    int weightedSums = b.output("weighted", Element.I64);
    int parities = b.output("parities", Element.I32);
    int warpParities = b.shared("warp_parities", Element.I32, WARPS);
    Reg i = b.global();
    Reg word = b.variable(b.i32(0));
    b.ifThen(b.lt(i, n), () -> b.set(word, b.load(words, i)));
    Reg wide = b.and(b.convert(word, Type.I64), 0xffffffffL);
    Reg sum = b.blockReduce(ReduceOp.ADD, wide);
    Reg weight = b.add(b.convert(i, Type.I64), 1);
    Reg weighted = b.blockReduce(ReduceOp.ADD, b.mul(wide, weight));
    Reg warpParity = warpParity(b, word);
    b.ifThen(
        b.eq(b.lane(), 0),
        () -> b.storeShared(warpParities, b.special(SpecialKind.WARP), warpParity));
    b.barrier();
    Reg parity = warpParity(b, b.loadShared(warpParities, b.lane()));
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          b.store(sums, b.block(), sum);
          b.store(weightedSums, b.block(), weighted);
          b.store(parities, b.block(), parity);
        });
    return b.build();
  }

  /** The exclusive or over the warp's lanes, in every lane. */
  private static Reg warpParity(KernelBuilder b, Reg word) {
    Reg parity = word;
    for (int distance = 16; distance > 0; distance /= 2) {
      parity = b.xor(parity, b.shuffle(ShuffleKind.XOR, parity, b.i32(distance)));
    }
    return parity;
  }
}
