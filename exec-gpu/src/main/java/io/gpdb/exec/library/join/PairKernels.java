package io.gpdb.exec.library.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;

/** The kernels of {@link JoinPairs}. One lane per probe row that makes a pair. Thread-safe. */
final class PairKernels {
  static final int BLOCK_LANES = 1024;
  static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  static final ScalarParam FIRST_ROW = new ScalarParam("first_row", Type.I32);
  static final ScalarParam FIRST_PAIR = new ScalarParam("first_pair", Type.I64);
  static final BufferParam NUMBERS = BufferParam.input("numbers", Element.I32);
  static final BufferParam STARTS = BufferParam.input("starts", Element.I64);
  static final BufferParam COUNTS = BufferParam.output("counts", Element.I32);
  static final BufferParam COUNTS_READ = BufferParam.input("counts", Element.I32);
  static final BufferParam OFFSETS = BufferParam.input("offsets", Element.I64);
  static final BufferParam ORDER = BufferParam.input("order", Element.I32);
  static final BufferParam PROBE_ROWS = BufferParam.output("probe_rows", Element.I32);
  static final BufferParam BUILD_ROWS = BufferParam.output("build_rows", Element.I32);

  private static final KernelTexts<Boolean> COUNT_TEXTS = new KernelTexts<>(_ -> countKernel());
  private static final KernelTexts<Boolean> WRITE_TEXTS = new KernelTexts<>(_ -> writeKernel());

  private final LoadedKernels<Boolean> counts;
  private final LoadedKernels<Boolean> writes;

  PairKernels(Device device) {
    counts = new LoadedKernels<>(device, COUNT_TEXTS);
    writes = new LoadedKernels<>(device, WRITE_TEXTS);
  }

  LoadedKernel count() {
    return counts.get(true);
  }

  LoadedKernel write() {
    return writes.get(true);
  }

  /** Lane i counts the pairs of row i. */
  static Kernel countKernel() {
    KernelBuilder b = new KernelBuilder("join_count_pairs");
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int numbers = b.buffer(NUMBERS);
    int starts = b.buffer(STARTS);
    int counts = b.buffer(COUNTS);
    b.ifThen(
        b.lt(b.global(), rows),
        () -> {
          Reg number = b.load(numbers, b.global());
          Reg count = b.variable(b.i32(1));
          b.ifThen(
              b.ge(number, b.i32(0)),
              () -> {
                Reg matches = b.sub(b.load(starts, b.add(number, 1)), b.load(starts, number));
                b.set(count, b.convert(matches, Type.I32));
              });
          b.store(counts, b.global(), count);
        });
    return b.build();
  }

  /** Lane i writes the pairs of row i of the piece. */
  static Kernel writeKernel() {
    KernelBuilder b = new KernelBuilder("join_write_pairs");
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    Reg firstRow = b.scalar(FIRST_ROW);
    Reg firstPair = b.scalar(FIRST_PAIR);
    int numbers = b.buffer(NUMBERS);
    int counts = b.buffer(COUNTS_READ);
    int offsets = b.buffer(OFFSETS);
    int starts = b.buffer(STARTS);
    int order = b.buffer(ORDER);
    int probeRows = b.buffer(PROBE_ROWS);
    int buildRows = b.buffer(BUILD_ROWS);
    Reg i = b.global();
    b.ifThen(
        b.lt(i, rows),
        () -> {
          Reg number = b.load(numbers, i);
          Reg at = b.variable(b.sub(b.load(offsets, i), firstPair));
          Reg end = b.add(at, b.convert(b.load(counts, i), Type.I64));
          Reg row = b.add(firstRow, i);
          Reg from = b.variable(b.i64(0));
          Reg matched = b.ge(number, b.i32(0));
          b.ifThen(matched, () -> b.set(from, b.load(starts, number)));
          b.whileLoop(
              () -> b.lt(at, end),
              () -> {
                Reg buildRow = b.variable(b.i32(-1));
                b.ifThen(matched, () -> b.set(buildRow, b.load(order, from)));
                b.store(probeRows, at, row);
                b.store(buildRows, at, buildRow);
                b.set(at, b.add(at, 1));
                b.set(from, b.add(from, 1));
              });
        });
    return b.build();
  }
}
