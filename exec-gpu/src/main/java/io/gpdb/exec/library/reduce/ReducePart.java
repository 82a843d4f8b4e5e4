package io.gpdb.exec.library.reduce;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Type;

/** One register that a {@link GridReduce} kernel reduces, and where the blocks' results go. */
record ReducePart(ReduceOp op, Type type, int buffer) {
  Element element() {
    return switch (type) {
      case I32 -> Element.I32;
      case I64 -> Element.I64;
      case F32 -> Element.F32;
      case F64 -> Element.F64;
      case PRED -> throw new IllegalArgumentException("no reduction of predicates");
    };
  }
}
