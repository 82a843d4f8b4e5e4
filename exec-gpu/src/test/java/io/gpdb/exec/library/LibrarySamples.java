package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.BatchShape.Result;
import io.gpdb.exec.library.GridFilterProject.Output;
import io.gpdb.exec.library.UpdateShape.Logged;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/** At least one instance of every kernel and variant of the library, as texts. */
public final class LibrarySamples {
  private static final int SAMPLE_TRAP = 22;

  private final List<Kernel> kernels = new ArrayList<>();
  private final LaneInputs inputs = new LaneInputs();
  private final List<LaneProgram> columns = new ArrayList<>();
  private final LaneInputs.Parameter limit = inputs.parameter("limit", Type.I32);
  private final LaneInputs.Table ranks = inputs.table("ranks", Element.I32);
  private final Device device = new TextsOnly();

  private LibrarySamples() {
    for (Element element : Element.values()) {
      LaneInputs.Column column = inputs.column(element.name(), element);
      columns.add(lane -> lane.column(column));
    }
  }

  public static List<Kernel> all() {
    LibrarySamples samples = new LibrarySamples();
    samples.moves();
    samples.scans();
    samples.groups();
    samples.joins();
    samples.sorts();
    samples.changes();
    samples.batches();
    return samples.kernels;
  }

  private LaneProgram column(Element element) {
    return columns.get(List.of(Element.values()).indexOf(element));
  }

  /** i32 < limit, NULL where either is. */
  private LaneValue belowLimit(Lane lane) {
    LaneValue a = column(Element.I32).emit(lane);
    LaneValue k = lane.parameter(limit);
    return new LaneValue(lane.builder().lt(a.value(), k.value()), a.present());
  }

  /** CASE WHEN i32 <> 0 THEN i64 * 3 / i32 END through a look-up table, with its traps. */
  private LaneValue computed(Lane lane) {
    KernelBuilder b = lane.builder();
    Reg divisor = b.convert(column(Element.I32).emit(lane).value(), Type.I64);
    LaneValue factor = column(Element.I64).emit(lane);
    Reg result = b.variable(b.i64(0));
    b.ifThen(
        b.ne(divisor, 0),
        () -> {
          lane.trap(b.overflow(OverflowOp.MUL, factor.value(), b.i64(3)), SAMPLE_TRAP);
          b.set(result, b.binary(BinaryOp.DIV, b.mul(factor.value(), 3), divisor));
        });
    Reg rank = lane.lookUp(ranks, b.i32(0));
    return new LaneValue(b.add(result, b.convert(rank, Type.I64)), factor.present());
  }

  private void moves() {
    for (Element element : List.of(Element.I8, Element.I16, Element.I32, Element.I64)) {
      kernels.add(GridPack.packKernel(element));
      kernels.add(GridGather.valuesKernel(element));
    }
    kernels.add(GridPack.bitmapKernel());
    kernels.add(GridGather.validityKernel(true));
    kernels.add(GridGather.validityKernel(false));
    for (Element element : List.of(Element.I32, Element.I64)) {
      kernels.add(GridPrefixSum.totalsKernel(element));
      kernels.add(GridPrefixSum.offsetsKernel(element));
    }
  }

  private List<LaneVariant> variants() {
    BitSet nullLimit = new BitSet();
    nullLimit.set(limit.number());
    return List.of(
        LaneVariant.plain(),
        LaneVariant.full(inputs),
        new LaneVariant(true, new BitSet(), new BitSet()),
        new LaneVariant(false, LaneVariant.full(inputs).validity(), nullLimit));
  }

  private void scans() {
    List<Output> outputs = new ArrayList<>();
    for (Element element : Element.values()) {
      outputs.add(new Output(element, column(element)));
    }
    outputs.add(new Output(Element.I8, this::belowLimit));
    outputs.add(new Output(Element.I64, this::computed));
    List<Aggregate> aggregates = aggregates();
    for (LaneVariant variant : variants()) {
      for (LaneProgram filter :
          new LaneProgram[] {this::belowLimit, lane -> LaneValue.of(lane.builder().pred(true))}) {
        kernels.add(
            new GridFilterProject(device, "filter", inputs, filter, outputs, true).kernel(variant));
        kernels.add(new GridReduce(device, "reduce", inputs, filter, aggregates).kernel(variant));
      }
      kernels.add(
          new GridFilterProject(device, "project", inputs, null, outputs, false).kernel(variant));
      kernels.add(new GridReduce(device, "reduce_all", inputs, null, aggregates).kernel(variant));
    }
  }

