package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How an accumulating kernel finds a row's group; declares its parameters when made. */
sealed interface GroupIndex {
  /** Writes {@code body} where the row passes; the register is its group, i32. */
  void ifGrouped(LaneScan scan, Consumer<Reg> body);

  /** The number of groups from the keys themselves: mixed radix of codes, NULL being the limit. */
  final class Dense implements GroupIndex {
    private final KernelBuilder b;
    private final @Nullable LaneProgram filter;
    private final List<LaneProgram> keys;
    private final List<Reg> limits = new ArrayList<>();

    /** Declares one scalar per key: its limit. */
    Dense(KernelBuilder b, @Nullable LaneProgram filter, List<LaneProgram> keys) {
      this.b = b;
      this.filter = filter;
      this.keys = keys;
      for (int k = 0; k < keys.size(); k++) {
        limits.add(b.scalar(limit(k)));
      }
    }

    /** The limit of key k. */
    static ScalarParam limit(int k) {
      return new ScalarParam("limit" + k, Type.I32);
    }

    @Override
    public void ifGrouped(LaneScan scan, Consumer<Reg> body) {
      Lane lane = scan.lane();
      scan.ifExists(
          () -> {
            if (filter == null) {
              body.accept(index(lane));
            } else {
              lane.stage(List.of(filter));
              b.ifThen(lane.isTrue(filter.emit(lane)), () -> body.accept(index(lane)));
            }
          });
    }

    private Reg index(Lane lane) {
      lane.stage(keys);
      Reg index = b.i32(0);
      for (int k = 0; k < keys.size(); k++) {
        LaneValue key = keys.get(k).emit(lane);
        Reg code = b.convert(key.value(), Type.I32);
        Reg present = key.present();
        Reg bad = b.compare(CompareOp.UGE, code, limits.get(k));
        b.trap(
            present == null ? bad : b.and(bad, present), KernelLibrary.TRAP_GROUP_CODE, lane.row());
        Reg digit = present == null ? code : b.select(present, code, limits.get(k));
        index = b.add(b.mul(index, b.add(limits.get(k), 1)), digit);
      }
      return index;
    }
  }

  /** The group that a {@link GroupTable} found for the row; rows that do not pass have no slot. */
  final class Hashed implements GroupIndex {
    private final KernelBuilder b;
    private final int slotOf;
    private final int slots;

    /** Declares two buffers. */
    Hashed(KernelBuilder b) {
      this.b = b;
      slotOf = b.buffer(GroupTableKernels.SLOT_OF);
      slots = b.buffer(GroupTableKernels.SLOTS.with(Access.READ));
    }

    @Override
    public void ifGrouped(LaneScan scan, Consumer<Reg> body) {
      Reg row = scan.lane().row();
      b.ifThen(
          b.lt(row, scan.rows()),
          () -> {
            Reg slot = b.load(slotOf, row);
            b.ifThen(
                b.ge(slot, b.i32(0)),
                () -> body.accept(GroupTableKernels.group(b, b.load(slots, slot))));
          });
    }
  }
}
