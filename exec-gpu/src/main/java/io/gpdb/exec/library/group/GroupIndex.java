package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel.Access;
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
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How an accumulating kernel finds a row's group; declares its parameters when made. */
sealed interface GroupIndex {
  /** Writes {@code body} where the row passes; the register is its group, i32. */
  void ifGrouped(LaneScan scan, Consumer<Reg> body);

  /** The place of the keys in a {@link GroupSpace}. */
  final class Direct implements GroupIndex {
    private final KernelBuilder b;
    private final @Nullable LaneProgram filter;
    private final List<LaneProgram> keys;
    private final List<Reg> least = new ArrayList<>();
    private final List<Reg> widths = new ArrayList<>();

    /** Declares the scalars of the space. */
    Direct(KernelBuilder b, @Nullable LaneProgram filter, List<LaneProgram> keys) {
      this.b = b;
      this.filter = filter;
      this.keys = keys;
      for (int k = 0; k < keys.size(); k++) {
        least.add(b.scalar(GroupSpace.leastScalar(k)));
        widths.add(b.scalar(GroupSpace.widthScalar(k)));
      }
    }

    @Override
    public void ifGrouped(LaneScan scan, Consumer<Reg> body) {
      Lane lane = scan.lane();
      scan.ifExists(
          () -> {
            if (filter == null) {
              body.accept(place(lane));
            } else {
              lane.stage(List.of(filter));
              b.ifThen(lane.isTrue(filter.emit(lane)), () -> body.accept(place(lane)));
            }
          });
    }

    private Reg place(Lane lane) {
      lane.stage(keys);
      Reg place = null;
      for (int k = 0; k < keys.size(); k++) {
        LaneValue key = keys.get(k).emit(lane);
        Reg width = widths.get(k);
        Reg present = key.present();
        Reg offset = b.sub(b.convert(key.value(), Type.I64), least.get(k));
        Reg digit = present == null ? offset : b.select(present, offset, width);
        Reg outside = b.compare(CompareOp.UGE, offset, width);
        b.trap(
            present == null ? outside : b.and(outside, present),
            KernelLibrary.TRAP_GROUP_CODE,
            lane.row());
        place = place == null ? digit : b.add(b.mul(place, b.add(width, 1)), digit);
      }
      return b.convert(Objects.requireNonNull(place), Type.I32);
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
