package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_long;

import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.util.IdentityHashMap;
import java.util.Objects;

/**
 * The reductions and ranks of a region: running values in locals, which the frame keeps between
 * calls.
 */
final class RunningTotals {
  private final CodeBuilder code;
  private final ValueEmitter values;
  private final PlanStep.Region region;
  private final IdentityHashMap<Op, Integer> locals = new IdentityHashMap<>();

  RunningTotals(ValueEmitter values, PlanStep.Region region) {
    this.code = values.code;
    this.values = values;
    this.region = region;
  }

  static boolean isTotal(Op op) {
    return op instanceof Op.BlockReduce || op instanceof Op.BlockRank || op instanceof Op.WarpRank;
  }

  private static Type type(Op op) {
    return op instanceof Op.BlockReduce reduce ? reduce.dst().type() : Type.I32;
  }

  /** The local that holds the running value. */
  int local(Op op) {
    return Objects.requireNonNull(locals.get(op));
  }

  /** Reads all of them from the frame, before the loop. */
  void hoist() {
    for (Op op : region.ops()) {
      if (isTotal(op)) {
        pushPlace(locals.size());
        code.laload();
        values.fromBits(type(op));
        int local = code.allocateLocal(OperationCode.kind(type(op)));
        code.storeLocal(OperationCode.kind(type(op)), local);
        locals.put(op, local);
      }
    }
  }

  /** Writes all of them to the frame, after the loop. */
  void store() {
    int number = 0;
    for (Op op : region.ops()) {
      if (isTotal(op)) {
        pushPlace(number++);
        code.loadLocal(OperationCode.kind(type(op)), local(op));
        values.toBits(type(op));
        code.lastore();
      }
    }
  }

  private void pushPlace(int number) {
    code.aload(LanePlaces.FRAME_LOCAL).getfield(ValueEmitter.FRAME, "totals", CD_long.arrayType());
    code.loadConstant(number);
  }
}