  private List<Aggregate> aggregates() {
    List<Aggregate> aggregates = new ArrayList<>();
    aggregates.add(Aggregate.countRows());
    List<LaneProgram> arguments = new ArrayList<>(columns);
    arguments.add(this::belowLimit);
    arguments.add(this::computed);
    for (LaneProgram argument : arguments) {
      aggregates.add(Aggregate.count(argument));
      aggregates.add(Aggregate.sum(argument));
      aggregates.add(Aggregate.min(argument));
      aggregates.add(Aggregate.max(argument));
    }
    return aggregates;
  }

  private void groups() {
    List<LaneProgram> keys = List.of(column(Element.I32), column(Element.I8));
    GridGroupBy dense =
        new GridGroupBy(device, "group", inputs, this::belowLimit, keys, aggregates());
    GridGroupBy wide = new GridGroupBy(device, "group_all", inputs, null, columns, List.of());
    for (LaneVariant variant : List.of(LaneVariant.plain(), LaneVariant.full(inputs))) {
      for (boolean hashed : new boolean[] {false, true}) {
        for (int groups : new int[] {2, 30, 1 << 20}) {
          GridGroupBy.Shape shape = new GridGroupBy.Shape(hashed, dense.sharedClass(groups));
          kernels.add(dense.kernel(shape, variant));
        }
      }
      kernels.add(wide.staging.kernel(variant));
      kernels.add(dense.staging.kernel(variant));
    }
    kernels.add(GroupText.initKernel(dense.layout));
    for (int words = 1; words <= 3; words++) {
      kernels.add(GroupTableKernels.probeKernel(words));
      kernels.add(GroupTableKernels.settleKernel(words));
      kernels.add(GroupTableKernels.insertKernel(words));
    }
    kernels.add(GroupTableKernels.resolveKernel());
    kernels.add(GroupFloatSums.pairKernel());
    kernels.add(GroupFloatSums.sumKernel());
  }

  private void joins() {
    for (GridHashJoin.Kind kind : GridHashJoin.Kind.values()) {
      GridHashJoin join = new GridHashJoin(device, "join", kind, inputs, columns, inputs, columns);
      for (LaneVariant variant : variants()) {
        kernels.add(join.probe.kernel(variant));
      }
      kernels.add(join.staging.kernel(LaneVariant.full(inputs)));
      kernels.add(JoinProbe.writeKernel(kind));
    }
    kernels.add(JoinKernels.countKernel());
    kernels.add(JoinKernels.placeKernel());
  }

  private void sorts() {
    kernels.add(GridRadixSort.varyingKernel());
    kernels.add(GridRadixSort.countKernel());
    kernels.add(GridRadixSort.placeKernel());
    kernels.add(GridRadixSort.rankKernel());
    kernels.add(GridSort.identityKernel());
    for (boolean descending : new boolean[] {false, true}) {
      List<SortKey> keys =
          columns.stream().map(c -> new SortKey(c, descending, !descending)).toList();
      List<LaneProgram> words = SortWords.programs(inputs, keys);
      List<Output> outputs = SortWords.outputs(words);
      for (LaneVariant variant : variants()) {
        kernels.add(
            new GridFilterProject(device, "sort_words", inputs, null, outputs, false)
                .kernel(variant));
      }
      for (Element element : Element.values()) {
        SortKey key = new SortKey(column(element), descending, descending);
        kernels.add(new GridTopN(device, "top", inputs, this::belowLimit, List.of(key)).kernel());
      }
    }
  }

