package io.gpdb.exec.library.scan;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter and projection in one kernel. Called by the planner for SELECT, for the new values
 * of UPDATE and for the rows of DELETE; one launch for a window of tablets. One lane per row.
 * Thread-safe.
 *
 * <p>Block b writes what passes, in row order, from element b*1024 of each output on, and how many
 * to {@code counts[b]}; {@link GridPack} then makes the outputs dense. Where every row passes
 * (neither filter nor live bitmap nor a join), rows go straight to their places. Results are valid
 * when {@link #run} returns.
 */
public final class GridFilterProject {
  private static final int BLOCK_LANES = 1024;

  /** So values and bitmaps of a tablet begin at whole words. */
  private static final int ALIGNMENT_ROWS = 64;

  private final String name;
  private final LaneInputs inputs;
  private final @Nullable LaneProgram filter;
  private final List<Output> outputs;
  private final boolean rowIds;
  private final LaneKernels<Places> kernels;
  private final GridPack pack;

  /** Of how many devices the memory is. */
  private final int parts;

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
    this.parts = device.memory().parts();
  }

  /**
   * The rows r below {@code rows} that are live and for which the filter is true.
   *
   * @param live bitmap, bit set = row exists; null when all do
   */
  public SelectedRows run(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, BufferAllocator results) {
    return start().add(bindings, rows, live).finish(results).getFirst();
  }

  /** A window of tablets that are filtered together. */
  public Window start() {
    return new Window();
  }

  /** About the bytes that a row takes while it is filtered, whether it passes or not. */
  public int bytesPerRow() {
    int bytes = rowIds ? Integer.BYTES : 0;
    for (Output output : outputs) {
      bytes += output.element().bytes() + 1;
    }
    return bytes;
  }

  /**
   * Tablets that one grouped launch filters, a group for each; one launch for each variant of the
   * kernel that they need. Used by one thread.
   */
  public final class Window {
    private final Map<LaneVariant, Pass> passes = new LinkedHashMap<>();
    private final List<Place> places = new ArrayList<>();
    private @Nullable Pass last;

    /** Where the rows of a tablet come from. */
    private record Place(Pass pass, int group) {}

    private Window() {}

    /**
     * Adds the next tablet; what is bound must stay valid until {@link #finish} returns.
     *
     * @param live bitmap, bit set = row exists; null when all do
     */
    public Window add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
      Pass pass = pass(bindings, live != null);
      int part = parts == 1 ? 0 : bindings.part();
      int group = pass.add(LaneScan.bind(pass.ready, bindings, rows, live), rows, part);
      places.add(new Place(pass, group));
      return this;
    }

    /** Most tablets need the variant of the one before. */
    private Pass pass(LaneBindings bindings, boolean live) {
      Pass pass = last;
      if (pass == null || !pass.variant.isOf(bindings, live)) {
        LaneVariant variant = LaneVariant.of(bindings, live);
        pass = passes.computeIfAbsent(variant, Pass::new);
        last = pass;
      }
      return pass;
    }

    /** Launches; the rows of each tablet that pass, in the order of their adding. */
    public List<SelectedRows> finish(BufferAllocator results) {
      return finish(results, results::pin);
    }

    /** As above, with the row ids in memory of their own. */
    public List<SelectedRows> finish(BufferAllocator results, LongFunction<HostBuffer> idMemory) {
      passes.values().forEach(pass -> pass.run(ALIGNMENT_ROWS, results, idMemory));
      List<SelectedRows> inOrder = new ArrayList<>();
      for (Place place : places) {
        inOrder.add(place.pass.selected(place.group));
      }
      return inOrder;
    }

    /**
     * Launches; the rows of all tablets that pass, without gaps. Positions are those in the
     * tablets.
     *
     * @throws IllegalStateException where the tablets need several variants of the kernel
     */
    public SelectedRows finishTogether(BufferAllocator results) {
      if (passes.size() != 1) {
        throw new IllegalStateException(name + ": variants=" + passes.size());
      }
      Pass pass = Objects.requireNonNull(last);
      pass.run(1, results, results::pin);
      return pass.together();
    }
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return kernels.text(LaneVariant.plain());
  }

  public Kernel kernel(LaneVariant variant) {
    return kernels.text(variant);
  }

  /**
   * The tablets of a window that run the same variant. Their rows are in common buffers, where
   * {@link Spans} says.
   */
  private final class Pass {
    private final LaneVariant variant;
    private final Ready<Places> ready;
    private final List<Arguments> arguments = new ArrayList<>();
    private final List<Integer> rows = new ArrayList<>();
    private final List<Integer> partOf = new ArrayList<>();
    private @Nullable Spans spans;
    private SelectedRows all = new SelectedRows(0, null, List.of());

    Pass(LaneVariant variant) {
      this.variant = variant;
      ready = kernels.get(variant);
    }

    int add(Arguments bound, int tabletRows, int part) {
      partOf.add(part);
      arguments.add(bound);
      rows.add(tabletRows);
      return rows.size() - 1;
    }

    /**
     * @param alignment the rows of each tablet begin at a multiple of it in the common buffers
     */
    void run(int alignment, BufferAllocator results, LongFunction<HostBuffer> idMemory) {
      Spans made = new Spans(alignment);
      try (Scratch scratch = new Scratch()) {
        all =
            ready.places().compacts
                ? compacted(made, scratch, results, idMemory)
                : straight(made, scratch, results, idMemory);
      }
      spans = made;
    }

    /** The rows of a tablet. */
    SelectedRows selected(int group) {
      return Objects.requireNonNull(spans).of(group, all);
    }

    /** The common buffers. */
    SelectedRows together() {
      return all;
    }

    private int blocks(int group) {
      return LaneKernels.blocks(rows.get(group), BLOCK_LANES);
    }

    private void launch() {
      List<LaunchGroup> groups = new ArrayList<>();
      long blocks = 0;
      for (int g = 0; g < rows.size(); g++) {
        groups.add(new LaunchGroup(blocks(g), arguments.get(g)));
        blocks += blocks(g);
      }
      if (blocks > 0) {
        KernelLibrary.launch(ready.kernel(), groups);
      }
    }

    private SelectedRows straight(
        Spans spans, Scratch scratch, BufferAllocator results, LongFunction<HostBuffer> idMemory) {
      Places places = ready.places();
      rows.forEach(spans::add);
      DeviceBuffer ids = null;
      if (places.rowIds >= 0) {
        ids = idMemory.apply(spans.end() << 2);
        spans.bind(places.rowIds, Integer.BYTES, ids, arguments);
      }
      DeviceBuffer[] values = new DeviceBuffer[outputs.size()];
      DeviceBuffer[] bytes = new DeviceBuffer[outputs.size()];
      for (int i = 0; i < values.length; i++) {
        int width = outputs.get(i).element().bytes();
        values[i] = results.allocate(spans.end() * width);
        spans.bind(places.values[i], width, values[i], arguments);
        if (places.validity[i] >= 0) {
          bytes[i] = validityBytes(spans, scratch);
          spans.bind(places.validity[i], 1, bytes[i], arguments);
        }
      }
      launch();
      return common(spans, ids, values, bitmaps(bytes, spans, results));
    }

    private SelectedRows compacted(
        Spans spans, Scratch scratch, BufferAllocator results, LongFunction<HostBuffer> idMemory) {
      Places places = ready.places();
      List<Regions> all = regions();
      all.forEach(each -> each.bind(places, scratch));
      launch();
      all.forEach(each -> each.blocks.count());
      int[] placed = new int[parts];
      for (int g = 0; g < rows.size(); g++) {
        int part = partOf.get(g);
        BlockRegions own = all.get(part).blocks;
        spans.add(own.place(placed[part]++, spans.next()));
      }
      all.forEach(each -> each.settle(scratch));
      GridPack.Columns columns = pack.columns();
      DeviceBuffer ids = null;
      if (places.rowIds >= 0) {
        DeviceBuffer packed = idMemory.apply(spans.end() << 2);
        all.forEach(each -> each.add(Element.I32, each.ids, packed, columns));
        ids = packed;
      }
      DeviceBuffer[] values = new DeviceBuffer[outputs.size()];
      DeviceBuffer[] bytes = new DeviceBuffer[outputs.size()];
      for (int i = 0; i < values.length; i++) {
        int output = i;
        Element element = outputs.get(i).element();
        DeviceBuffer dense = results.allocate(spans.end() * element.bytes());
        all.forEach(each -> each.add(element, each.values[output], dense, columns));
        values[i] = dense;
        if (places.validity[i] >= 0) {
          DeviceBuffer present = validityBytes(spans, scratch);
          all.forEach(each -> each.add(Element.I8, each.validity[output], present, columns));
          bytes[i] = present;
        }
      }
      columns.pack();
      return common(spans, ids, values, bitmaps(bytes, spans, results));
    }

    /** Of each part of the device's memory. */
    private List<Regions> regions() {
      List<Regions> all = new ArrayList<>();
      for (int part = 0; part < parts; part++) {
        all.add(new Regions(part));
      }
      for (int g = 0; g < rows.size(); g++) {
        all.get(partOf.get(g)).blocks.add(arguments.get(g), rows.get(g));
      }
      return all;
    }

    private SelectedRows common(
        Spans spans,
        @Nullable DeviceBuffer ids,
        DeviceBuffer[] values,
        @Nullable DeviceBuffer[] bitmaps) {
      List<DenseColumn> columns = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        columns.add(new DenseColumn(outputs.get(i).element(), values[i], bitmaps[i]));
      }
      return new SelectedRows((int) spans.end(), ids, columns);
    }

    /** Nothing is written between the tablets' rows, where bits are to be 0. */
    private DeviceBuffer validityBytes(Spans spans, Scratch scratch) {
      DeviceBuffer bytes = scratch.allocate(spans.end());
      if (spans.count() > 1) {
        bytes.fill((byte) 0);
      }
      return bytes;
    }

    private @Nullable DeviceBuffer[] bitmaps(
        @Nullable DeviceBuffer[] bytes, Spans spans, BufferAllocator results) {
      @Nullable DeviceBuffer[] bitmaps = new DeviceBuffer[bytes.length];
      for (int i = 0; i < bytes.length; i++) {
        DeviceBuffer present = ready.places().validity[i] < 0 ? null : bytes[i];
        if (present != null) {
          DeviceBuffer bitmap = results.allocate(DenseColumn.bitmapBytes(spans.end()));
          pack.bitmap(present, (int) spans.end(), bitmap);
          bitmaps[i] = bitmap;
        }
      }
      return bitmaps;
    }
  }

  /** What blocks leave in one part of the memory, moved from there to the tablets' spans. */
  private final class Regions {
    private final BlockRegions blocks;
    private final DeviceBuffer[] values = new DeviceBuffer[outputs.size()];
    private final DeviceBuffer[] validity = new DeviceBuffer[outputs.size()];
    private DeviceBuffer ids = HostBuffer.NONE;
    private DeviceBuffer offsets = HostBuffer.NONE;

    Regions(int part) {
      blocks = new BlockRegions(BLOCK_LANES, part);
    }

    void bind(Places places, Scratch scratch) {
      blocks.bindCounts(places.counts, scratch);
      ids = blocks.bindRows(places.rowIds, Integer.BYTES, scratch);
      for (int i = 0; i < values.length; i++) {
        values[i] = blocks.bindRows(places.values[i], outputs.get(i).element().bytes(), scratch);
        validity[i] = blocks.bindRows(places.validity[i], 1, scratch);
      }
    }

    void settle(Scratch scratch) {
      offsets = scratch.settled(blocks.offsets(scratch));
    }

    void add(Element element, DeviceBuffer regions, DeviceBuffer target, GridPack.Columns to) {
      if (blocks.blocks() > 0 && target.bytes() > 0) {
        to.add(element, regions, blocks.counts(), offsets, blocks.blocks(), target);
      }
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
      boolean compacts = filter != null || variant.dropsRows();
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
