package io.gpdb.exec.library.move;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Stable sort of pairs (unsigned i64 key, i32 payload), least significant digit first. Called by
 * {@code GridSort}, {@code GridGroupBy} and {@code GridHashJoin}. Thread-safe.
 *
 * <p>Where the host reads the device's memory, its threads sort ({@link SampleSort}). Else each
 * lane owns a run of consecutive pairs and 256 digit counters (Zagha and Blelloch, "Radix sort for
 * vector multiprocessors", 1991): count, prefix sum over (digit, lane), place. Few lanes with long
 * runs suit the emulated device. Digits in which all keys agree are skipped, and keys that are in
 * order already. Up to {@value #SMALL} pairs are ranked by comparison in one launch.
 */
public final class GridRadixSort {
  /** Pairs that one block ranks by comparing each with all. */
  static final int SMALL = 256;

  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final ScalarParam RUN = new ScalarParam("run", Type.I32);
  private static final ScalarParam LANES = new ScalarParam("lanes", Type.I32);
  private static final ScalarParam SHIFT = new ScalarParam("shift", Type.I64);
  private static final BufferParam KEYS = BufferParam.input("keys", Element.I64);
  private static final BufferParam PAYLOAD = BufferParam.input("payload", Element.I32);
  private static final BufferParam TO_KEYS = BufferParam.output("to_keys", Element.I64);
  private static final BufferParam TO_PAYLOAD = BufferParam.output("to_payload", Element.I32);
  private static final BufferParam COUNTERS = BufferParam.output("counters", Element.I32);
  private static final BufferParam CURSORS = BufferParam.output("cursors", Element.I64);
  private static final BufferParam PARTIALS = BufferParam.output("partials", Element.I64);
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int BLOCK_LANES = 32;
  private static final int REDUCE_LANES = 1024;
  private static final int LANES_MAX = 512;
  private static final int RUN_MIN = 1024;

  /** Pairs that a thread of the host moves at once. */
  private static final int HOST_PIECE = 1 << 15;

  private static final KernelTexts<Boolean> VARYING_TEXTS = new KernelTexts<>(_ -> varyingKernel());
  private static final KernelTexts<Boolean> COUNT_TEXTS = new KernelTexts<>(_ -> countKernel());
  private static final KernelTexts<Boolean> PLACE_TEXTS = new KernelTexts<>(_ -> placeKernel());
  private static final KernelTexts<Boolean> RANK_TEXTS = new KernelTexts<>(_ -> rankKernel());

  private final LoadedKernels<Boolean> varying;
  private final LoadedKernels<Boolean> count;
  private final LoadedKernels<Boolean> place;
  private final LoadedKernels<Boolean> rank;
  private final GridPrefixSum prefix;
  private final Device device;

  public GridRadixSort(Device device) {
    this.device = device;
    varying = new LoadedKernels<>(device, VARYING_TEXTS);
    count = new LoadedKernels<>(device, COUNT_TEXTS);
    place = new LoadedKernels<>(device, PLACE_TEXTS);
    rank = new LoadedKernels<>(device, RANK_TEXTS);
    prefix = new GridPrefixSum(device);
  }

  /** Sorts in place; n pairs. */
  public void sort(DeviceBuffer keys, DeviceBuffer payload, int n) {
    if (n < 2) {
      return;
    }
    if (device.memory().isHosts()) {
      sortOnHost(keys.onHost(), payload.onHost(), n);
    } else {
      sortByKernels(keys, payload, n);
    }
  }

  private void sortOnHost(HostBuffer keys, HostBuffer payload, int n) {
    try (Scratch scratch = new Scratch()) {
      HostBuffer order = scratch.pin((long) n << 2);
      SampleSort.order(device, List.of(keys), n, order);
      HostBuffer otherKeys = scratch.pin((long) n << 3);
      HostBuffer otherPayload = scratch.pin((long) n << 2);
      device.share(
          Math.ceilDiv(n, HOST_PIECE),
          piece -> {
            int from = piece * HOST_PIECE;
            for (int i = from; i < Math.min(n, from + HOST_PIECE); i++) {
              StopSignal.poll(i);
              int row = order.intAt(i);
              otherKeys.setLong(i, keys.longAt(row));
              otherPayload.setInt(i, payload.intAt(row));
            }
          });
      keys.copyFrom(otherKeys, 0, 0, (long) n << 3);
      payload.copyFrom(otherPayload, 0, 0, (long) n << 2);
    }
  }

  /** As {@link #sort}, by kernels alone. */
  void sortByKernels(DeviceBuffer keys, DeviceBuffer payload, int n) {
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer otherKeys = scratch.longs(n);
      DeviceBuffer otherPayload = scratch.ints(n);
      int passes =
          n <= SMALL
              ? rank(keys, payload, n, otherKeys, otherPayload)
              : passes(scratch, keys, payload, n, otherKeys, otherPayload);
      if (passes % 2 != 0) {
        keys.copyFrom(otherKeys, 0, 0, (long) n << 3);
        payload.copyFrom(otherPayload, 0, 0, (long) n << 2);
      }
    }
  }

  private int rank(
      DeviceBuffer keys,
      DeviceBuffer payload,
      int n,
      DeviceBuffer sortedKeys,
      DeviceBuffer sortedPayload) {
    LoadedKernel kernel = rank.get(true);
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(N, n)
            .buffer(KEYS, keys)
            .buffer(PAYLOAD, payload)
            .buffer(TO_KEYS, sortedKeys)
            .buffer(TO_PAYLOAD, sortedPayload);
    KernelLibrary.launch(kernel, 1, arguments);
    return 1;
  }

  /** Sorts by each digit that varies, to and fro; returns how many. */
  private int passes(
      Scratch scratch,
      DeviceBuffer keys,
      DeviceBuffer payload,
      int n,
      DeviceBuffer otherKeys,
      DeviceBuffer otherPayload) {
    long differing = varyingBits(scratch, keys, n);
    int wanted = n / RUN_MIN / BLOCK_LANES * BLOCK_LANES;
    int lanes = Math.clamp(wanted, BLOCK_LANES, LANES_MAX);
    int run = Math.ceilDiv(n, lanes);
    int counterCount = DIGITS * lanes;
    DeviceBuffer counters = scratch.ints(counterCount);
    DeviceBuffer cursors = scratch.longs(counterCount);
    int passes = 0;
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if ((differing >>> shift & (DIGITS - 1)) == 0) {
        continue;
      }
      boolean forth = passes % 2 == 0;
      DeviceBuffer fromKeys = forth ? keys : otherKeys;
      DeviceBuffer fromPayload = forth ? payload : otherPayload;
      LoadedKernel counting = count.get(true);
      Arguments arguments =
          digit(counting, n, run, lanes, shift).buffer(KEYS, fromKeys).buffer(COUNTERS, counters);
      KernelLibrary.launch(counting, lanes / BLOCK_LANES, arguments, n);
      prefix.offsets(counters, counterCount, cursors);
      LoadedKernel placing = place.get(true);
      arguments =
          digit(placing, n, run, lanes, shift)
              .buffer(KEYS, fromKeys)
              .buffer(CURSORS, cursors)
              .buffer(PAYLOAD, fromPayload)
              .buffer(TO_KEYS, forth ? otherKeys : keys)
              .buffer(TO_PAYLOAD, forth ? otherPayload : payload);
      KernelLibrary.launch(placing, lanes / BLOCK_LANES, arguments, n);
      passes++;
    }
    return passes;
  }

  private static Arguments digit(LoadedKernel kernel, int n, int run, int lanes, int shift) {
    return new Arguments(kernel.kernel())
        .scalar(N, n)
        .scalar(RUN, run)
        .scalar(LANES, lanes)
        .scalar(SHIFT, shift);
  }

  /** The bits in which keys differ; none where the pairs are in order already. */
  private long varyingBits(Scratch scratch, DeviceBuffer keys, int n) {
    int blocks = LaneKernels.blocks(n, REDUCE_LANES);
    DeviceBuffer partials = scratch.longs(2L * blocks);
    LoadedKernel kernel = varying.get(true);
    Arguments arguments =
        new Arguments(kernel.kernel()).scalar(N, n).buffer(KEYS, keys).buffer(PARTIALS, partials);
    KernelLibrary.launch(kernel, blocks, arguments);
    HostBuffer ofBlocks = partials.onHost();
    long bits = 0;
    long descents = 0;
    for (int i = 0; i < blocks; i++) {
      bits |= ofBlocks.longAt(2L * i);
      descents |= ofBlocks.longAt(2L * i + 1);
    }
    return descents == 0 ? 0 : bits;
  }

  /** Block b stores which bits differ from the first key's, and whether a key is below the last. */
  static Kernel varyingKernel() {
    KernelBuilder b = new KernelBuilder("radix_varying_bits");
    b.blockSize(REDUCE_LANES);
    Reg n = b.scalar(N);
    int keys = b.buffer(KEYS);
    int partials = b.buffer(PARTIALS);
    Reg bits = b.variable(b.i64(0));
    Reg first = b.load(keys, b.i32(0));
    Reg descends = b.variable(b.i64(0));
    b.ifThen(
        b.lt(b.global(), n),
        () -> {
          Reg key = b.load(keys, b.global());
          Reg before = b.load(keys, b.max(b.sub(b.global(), 1), b.i32(0)));
          b.set(bits, b.xor(key, first));
          b.set(descends, b.select(b.compare(CompareOp.ULT, key, before), b.i64(1), b.i64(0)));
        });
    Reg all = b.blockReduce(ReduceOp.OR, bits);
    Reg any = b.blockReduce(ReduceOp.OR, descends);
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          Reg at = b.mul(b.block(), 2);
          b.store(partials, at, all);
          b.store(partials, b.add(at, 1), any);
        });
    return b.build();
  }

  /** Lane l counts the digits of its run in counters[digit * lanes + l]. */
  static Kernel countKernel() {
    RunText text = new RunText("radix_count");
    KernelBuilder b = text.b;
    int keys = b.buffer(KEYS);
    int counters = b.buffer(COUNTERS);
    text.eachPair(keys, (i, key, counter) -> text.add(counter, text.inBlock(counter)));
    text.eachDigit(
        digit -> b.store(counters, text.inGrid(digit), text.inBlock(text.counter(digit))));
    return b.build();
  }

  /** Lane l places the pairs of its run in order, at cursors[digit * lanes + l] and on. */
  static Kernel placeKernel() {
    RunText text = new RunText("radix_place");
    KernelBuilder b = text.b;
    int keys = b.buffer(KEYS);
    int cursors = b.buffer(CURSORS);
    int payload = b.buffer(PAYLOAD);
    int toKeys = b.buffer(TO_KEYS);
    int toPayload = b.buffer(TO_PAYLOAD);
    text.eachDigit(
        digit ->
            b.storeShared(
                text.counters,
                text.counter(digit),
                b.convert(b.load(cursors, text.inGrid(digit)), Type.I32)));
    text.eachPair(
        keys,
        (i, key, counter) -> {
          Reg at = text.inBlock(counter);
          b.store(toKeys, at, key);
          b.store(toPayload, at, b.load(payload, i));
          text.add(counter, at);
        });
    return b.build();
  }

  /** What the counting and the placing kernel share: counters of the block's lanes and digits. */
  private static final class RunText {
    private final KernelBuilder b;
    private final Reg n;
    private final Reg run;
    private final Reg lanes;
    private final Reg shift;
    private final int counters;

    interface Pair {
      void write(Reg i, Reg key, Reg counter);
    }

    RunText(String name) {
      b = new KernelBuilder(name);
      b.blockSize(BLOCK_LANES);
      n = b.scalar(N);
      run = b.scalar(RUN);
      lanes = b.scalar(LANES);
      shift = b.scalar(SHIFT);
      counters = b.shared("of_digits", Element.I32, DIGITS * BLOCK_LANES);
    }

    /** The place of the lane's counter of a digit among those of the block. */
    Reg counter(Reg digit) {
      return b.add(b.mul(digit, BLOCK_LANES), b.thread());
    }

    /** The same among those of all lanes. */
    Reg inGrid(Reg digit) {
      return b.add(b.mul(digit, lanes), b.global());
    }

    Reg inBlock(Reg counter) {
      return b.loadShared(counters, counter);
    }

    /** Counts one more than there were. */
    void add(Reg counter, Reg before) {
      b.storeShared(counters, counter, b.add(before, 1));
    }

    void eachDigit(Consumer<Reg> work) {
      Reg digit = b.variable(b.i32(0));
      b.whileLoop(
          () -> b.lt(digit, DIGITS),
          () -> {
            work.accept(digit);
            b.set(digit, b.add(digit, 1));
          });
    }

    /** The lane's run, in order. The indices are i64: lanes * run can pass n. */
    void eachPair(int keys, Pair pair) {
      Reg wideRun = b.convert(run, Type.I64);
      Reg i = b.variable(b.mul(b.convert(b.global(), Type.I64), wideRun));
      Reg end = b.min(b.add(i, wideRun), b.convert(n, Type.I64));
      b.whileLoop(
          () -> b.lt(i, end),
          () -> {
            Reg key = b.load(keys, i);
            Reg digit = b.convert(b.and(b.ushr(key, shift), DIGITS - 1), Type.I32);
            pair.write(i, key, counter(digit));
            b.set(i, b.add(i, 1));
          });
    }
  }

  /** Lane i of the only block counts the pairs before its own and places it there. */
  static Kernel rankKernel() {
    KernelBuilder b = new KernelBuilder("rank_sort");
    b.blockSize(SMALL);
    Reg n = b.scalar(N);
    int keys = b.buffer(KEYS);
    int payload = b.buffer(PAYLOAD);
    int toKeys = b.buffer(TO_KEYS);
    int toPayload = b.buffer(TO_PAYLOAD);
    Reg i = b.global();
    b.ifThen(
        b.lt(i, n),
        () -> {
          Reg own = b.load(keys, i);
          Reg rank = b.variable(b.i32(0));
          Reg j = b.variable(b.i32(0));
          Consumer<Reg> compare =
              other -> {
                Reg less = b.compare(CompareOp.ULT, other, own);
                Reg tie = b.and(b.eq(other, own), b.lt(j, i));
                b.set(rank, b.add(rank, b.select(b.or(less, tie), b.i32(1), b.i32(0))));
              };
          b.whileLoop(
              () -> b.lt(j, n),
              () -> {
                compare.accept(b.load(keys, j));
                b.set(j, b.add(j, 1));
              });
          b.store(toKeys, rank, own);
          b.store(toPayload, rank, b.load(payload, i));
        });
    return b.build();
  }
}
