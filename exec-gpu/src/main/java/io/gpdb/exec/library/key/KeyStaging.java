package io.gpdb.exec.library.key;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first launch of a {@link GroupTable} batch: filters rows and writes the key words of those
 * that pass. One lane per row. Thread-safe.
 */
public final class KeyStaging {
  private static final int BLOCK_LANES = 1024;

  private final String name;
  private final LaneInputs inputs;
  private final @Nullable LaneProgram filter;
  private final KeyWords keys;
  private final boolean nulls;
  private final LaneKernels<ByName> kernels;

  /**
   * @param nulls whether rows with a NULL key take part
   */
  public KeyStaging(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      KeyWords keys,
      boolean nulls) {
    this.name = name;
    this.inputs = inputs;
    this.filter = filter;
    this.keys = keys;
    this.nulls = nulls;
    kernels = new LaneKernels<>(device, this::write);
  }

  /**
   * Stages a batch.
   *
   * @param staged receives the key words of row r at r*words and on
   * @param slotOf i32 per row; receives STAGED or NO_SLOT
   */
  public void run(
      LaneBindings bindings,
      int rows,
      @Nullable DeviceBuffer live,
      DeviceBuffer staged,
      DeviceBuffer slotOf) {
    Ready<ByName> ready = kernels.get(LaneVariant.of(bindings, live != null));
    Arguments arguments = LaneScan.bind(ready, bindings, rows, live);
    arguments.buffer(GroupTableKernels.SLOT_OF, slotOf).buffer(GroupTableKernels.STAGED, staged);
    KernelLibrary.launch(ready.kernel(), LaneKernels.blocks(rows, BLOCK_LANES), arguments);
  }

  /**
   * Stages tablets by one launch for each variant of the kernel.
   *
   * @param staged receives the key words, one tablet after the other
   * @param slotOf as {@code staged}; receives STAGED or NO_SLOT
   */
  public void run(WindowRows tablets, DeviceBuffer staged, DeviceBuffer slotOf) {
    Map<LaneVariant, List<LaunchGroup>> groups = new LinkedHashMap<>();
    long first = 0;
    for (int i = 0; i < tablets.count(); i++) {
      BoundRows tablet = tablets.rows(i);
      int rows = tablet.rows();
      if (rows > 0) {
        LaneVariant variant = LaneVariant.of(tablet.bindings(), tablet.live() != null);
        long words = keys.count();
        Arguments arguments =
            LaneScan.bind(kernels.get(variant), tablet.bindings(), rows, tablet.live())
                .buffer(
                    GroupTableKernels.SLOT_OF,
                    slotOf.slice(first * Integer.BYTES, (long) rows * Integer.BYTES))
                .buffer(
                    GroupTableKernels.STAGED,
                    staged.slice(first * words * Long.BYTES, rows * words * Long.BYTES));
        groups
            .computeIfAbsent(variant, _ -> new ArrayList<>())
            .add(new LaunchGroup(LaneKernels.blocks(rows, BLOCK_LANES), arguments));
      }
      first += rows;
    }
    groups.forEach((variant, parts) -> KernelLibrary.launch(kernels.get(variant).kernel(), parts));
  }

  public Kernel kernel(LaneVariant variant) {
    return kernels.text(variant);
  }

  private Written<ByName> write(LaneVariant variant) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    LaneScan scan = new LaneScan(b, inputs, variant);
    int slotOf = b.buffer(GroupTableKernels.SLOT_OF.with(Access.READ_WRITE));
    int staged = b.buffer(GroupTableKernels.STAGED.with(Access.READ_WRITE));
    Lane lane = scan.lane();
    Reg row = lane.row();
    Reg passes = b.variable(b.pred(false));
    Reg state = b.variable(b.i32(GroupTable.NO_SLOT));
    scan.filter(filter, passes);
    b.ifThen(
        passes,
        () -> {
          lane.stage(keys.programs());
          KeyWords.Row words = keys.emit(lane);
          Reg allPresent = words.allPresent();
          b.set(
              state,
              nulls || allPresent == null
                  ? b.i32(GroupTable.STAGED)
                  : b.select(allPresent, b.i32(GroupTable.STAGED), b.i32(GroupTable.NO_SLOT)));
          Reg first = b.mul(b.convert(row, Type.I64), keys.count());
          for (int w = 0; w < keys.count(); w++) {
            b.store(staged, w == 0 ? first : b.add(first, w), words.words().get(w));
          }
        });
    b.ifThen(b.lt(row, scan.rows()), () -> b.store(slotOf, row, state));
    return new Written<>(b.build(), lane.layout(), ByName.ALL);
  }
}
