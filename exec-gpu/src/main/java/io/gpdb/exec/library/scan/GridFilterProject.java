package io.gpdb.exec.library.scan;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.move.GridPack;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter and projection in one kernel. Called by the planner for SELECT, for the new values
 * of UPDATE and for the rows of DELETE; one launch per tablet. One lane per row. Thread-safe.
 *
 * <p>Block b writes what passes, in row order, from element b*1024 of each output on, and how many
 * to {@code counts[b]}; {@link GridPack} then makes the outputs dense. Where every row passes
 * (neither filter nor live bitmap), rows go straight to their places. Results are valid when {@link
 * #run} returns.
 */
public final class GridFilterProject {
  private static final int BLOCK_LANES = 1024;

  private final String name;
  private final LaneInputs inputs;
  private final @Nullable LaneProgram filter;
  private final List<Output> outputs;
  private final boolean rowIds;
  private final LaneKernels<Places> kernels;
  private final GridPack pack;

  /** One output column; a predicate becomes 0 or 1 of an integer element. */
  public record Output(Element element, LaneProgram program) {}

  /** The positions of the kernel's own buffers; -1 where it has none. */
  private static final class Places {
    private final boolean compacts;
    private final int counts;
    private final int rowIds;
    private final int[] values;
    private final int[] validity;

    Places(boolean compacts, int counts, int rowIds, int outputs) {
      this.compacts = compacts;
      this.counts = counts;
      this.rowIds = rowIds;
      values = new int[outputs];
      validity = new int[outputs];
    }
  }

  /**
   * @param filter null lets every live row through
   * @param rowIds whether {@link SelectedRows#rowIds} is wanted
   */
  public GridFilterProject(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<Output> outputs,
      boolean rowIds) {
    this.name = KernelLibrary.identifier(name);
    this.inputs = inputs;
    this.filter = filter;
    this.outputs = List.copyOf(outputs);
    this.rowIds = rowIds;
    this.kernels = new LaneKernels<>(device, this::write);
    this.pack = new GridPack(device);
  }

  /**
   * The rows r below {@code rows} that are live and for which the filter is true.
   *
   * @param live bitmap, bit set = row exists; null when all do
   */
  public SelectedRows run(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, BufferAllocator results) {
    Ready<Places> ready = kernels.get(LaneVariant.of(bindings, live != null));
    Arguments arguments = LaneScan.bind(ready, bindings, rows, live);
    int blocks = LaneKernels.blocks(rows, BLOCK_LANES);
    return ready.places().compacts
        ? new Compaction(ready, arguments, blocks, results).run()
        : straight(ready, arguments, rows, blocks, results);
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return kernels.text(LaneVariant.plain());
  }

  public Kernel kernel(LaneVariant variant) {
    return kernels.text(variant);
  }

  private SelectedRows straight(
      Ready<Places> ready, Arguments arguments, int rows, int blocks, BufferAllocator results) {
    Places places = ready.places();
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer ids = null;
      if (places.rowIds >= 0) {
        ids = results.allocate((long) rows << 2);
        arguments.buffer(places.rowIds, ids);
      }
      DeviceBuffer[] values = new DeviceBuffer[outputs.size()];
      DeviceBuffer[] bytes = new DeviceBuffer[outputs.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = results.allocate((long) rows * outputs.get(i).element().bytes());
        arguments.buffer(places.values[i], values[i]);
        if (places.validity[i] >= 0) {
          bytes[i] = scratch.allocate(rows);
          arguments.buffer(places.validity[i], bytes[i]);
        }
      }
      KernelLibrary.launch(ready.kernel(), blocks, arguments);
      List<DenseColumn> columns = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        DeviceBuffer bitmap = places.validity[i] < 0 ? null : bitmap(bytes[i], rows, results);
        columns.add(new DenseColumn(outputs.get(i).element(), values[i], bitmap));
      }
      return new SelectedRows(rows, ids, columns);
    }
  }

  private DeviceBuffer bitmap(DeviceBuffer bytes, int n, BufferAllocator results) {
    DeviceBuffer bitmap = results.allocate(DenseColumn.bitmapBytes(n));
    pack.bitmap(bytes, n, bitmap);
    return bitmap;
  }

  /** One run with regions per block and packing. */
  private final class Compaction {
    private final Ready<Places> ready;
    private final Arguments arguments;
    private final int blocks;
    private final BufferAllocator results;

    Compaction(Ready<Places> ready, Arguments arguments, int blocks, BufferAllocator results) {
      this.ready = ready;
      this.arguments = arguments;
      this.blocks = blocks;
      this.results = results;
    }

    SelectedRows run() {
      try (Scratch scratch = new Scratch()) {
        return run(scratch);
      }
    }

    private SelectedRows run(Scratch scratch) {
      Places places = ready.places();
      DeviceBuffer counts = scratch.ints(blocks);
      arguments.buffer(places.counts, counts);
      DeviceBuffer ids = region(scratch, places.rowIds, Integer.BYTES);
      DeviceBuffer[] values = new DeviceBuffer[outputs.size()];
      DeviceBuffer[] bytes = new DeviceBuffer[outputs.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = region(scratch, places.values[i], outputs.get(i).element().bytes());
        bytes[i] = region(scratch, places.validity[i], 1);
      }
      KernelLibrary.launch(ready.kernel(), blocks, arguments);
      HostBuffer offsets = scratch.pin((long) blocks << 3);
      int count = offsets(counts.onHost(), offsets);
      DeviceBuffer packedIds =
          places.rowIds < 0 ? null : packed(Element.I32, ids, counts, offsets, count, results);
      List<DenseColumn> columns = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        Element element = outputs.get(i).element();
        DeviceBuffer dense = packed(element, values[i], counts, offsets, count, results);
        DeviceBuffer bitmap = null;
        if (places.validity[i] >= 0) {
          bitmap =
              bitmap(packed(Element.I8, bytes[i], counts, offsets, count, scratch), count, results);
        }
        columns.add(new DenseColumn(element, dense, bitmap));
      }
      return new SelectedRows(count, packedIds, columns);
    }

    /** Binds a region per block when the kernel has the buffer; else the empty segment. */
    private DeviceBuffer region(Scratch scratch, int buffer, int elementBytes) {
      if (buffer < 0) {
        return HostBuffer.NONE;
      }
      DeviceBuffer region = scratch.allocate((long) blocks * BLOCK_LANES * elementBytes);
      arguments.buffer(buffer, region);
      return region;
    }

    /** Where each block's rows start; returns how many there are. */
    private int offsets(HostBuffer counts, HostBuffer offsets) {
      int total = 0;
      for (int i = 0; i < blocks; i++) {
        offsets.setLong(i, total);
        total += counts.intAt(i);
      }
      return total;
    }

    private DeviceBuffer packed(
        Element element,
        DeviceBuffer region,
        DeviceBuffer counts,
        DeviceBuffer offsets,
        int count,
        BufferAllocator target) {
      DeviceBuffer dense = target.allocate((long) count * element.bytes());
      if (count > 0) {
        pack.values(element, region, counts, offsets, blocks, dense);
      }
      return dense;
    }
  }

  private Written<Places> write(LaneVariant variant) {
    return new Text(variant).write();
  }

  /** Writes one variant. */
  private final class Text {
    private final KernelBuilder b = new KernelBuilder(name);
    private final LaneScan scan;
    private final Places places;

    Text(LaneVariant variant) {
      b.blockSize(BLOCK_LANES);
      scan = new LaneScan(b, inputs, variant);
      boolean compacts = filter != null || variant.live();
      int counts = compacts ? b.output("counts", Element.I32) : -1;
      int ids = rowIds ? b.output("row_ids", Element.I32) : -1;
      places = new Places(compacts, counts, ids, outputs.size());
      for (int i = 0; i < outputs.size(); i++) {
        places.values[i] = b.output("out" + i, outputs.get(i).element());
        places.validity[i] = -1;
      }
    }

    Written<Places> write() {
      if (places.compacts) {
        Reg passes = b.variable(b.pred(false));
        scan.filter(filter, passes);
        Reg rank = b.blockRank(passes);
        b.ifThen(passes, () -> project(b.add(b.sub(b.global(), b.thread()), rank)));
        b.ifThen(
            b.eq(b.thread(), BLOCK_LANES - 1),
            () -> {
              Reg last = b.select(passes, b.i32(1), b.i32(0));
              b.store(places.counts, b.block(), b.add(rank, last));
            });
      } else {
        scan.ifExists(() -> project(scan.lane().row()));
      }
      return new Written<>(b.build(), scan.lane().layout(), places);
    }

    private void project(Reg at) {
      Lane lane = scan.lane();
      lane.stage(outputs.stream().map(Output::program).toList());
      if (rowIds) {
        b.store(places.rowIds, at, lane.row());
      }
      for (int i = 0; i < outputs.size(); i++) {
        LaneValue value = outputs.get(i).program().emit(lane);
        Reg stored = stored(value, outputs.get(i).element());
        Reg present = value.present();
        if (present != null) {
          places.validity[i] = b.output("valid" + i, Element.I8);
          b.store(places.validity[i], at, b.convert(present, Type.I32));
          stored = b.select(present, stored, b.constant(stored.type(), 0));
        }
        b.store(places.values[i], at, stored);
      }
    }

    private Reg stored(LaneValue value, Element element) {
      Reg reg = value.type() == Type.PRED ? b.convert(value.value(), Type.I32) : value.value();
      if (reg.type() != element.register()) {
        throw new IllegalArgumentException(
            name + ": output of " + reg.type().text() + " into " + element);
      }
      return reg;
    }
  }
}
