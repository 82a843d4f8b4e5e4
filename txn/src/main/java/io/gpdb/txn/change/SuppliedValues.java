package io.gpdb.txn.change;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Kernels of updates that compute nothing: the caller supplies the new values. Thread-safe. */
public final class SuppliedValues {
  /** More columns do not fit the parameters of a kernel. */
  public static final int COLUMNS_MAX = 32;

  private final Device device;
  private final ConcurrentHashMap<List<Element>, Store> kernels = new ConcurrentHashMap<>();

  /** Made when the first change needs them, not when a database is opened. */
  private static final class Positions {
    static final MemorySegment IN_ORDER = positions();
  }

  private record Store(GridApplyBatch kernel, LaneInputs inputs) {}

  SuppliedValues(Device device) {
    this.device = device;
  }

  private static MemorySegment positions() {
    MemorySegment numbers = Arena.global().allocate(4L * Tablet.ROWS, 64);
    for (int i = 0; i < Tablet.ROWS; i++) {
      numbers.setAtIndex(JAVA_INT, i, i);
    }
    return numbers.asReadOnly();
  }

  /** The positions of the values of a single tablet's rows: 0, 1, ... */
  static HostBuffer positionsInOrder(DeviceMemory memory) {
    return memory.map(Positions.IN_ORDER);
  }

  /**
   * What stores the values.
   *
   * @param values by column, in the order of a part's rows; at most {@link #COLUMNS_MAX} columns
   */
  UpdateChange.Launch launch(ColumnView[] values) {
    List<Element> elements =
        Arrays.stream(values).map(data -> LaneInputs.element(data.type())).toList();
    Store store = kernels.computeIfAbsent(elements, this::store);
    LaneBindings bindings = new LaneBindings(store.inputs);
    for (int c = 0; c < values.length; c++) {
      bindings.column(store.inputs.column(c), values[c].values(), values[c].validity());
    }
    return new UpdateChange.Launch(store.kernel, bindings);
  }

  private Store store(List<Element> elements) {
    LaneInputs inputs = new LaneInputs();
    List<GridApplyBatch.Target> targets = new ArrayList<>();
    for (int c = 0; c < elements.size(); c++) {
      LaneInputs.Column value = inputs.column("value", elements.get(c));
      targets.add(new GridApplyBatch.Target(c, elements.get(c), lane -> lane.column(value)));
    }
    return new Store(
        new GridApplyBatch(device, "apply_supplied", inputs, List.of(), targets), inputs);
  }
}
