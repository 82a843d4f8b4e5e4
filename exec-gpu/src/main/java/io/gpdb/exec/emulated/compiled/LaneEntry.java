package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The registers whose value from before the region its code may read: spilled ones are loaded when
 * a lane begins, others (which no lane reads before it writes them) get 0 so that the code is
 * verifiable.
 */
record LaneEntry(List<Reg> reloaded, List<Reg> zeroed) {
  static LaneEntry of(LanePlaces places, boolean fast) {
    Walk walk = new Walk(places, fast);
    walk.list(places.shape.region.ops(), new BitSet(), false);
    List<Reg> reloaded = new ArrayList<>();
    List<Reg> zeroed = new ArrayList<>();
    for (Reg register : walk.exposed.values()) {
      (places.shape.isSpilled(register) ? reloaded : zeroed).add(register);
    }
    return new LaneEntry(reloaded, zeroed);
  }

  private static final class Walk {
    private final LanePlaces places;
    private final RegionShape shape;
    private final boolean fast;
    private final Map<Integer, Reg> exposed = new LinkedHashMap<>();

    Walk(LanePlaces places, boolean fast) {
      this.places = places;
      this.shape = places.shape;
      this.fast = fast;
    }

    void list(List<Op> ops, BitSet written, boolean underPath) {
      for (Op op : ops) {
        switch (op) {
          case Op.If branch -> branch(branch, written, underPath);
          case Op.While loop -> {
            list(loop.head(), written, underPath);
            read(loop.p(), written);
            list(loop.body(), (BitSet) written.clone(), underPath);
          }
          default -> {
            Ops.reads(op).forEach(register -> read(register, written));
            Reg dst = Ops.write(op);
            if (dst != null) {
              if (underPath && !places.facts.use.mayOverwriteInactive(dst.id())) {
                read(dst, written);
              }
              written.set(dst.id());
            }
          }
        }
      }
    }

    private void branch(Op.If branch, BitSet written, boolean underPath) {
      List<Op> taken = fast ? shape.taken(branch) : null;
      if (taken != null) {
        list(taken, written, underPath);
        return;
      }
      read(branch.p(), written);
      if (fast && shape.branchFree) {
        list(branch.then(), written, true);
        list(branch.otherwise(), written, true);
        return;
      }
      BitSet otherwise = (BitSet) written.clone();
      list(branch.then(), written, underPath);
      list(branch.otherwise(), otherwise, underPath);
      written.and(otherwise);
    }

    private void read(Reg register, BitSet written) {
      boolean folded = fast && register.type() == Type.PRED && shape.known(register) >= 0;
      if (places.isLaneRegister(register) && !written.get(register.id()) && !folded) {
        exposed.putIfAbsent(register.id(), register);
      }
    }
  }
}