  private void batches() {
    List<LaneInputs.Stored> reads = new ArrayList<>();
    List<GridApplyBatch.Target> targets = new ArrayList<>();
    BitSet all = new BitSet();
    for (Element element : Element.values()) {
      int number = targets.size();
      reads.add(new LaneInputs.Stored(inputs.column(number), number));
      all.set(number);
      targets.add(new GridApplyBatch.Target(number, element, column(element)));
    }
    all.set(targets.size());
    targets.add(new GridApplyBatch.Target(targets.size(), Element.I8, this::belowLimit));
    all.set(targets.size());
    targets.add(new GridApplyBatch.Target(targets.size(), Element.I64, this::computed));
    GridApplyBatch batch = new GridApplyBatch(device, "batch", inputs, reads, targets);
    LaneVariant plain = LaneVariant.plain();
    LaneVariant full = new LaneVariant(false, LaneVariant.full(inputs).validity(), new BitSet());
    for (Result result : Result.values()) {
      boolean stores = result == Result.STORED;
      for (boolean flag : new boolean[] {false, true}) {
        Logged logged = stores ? Logged.NEW_VALUE : Logged.OLD_VALUE;
        BitSet valid = result == Result.ASIDE ? new BitSet() : flag ? all : new BitSet();
        kernels.add(
            batch.kernel(
                new BatchShape(flag ? full : plain, valid, stores, logged, flag, result, !stores)));
      }
    }
    for (boolean flag : new boolean[] {false, true}) {
      LaneVariant lanes = flag ? full : plain;
      BitSet valid = flag ? all : new BitSet();
      kernels.add(
          batch.kernel(
              new BatchShape(lanes, valid, true, Logged.OLD_VALUE, flag, Result.NONE, true)));
      kernels.add(
          batch.kernel(
              new BatchShape(lanes, valid, false, Logged.NOTHING, false, Result.STORED, true)));
    }
  }

  private void changes() {
    for (Element element : Element.values()) {
      for (boolean nullable : new boolean[] {false, true}) {
        for (boolean conventional : new boolean[] {false, true}) {
          boolean nulls = nullable;
          update(element, nullable, nulls, true, Logged.NEW_VALUE, conventional, true, false);
          update(element, nullable, nulls, false, Logged.NEW_VALUE, conventional, true, false);
          update(element, nullable, false, true, Logged.OLD_VALUE, conventional, false, true);
        }
        update(element, nullable, nullable, false, Logged.NOTHING, false, true, true);
        update(element, nullable, false, false, Logged.NOTHING, false, true, false);
        for (boolean rowMajor : new boolean[] {false, true}) {
          kernels.add(
              GridReplay.kernel(new GridReplay.Shape(element, nullable, rowMajor, rowMajor)));
          kernels.add(
              GridReplay.kernel(new GridReplay.Shape(element, nullable, rowMajor, !rowMajor)));
        }
      }
    }
    for (boolean flag : new boolean[] {false, true}) {
      kernels.add(GridInsert.kernel(flag));
      kernels.add(GridReplay.kernel(new GridReplay.Shape(null, flag, false, false)));
      kernels.add(GridReplay.kernel(new GridReplay.Shape(null, flag, true, true)));
      for (GridApplyDelete.Change change : GridApplyDelete.Change.values()) {
        kernels.add(GridApplyDelete.kernel(new GridApplyDelete.Shape(change, true, flag, false)));
        kernels.add(GridApplyDelete.kernel(new GridApplyDelete.Shape(change, flag, false, true)));
      }
    }
  }

  private void update(
      Element element,
      boolean columnValidity,
      boolean newValidity,
      boolean capture,
      Logged logged,
      boolean conventional,
      boolean store,
      boolean persist) {
    kernels.add(
        GridApplyUpdate.kernel(
            new UpdateShape(
                element,
                columnValidity,
                newValidity,
                capture,
                logged,
                conventional,
                store,
                persist)));
  }

  /** Stands in where only a kernel's text is wanted. */
  private static final class TextsOnly implements Device {
    private final ExecutionCounters counters = new ExecutionCounters();

    @Override
    public String name() {
      return "texts only";
    }

    @Override
    public LoadedKernel load(Kernel kernel) {
      throw new UnsupportedOperationException("texts only: kernel=" + kernel.name());
    }

    @Override
    public ExecutionCounters counters() {
      return counters;
    }

    @Override
    public <T> T counted(ExecutionCounters into, Supplier<T> work) {
      return work.get(); // launches nothing
    }

    @Override
    public void close() {}
  }
}
