package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Loads, stores, atomics and log appends; each checks its index and needs a lane alive. */
final class PtxMemory {
  private final Kernel kernel;
  private final PtxText out;
  private final PtxTraps traps;
  private final PtxArithmetic arithmetic;
  private final PtxShared shared;

  PtxMemory(
      Kernel kernel, PtxText out, PtxTraps traps, PtxArithmetic arithmetic, PtxShared shared) {
    this.kernel = kernel;
    this.out = out;
    this.traps = traps;
    this.arithmetic = arithmetic;
    this.shared = shared;
  }

  static String address(int buffer) {
    return "%buffer" + buffer;
  }

  static String length(int buffer) {
    return "%length" + buffer;
  }

  void load(Op.Load op) {
    Element element = kernel.buffers().get(op.buffer()).element();
    String address = global(op.buffer(), element, op.index());
    String t = PtxText.memory(element);
    out.emit("@# ld.global.# #, [#]", PtxText.ALIVE, t, op.dst(), address);
  }

  void store(Op.Store op) {
    Element element = kernel.buffers().get(op.buffer()).element();
    String address = global(op.buffer(), element, op.index());
    Object value =
        PtxText.isFloat(op.value().type()) ? arithmetic.canonical(op.value()) : op.value();
    out.emit("@# st.global.# [#], #", PtxText.ALIVE, stored(element), address, value);
  }

  void loadShared(Op.LoadShared op) {
    Element element = kernel.shared().get(op.array()).element();
    String address = inShared(op.array(), element, op.index());
    String t = PtxText.memory(element);
    out.emit("@# ld.shared.# #, [#]", PtxText.ALIVE, t, op.dst(), address);
  }

  void storeShared(Op.StoreShared op) {
    Element element = kernel.shared().get(op.array()).element();
    String address = inShared(op.array(), element, op.index());
    out.emit("@# st.shared.# [#], #", PtxText.ALIVE, stored(element), address, op.value());
  }

  private static String stored(Element element) {
    return switch (element) {
      case I8 -> "b8";
      case I16 -> "b16";
      case I32, I64, F32, F64 -> PtxText.memory(element);
    };
  }

  void atomic(Op.Atomic op) {
    Element element = kernel.buffers().get(op.buffer()).element();
    String address = global(op.buffer(), element, op.index());
    atomic("global", element, op.dst(), op.op(), address, op.value(), op.compare());
  }

  void atomicShared(Op.AtomicShared op) {
    Element element = kernel.shared().get(op.array()).element();
    String address = inShared(op.array(), element, op.index());
    atomic("shared", element, op.dst(), op.op(), address, op.value(), op.compare());
  }

  private void atomic(
      String space,
      Element element,
      @Nullable Reg dst,
      AtomicOp op,
      String address,
      Reg value,
      @Nullable Reg compare) {
    String width = element == Element.I32 ? "32" : "64";
    String word =
        switch (op) {
          case ADD -> "add.u";
          case MIN -> "min.s";
          case MAX -> "max.s";
          case AND -> "and.b";
          case OR -> "or.b";
          case EXCHANGE -> "exch.b";
          case CAS -> "cas.b";
        };
    Object old = dst == null ? out.temporary(element.register()) : dst;
    String operands = compare == null ? "" : out.name(compare) + ", ";
    out.emit(
        "@# atom.#.## #, [#], ##",
        PtxText.ALIVE,
        space,
        word,
        width,
        old,
        address,
        operands,
        value);
  }

  /** Checks the index; the byte address of the element. */
  private String global(int buffer, Element element, Reg index) {
    String wide = wide(index);
    traps.require("setp.lt.and.u64", wide, length(buffer), PtxTraps.Cause.OUT_OF_RANGE);
    String address = out.temporary(Type.I64);
    out.emit("mad.lo.s64 #, #, #, #", address, wide, element.bytes(), address(buffer));
    return address;
  }

  private String inShared(int array, Element element, Reg index) {
    String wide = wide(index);
    long size = kernel.shared().get(array).size();
    traps.require("setp.lt.and.u64", wide, size, PtxTraps.Cause.OUT_OF_RANGE);
    String narrow = out.temporary(Type.I32);
    String address = out.temporary(Type.I32);
    out.emit("cvt.u32.u64 #, #", narrow, wide);
    out.emit("mad.lo.s32 #, #, #, #", address, narrow, element.bytes(), PtxShared.BASE);
    return address + "+" + shared.offset(array);
  }

  private String wide(Reg index) {
    String wide = out.temporary(Type.I64);
    out.emit(index.type() == Type.I64 ? "mov.b64 #, #" : "cvt.s64.s32 #, #", wide, index);
    return wide;
  }

  /** The word stripes of docs/internals/kernel-language.md: all words fit, or none is written. */
  void logAppend(Op.LogAppend op) {
    List<Reg> words = op.words();
    int stripe = words.size() * Op.WARP_LANES;
    String entry = out.temporary(Type.I64);
    String fits = out.temporary(Type.PRED);
    String first = out.temporary(Type.I64);
    String rest = out.temporary(Type.I64);
    String last = out.temporary(Type.I64);
    out.emit("cvt.s64.s32 #, #", entry, op.entry());
    out.emit("setp.ge.s64 #, #, 0", fits, entry);
    out.emit("setp.le.and.u64 #, #, #, #", fits, op.base(), length(op.buffer()), fits);
    out.emit("shr.s64 #, #, 5", first, entry);
    out.emit("mad.lo.s64 #, #, #, #", first, first, stripe, op.base());
    out.emit("and.b64 #, #, 31", rest, entry);
    out.emit("add.s64 #, #, #", first, first, rest);
    out.emit("add.s64 #, #, #", last, first, stripe - Op.WARP_LANES);
    out.emit("setp.lt.and.u64 #, #, #, #", fits, last, length(op.buffer()), fits);
    String flag = out.temporary(Type.I32);
    out.emit("selp.b32 #, 1, 0, #", flag, fits);
    traps.require("setp.ne.and.s32", flag, 0, PtxTraps.Cause.OUT_OF_RANGE);
    String address = out.temporary(Type.I64);
    out.emit("mad.lo.s64 #, #, 4, #", address, first, address(op.buffer()));
    for (int w = 0; w < words.size(); w++) {
      int offset = w * Op.WARP_LANES * Integer.BYTES;
      out.emit("@# st.global.b32 [#+#], #", PtxText.ALIVE, address, offset, words.get(w));
    }
  }
}
