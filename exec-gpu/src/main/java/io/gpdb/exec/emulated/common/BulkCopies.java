package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import java.util.BitSet;

/**
 * Recognises kernels that mostly copy: at least two stores of three store at GLOBAL what was loaded
 * at GLOBAL. The interpreted executor does these as bulk copies, which no compiled loop beats.
 */
public final class BulkCopies {
  private final BitSet globals = new BitSet();
  private final BitSet loaded = new BitSet();
  private int stores;
  private int copies;

  private BulkCopies() {}

  public static boolean prevailIn(Kernel kernel) {
    BulkCopies counts = new BulkCopies();
    Ops.forEach(kernel.body(), counts::count);
    return counts.stores > 0 && 3 * counts.copies >= 2 * counts.stores;
  }

  private void count(Op op) {
    switch (op) {
      case Op.Special special -> {
        if (special.kind() == Op.SpecialKind.GLOBAL) {
          globals.set(special.dst().id());
        }
      }
      case Op.Load load -> {
        if (globals.get(load.index().id())) {
          loaded.set(load.dst().id());
        }
      }
      case Op.Store store -> {
        stores++;
        if (globals.get(store.index().id()) && loaded.get(store.value().id())) {
          copies++;
        }
      }
      case Op.LogAppend _, Op.Atomic _ -> stores++;
      default -> {}
    }
  }
}
