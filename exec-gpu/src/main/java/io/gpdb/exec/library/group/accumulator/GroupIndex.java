package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.key.GroupTable;
import io.gpdb.exec.library.key.GroupTableKernels;
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
public sealed interface GroupIndex {
  /** Writes {@code body} where the row passes; the register is its group, i64. */
  void ifGrouped(LaneScan scan, Consumer<Reg> body);

  /** The place of the keys in a {@link GroupSpace}. */
  final class Direct implements GroupIndex {
    private final KernelBuilder b;
    private final @Nullable LaneProgram filter;
    private final List<LaneProgram> keys;
    private final @Nullable Reg outsidePlace;
    private final List<Reg> least = new ArrayList<>();
    private final List<Reg> widths = new ArrayList<>();

    /**
     * Declares the scalars of the space.
     *
     * @param outsidePlace i64, the place of keys that are outside of the space; null where they
     *     trap
     */
    public Direct(
        KernelBuilder b,
        @Nullable LaneProgram filter,
        List<LaneProgram> keys,
        @Nullable Reg outsidePlace) {
      this.b = b;
      this.filter = filter;
      this.keys = keys;
      this.outsidePlace = outsidePlace;
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
      Reg anyOutside = null;
      for (int k = 0; k < keys.size(); k++) {
        LaneValue key = keys.get(k).emit(lane);
        Reg width = widths.get(k);
        Reg present = key.present();
        Reg offset = b.sub(b.convert(key.value(), Type.I64), least.get(k));
        Reg digit = present == null ? offset : b.select(present, offset, width);
        Reg beyond = b.compare(CompareOp.UGE, offset, width);
        Reg outside = present == null ? beyond : b.and(beyond, present);
        anyOutside = anyOutside == null ? outside : b.or(anyOutside, outside);
        place = place == null ? digit : b.add(b.mul(place, b.add(width, 1)), digit);
      }
      Reg outside = Objects.requireNonNull(anyOutside);
      Reg found = Objects.requireNonNull(place);
      if (outsidePlace != null) {
        return b.select(outside, outsidePlace, found);
      }
      b.trap(outside, KernelLibrary.TRAP_GROUP_CODE, lane.row());
      return found;
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
                () -> body.accept(b.and(b.load(slots, slot), GroupTableKernels.NUMBER_MASK)));
          });
    }
  }
}
