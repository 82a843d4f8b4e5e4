package io.gpdb.exec.library.sort;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.exec.library.move.GridRadixSort;
import io.gpdb.exec.library.move.SampleSort;
import io.gpdb.exec.library.scan.GridFilterProject;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/**
 * Stable sort of rows by keys. Called by the planner for ORDER BY on dense columns, and by {@link
 * GridTopN}. A projection makes {@link SortWords}; then {@link SampleSort} sorts on the host, where
 * that reads the device's memory, else {@link GridRadixSort} by each word, the last first. Results
 * are valid when {@link #permutation} returns. Thread-safe.
 */
public final class GridSort {
  private static final int BLOCK_LANES = 1024;
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);

  private final GridFilterProject words;
  private static final KernelTexts<Boolean> TEXTS = new KernelTexts<>(_ -> identityKernel());

  private final Device device;
  private final LoadedKernels<Boolean> identity;
  private final GridRadixSort sort;
  private final GridGather gather;

  public GridSort(Device device, String name, LaneInputs inputs, List<SortKey> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(name + ": no sort keys");
    }
    this.device = device;
    List<LaneProgram> programs = SortWords.programs(inputs, keys);
    words = new GridFilterProject(device, name, inputs, null, SortWords.outputs(programs), false);
    identity = new LoadedKernels<>(device, TEXTS);
    sort = new GridRadixSort(device);
    gather = new GridGather(device);
  }

  /** The rows 0 to {@code rows}-1 as i32 numbers in order; equal rows stay in row order. */
  public DeviceBuffer permutation(LaneBindings bindings, int rows, BufferAllocator results) {
    DeviceBuffer permutation = results.allocate((long) rows << 2);
    try (Scratch scratch = new Scratch()) {
      SelectedRows selected = words.run(bindings, rows, null, scratch);
      List<DeviceBuffer> columns = selected.columns().stream().map(DenseColumn::values).toList();
      order(columns, rows, permutation);
    }
    return permutation;
  }

  /** The text of the keys' projection, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return words.kernel();
  }

  /** Writes the order of n rows by their words (unsigned i64, most significant first). */
  void order(List<DeviceBuffer> keyWords, int n, DeviceBuffer permutation) {
    if (n == 0) {
      return;
    }
    if (device.memory().isHosts()) {
      List<HostBuffer> onHost = keyWords.stream().map(DeviceBuffer::onHost).toList();
      SampleSort.order(device, onHost, n, permutation.onHost());
    } else {
      orderByKernels(keyWords, n, permutation);
    }
  }

  /** As {@link #order}, a word after the other, the last first. */
  void orderByKernels(List<DeviceBuffer> keyWords, int n, DeviceBuffer permutation) {
    LoadedKernel kernel = identity.get(true);
    Arguments arguments = new Arguments(kernel.kernel()).scalar(N, n).buffer(TARGET, permutation);
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer picked = scratch.longs(n);
      for (DeviceBuffer column : keyWords.reversed()) {
        gather.values(Element.I64, column, permutation, n, picked);
        sort.sort(picked, permutation, n);
      }
    }
  }

  /** Lane i writes i. */
  static Kernel identityKernel() {
    KernelBuilder b = new KernelBuilder("identity");
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    int target = b.buffer(TARGET);
    b.ifThen(b.lt(b.global(), n), () -> b.store(target, b.global(), b.global()));
    return b.build();
  }
}
