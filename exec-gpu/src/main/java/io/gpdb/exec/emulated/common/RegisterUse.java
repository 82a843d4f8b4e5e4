package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a kernel's registers are written and read. */
public final class RegisterUse {
  private final int[] writes;
  private final @Nullable Op[] writer;
  private final Map<Integer, Place> written = new HashMap<>();
  private final BitSet escaping = new BitSet();
  private final Deque<Place> open = new ArrayDeque<>();
  private int lists;

  /** A position in one list of operations; a loop's body counts as the end of its head. */
  private record Place(int list, int position) {}

  private RegisterUse(Kernel kernel) {
    int registers = RegisterCount.of(kernel);
    writes = new int[registers];
    writer = new Op[registers];
  }

  public static RegisterUse of(Kernel kernel) {
    RegisterUse use = new RegisterUse(kernel);
    Ops.forEach(kernel.body(), use::countWrite);
    use.walk(kernel.body());
    return use;
  }

  private void countWrite(Op op) {
    Reg dst = Ops.write(op);
    if (dst != null) {
      writes[dst.id()]++;
      writer[dst.id()] = op;
    }
  }

  private void walk(List<Op> ops) {
    int list = lists++;
    for (int position = 0; position < ops.size(); position++) {
      Op op = ops.get(position);
      Place here = new Place(list, position);
      open.push(here);
      if (op instanceof Op.While loop) {
        walkLoop(loop);
      } else {
        Ops.reads(op).forEach(this::read);
        Ops.inner(op).forEach(this::walk);
      }
      open.pop();
      Reg dst = Ops.write(op);
      if (dst != null) {
        written.put(dst.id(), here);
      }
    }
  }

  private void walkLoop(Op.While loop) {
    int head = lists;
    walk(loop.head());
    open.push(new Place(head, Integer.MAX_VALUE));
    read(loop.p());
    walk(loop.body());
    open.pop();
  }

  private void read(Reg register) {
    Place write = written.get(register.id());
    boolean after = false;
    if (write != null) {
      for (Place place : open) {
        after |= place.list == write.list && place.position > write.position;
      }
    }
    if (!after) {
      escaping.set(register.id());
    }
  }

  public int registers() {
    return writes.length;
  }

  /** The only operation that writes the register, or null where there are several or none. */
  public @Nullable Op onlyWriter(int register) {
    return writes[register] == 1 ? writer[register] : null;
  }

  /**
   * Whether only lanes that were active at the register's one write read what it wrote, before it
   * is written again: then inactive lanes may receive any value.
   */
  public boolean mayOverwriteInactive(int register) {
    return writes[register] == 1 && !escaping.get(register);
  }
}
