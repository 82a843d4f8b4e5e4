package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.change.BatchShape.Logged;
import io.gpdb.exec.library.change.BatchShape.Result;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes several columns of many tablets at the rows of a batch, by one launch: captures old
 * values, computes new ones from the row and the batch's parameters, logs, stores. Called by
 * transactions, which hold the tablets' latches exclusively. One group per tablet, one lane per
 * row; lane i takes row i of the group's list and entry i of its logs. A lane captures before it
 * computes, and computes all before it stores: where one traps, the captured values undo what the
 * others did. Results are valid when the launch returns, or has trapped. Thread-safe.
 *
 * <p>The protocols of a commit are made of its launches as those of {@link GridApplyUpdate}.
 */
public final class GridApplyBatch {
  private final Device device;
  private final String name;
  private final LaneInputs inputs;
  private final List<LaneInputs.Stored> reads;
  private final List<Target> targets;
  private final int[] columns;
  private final ConcurrentHashMap<BatchShape, Ready> kernels = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<LaneVariant, BitSet> nullable = new ConcurrentHashMap<>();

  /**
   * A set column of the tablets, and the program that computes its new value.
   *
   * @param given the column of the batch that has the new values; null where they are computed
   * @param sum how they are computed, where they are such a sum
   */
  public record Target(
      int column,
      Element element,
      LaneProgram program,
      LaneInputs.@Nullable Column given,
      @Nullable Sum sum) {
    public Target(int column, Element element, LaneProgram program) {
      this(column, element, program, null, null);
    }

    /** One whose new values are a column of the batch. */
    public static Target given(int column, Element element, LaneInputs.Column given) {
      return new Target(column, element, lane -> lane.column(given), given, null);
    }
  }

  /**
   * The column's own old value plus or minus a column of the batch, or a number, of the same type:
   * a whole number of 32 or 64 bits. The program of the target says the same, and traps beyond it.
   *
   * @param operand null for the number
   */
  public record Sum(boolean minus, LaneInputs.@Nullable Column operand, long number) {}

  /** A kernel to be launched. */
  private record Ready(LoadedKernel kernel, BatchText.Places places) {}

  /**
   * @param reads the inputs that are columns of the tablets; all others are columns of the batch,
   *     one value for each of its rows
   */
  public GridApplyBatch(
      Device device,
      String name,
      LaneInputs inputs,
      List<LaneInputs.Stored> reads,
      List<Target> targets) {
    this.device = device;
    this.name = KernelLibrary.identifier(name);
    this.inputs = inputs;
    this.reads = List.copyOf(reads);
    this.targets = List.copyOf(targets);
    columns = this.targets.stream().mapToInt(Target::column).toArray();
  }

  public List<LaneInputs.Stored> reads() {
    return reads;
  }

  public List<Target> targets() {
    return targets;
  }

  /** The columns of the tablets that are set, in the order of the targets. */
  public int[] columns() {
    return columns.clone();
  }

  LaneInputs inputs() {
    return inputs;
  }

  public String name() {
    return name;
  }

  /** Whether {@code column} of the tablets is set, and as which of the targets; -1 if it is not. */
  int targetOf(int column) {
    for (int i = 0; i < targets.size(); i++) {
      if (targets.get(i).column() == column) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The targets that may become NULL: their columns need validity bitmaps.
   *
   * @param bindings with the batch's inputs bound
   * @param readsWithNulls of the inputs in the tablets, by number of {@link #reads}, those that
   *     have a validity bitmap in some tablet
   */
  public BitSet targetsWithNulls(LaneBindings bindings, BitSet readsWithNulls) {
    return nullable.computeIfAbsent(variant(bindings, readsWithNulls), this::targetsWithNulls);
  }

  private BitSet targetsWithNulls(LaneVariant variant) {
    List<LaneValue> values =
        Lane.trialValues(inputs, variant, targets.stream().map(Target::program).toList());
    BitSet result = new BitSet();
    for (int i = 0; i < values.size(); i++) {
      result.set(i, values.get(i).isNullable());
    }
    return result;
  }

  private LaneVariant variant(LaneBindings bindings, BitSet readsWithNulls) {
    LaneVariant variant = LaneVariant.of(bindings, false);
    for (int i = 0; i < reads.size(); i++) {
      variant.validity().set(reads.get(i).input().number(), readsWithNulls.get(i));
    }
    return variant;
  }

  /**
   * Captures the old values, logs the new ones where there are logs, and stores them; all volatile.
   */
  public void redo(LaneBindings bindings, List<BatchRows> groups) {
    if (device.memory().isHosts() && HostBatch.redo(targets, bindings, groups)) {
      return;
    }
    boolean logged = !groups.isEmpty() && groups.getFirst().logs[0] != null;
    run(bindings, groups, true, logged ? Logged.NEW_VALUE : Logged.NOTHING, Result.STORED, false);
  }

  /** Captures and logs the old values; the logs are durable on return. */
  public void undoLog(LaneBindings bindings, List<BatchRows> groups) {
    run(bindings, groups, true, Logged.OLD_VALUE, Result.NONE, true);
  }

  /** Computes and stores in place; durable on return. */
  public void undoStore(LaneBindings bindings, List<BatchRows> groups) {
    run(bindings, groups, false, Logged.NOTHING, Result.STORED, true);
  }

  /** Computes the new values and leaves them aside; the columns stay as they are. */
  public void compute(LaneBindings bindings, List<BatchRows> groups) {
    run(bindings, groups, false, Logged.NOTHING, Result.ASIDE, false);
  }

  /** The text for a volatile, logged batch without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return kernel(
        new BatchShape(
            LaneVariant.plain(),
            new BitSet(),
            true,
            Logged.NEW_VALUE,
            false,
            Result.STORED,
            false));
  }

  Kernel kernel(BatchShape shape) {
    return new BatchText(this, shape).kernel();
  }

  private void run(
      LaneBindings bindings,
      List<BatchRows> groups,
      boolean capture,
      Logged logged,
      Result result,
      boolean persist) {
    if (groups.isEmpty()) {
      return;
    }
    BatchRows first = groups.getFirst();
    Ready ready =
        ready(
            new BatchShape(
                variant(bindings, present(first.readValidity)),
                result == Result.ASIDE ? new BitSet() : present(first.columnValidity),
                capture,
                logged,
                logged != Logged.NOTHING && first.logs[0] instanceof ConventionalLog,
                result,
                persist));
    List<LaunchGroup> launch = new ArrayList<>(groups.size());
    for (BatchRows group : groups) {
      Arguments arguments = new Arguments(ready.kernel().kernel());
      ready.places().bind(arguments, bindings, group);
      int blocks = LaneKernels.blocks(group.n, ready.kernel().kernel().blockSize());
      launch.add(new LaunchGroup(blocks, arguments));
    }
    KernelLibrary.launch(ready.kernel(), launch);
  }

  private static BitSet present(@Nullable DeviceBuffer[] segments) {
    BitSet present = new BitSet();
    for (int i = 0; i < segments.length; i++) {
      present.set(i, segments[i] != null);
    }
    return present;
  }

  private Ready ready(BatchShape shape) {
    Ready known = kernels.get(shape);
    return known != null ? known : kernels.computeIfAbsent(shape, this::load);
  }

  private Ready load(BatchShape shape) {
    BatchText text = new BatchText(this, shape);
    return new Ready(device.load(text.kernel()), text.places());
  }
}
