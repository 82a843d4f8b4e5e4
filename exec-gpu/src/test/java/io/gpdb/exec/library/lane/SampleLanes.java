package io.gpdb.exec.library.lane;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/** Lane programs over a column of each element, and a device that takes texts only. */
public final class SampleLanes {
  private static final int SAMPLE_TRAP = 22;

  private final LaneInputs inputs = new LaneInputs();
  private final List<LaneProgram> columns = new ArrayList<>();
  private final LaneInputs.Parameter limit = inputs.parameter("limit", Type.I32);
  private final LaneInputs.Table ranks = inputs.table("ranks", Element.I32);
  private final Device device = new TextsOnly();

  public SampleLanes() {
    for (Element element : Element.values()) {
      LaneInputs.Column column = inputs.column(element.name(), element);
      columns.add(lane -> lane.column(column));
    }
  }

  public LaneInputs inputs() {
    return inputs;
  }

  public List<LaneProgram> columns() {
    return columns;
  }

  public Device device() {
    return device;
  }

  public LaneProgram column(Element element) {
    return columns.get(List.of(Element.values()).indexOf(element));
  }

  /** i32 < limit, NULL where either is. */
  public LaneValue belowLimit(Lane lane) {
    LaneValue a = column(Element.I32).emit(lane);
    LaneValue k = lane.parameter(limit);
    return new LaneValue(lane.builder().lt(a.value(), k.value()), a.present());
  }

  public LaneValue computed(Lane lane) {
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

  public List<LaneVariant> variants() {
    BitSet nullLimit = new BitSet();
    nullLimit.set(limit.number());
    return List.of(
        LaneVariant.plain(),
        LaneVariant.full(inputs),
        new LaneVariant(true, new BitSet(), new BitSet()),
        new LaneVariant(false, LaneVariant.full(inputs).validity(), nullLimit));
  }

  /** A device for tests that need only a kernel's text. */
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
    public DeviceMemory memory() {
      return HostMemory.INSTANCE;
    }

    @Override
    public Stream stream() {
      throw new UnsupportedOperationException("texts only");
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
