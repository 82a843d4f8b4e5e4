package io.gpdb.exec.ir;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints kernels in the text form that {@link KernelParser} reads back to an equal kernel. */
public final class KernelPrinter {
  private final Kernel kernel;
  private final StringBuilder out = new StringBuilder();

  private KernelPrinter(Kernel kernel) {
    this.kernel = kernel;
  }

  public static String print(Kernel kernel) {
    KernelPrinter printer = new KernelPrinter(kernel);
    printer.printKernel();
    return printer.out.toString();
  }

  private void printKernel() {
    out.append("kernel ").append(kernel.name()).append(" block ").append(kernel.blockSize());
    out.append(" {\n");
    for (Kernel.BufferParam b : kernel.buffers()) {
      String access = b.access() == Kernel.Access.READ ? "read" : "readwrite";
      line(
          1,
          "buffer " + b.name() + " : " + word(b.element()) + " " + word(b.space()) + " " + access);
    }
    for (Kernel.ScalarParam s : kernel.scalars()) {
      line(1, "scalar " + s.name() + " : " + s.type().text());
    }
    for (Kernel.SharedArray a : kernel.shared()) {
      line(1, "shared " + a.name() + " : " + word(a.element()) + "[" + a.size() + "]");
    }
    printList(kernel.body(), 1);
    out.append("}\n");
  }

  private void line(int depth, String text) {
    out.repeat("  ", depth).append(text).append('\n');
  }

  private void printList(List<Op> ops, int depth) {
    for (Op op : ops) {
      switch (op) {
        case Op.If branch -> {
          line(depth, "if " + branch.p().text() + " {");
          printList(branch.then(), depth + 1);
          if (!branch.otherwise().isEmpty()) {
            line(depth, "} else {");
            printList(branch.otherwise(), depth + 1);
          }
          line(depth, "}");
        }
        case Op.While loop -> {
          line(depth, "while {");
          printList(loop.head(), depth + 1);
          line(depth, "} " + loop.p().text() + " {");
          printList(loop.body(), depth + 1);
          line(depth, "}");
        }
        default -> {
          Reg written = Ops.write(op);
          String target =
              written == null ? "" : written.text() + ":" + written.type().text() + " = ";
          line(depth, target + text(op));
        }
      }
    }
  }

  /** The operation without its target; not for operations with lists. */
  private String text(Op op) {
    return switch (op) {
      case Op.Const o -> "const " + constant(o.dst().type(), o.bits());
      case Op.Move o -> "move " + o.a().text();
      case Op.Scalar o -> "scalar " + kernel.scalars().get(o.index()).name();
      case Op.Special o -> "special " + word(o.kind());
      case Op.Unary o -> word(o.op()) + " " + o.a().text();
      case Op.Binary o -> word(o.op()) + " " + regs(o.a(), o.b());
      case Op.Overflow o -> "overflow " + word(o.op()) + " " + regs(o.a(), o.b());
      case Op.Compare o -> word(o.op()) + " " + regs(o.a(), o.b());
      case Op.Select o -> "select " + regs(o.p(), o.a(), o.b());
      case Op.Convert o -> "convert " + o.a().text();
      case Op.Load o -> "load " + buffer(o.buffer(), o.index());
      case Op.Store o -> "store " + buffer(o.buffer(), o.index()) + ", " + o.value().text();
      case Op.LoadShared o -> "loadshared " + array(o.array(), o.index());
      case Op.StoreShared o ->
          "storeshared " + array(o.array(), o.index()) + ", " + o.value().text();
      case Op.Atomic o ->
          "atomic "
              + word(o.op())
              + " "
              + buffer(o.buffer(), o.index())
              + operands(o.compare(), o.value());
      case Op.AtomicShared o ->
          "atomicshared "
              + word(o.op())
              + " "
              + array(o.array(), o.index())
              + operands(o.compare(), o.value());
      case Op.Ballot o -> "ballot " + o.p().text();
      case Op.Shuffle o -> "shuffle " + word(o.kind()) + " " + regs(o.a(), o.lane());
      case Op.WarpReduce o -> "warpreduce " + word(o.op()) + " " + o.a().text();
      case Op.WarpRank o -> "warprank " + o.p().text();
      case Op.BlockRank o -> "blockrank " + o.p().text();
      case Op.BlockReduce o -> "blockreduce " + word(o.op()) + " " + o.a().text();
      case Op.Barrier o -> "barrier";
      case Op.Fence o -> "fence " + word(o.scope());
      case Op.Persist o -> "persist " + word(o.scope());
      case Op.LogAppend o ->
          "logappend "
              + bufferName(o.buffer())
              + ", "
              + regs(o.base(), o.entry())
              + ", ("
              + o.words().stream().map(Reg::text).collect(Collectors.joining(", "))
              + ")";
      case Op.Trap o -> "trap " + o.p().text() + ", " + o.code() + ", " + o.detail().text();
      case Op.If o -> throw new IllegalArgumentException("if has lists");
      case Op.While o -> throw new IllegalArgumentException("while has lists");
    };
  }

  private static String operands(@Nullable Reg compare, Reg value) {
    return (compare == null ? "" : ", " + compare.text()) + ", " + value.text();
  }

  private static String regs(Reg... registers) {
    StringBuilder text = new StringBuilder();
    for (Reg register : registers) {
      text.append(text.isEmpty() ? "" : ", ").append(register.text());
    }
    return text.toString();
  }

  private String bufferName(int buffer) {
    return kernel.buffers().get(buffer).name();
  }

  private String buffer(int buffer, Reg index) {
    return bufferName(buffer) + "[" + index.text() + "]";
  }

  private String array(int array, Reg index) {
    return kernel.shared().get(array).name() + "[" + index.text() + "]";
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Finite floats in decimal, the others as raw bits, so that reading yields the same bits. */
  static String constant(Type type, long bits) {
    return switch (type) {
      case I32, I64 -> Long.toString(bits);
      case PRED -> bits != 0 ? "true" : "false";
      case F32 -> {
        float value = Float.intBitsToFloat((int) bits);
        yield Float.isFinite(value) ? Float.toString(value) : hex(bits & 0xffff_ffffL);
      }
      case F64 -> {
        double value = Double.longBitsToDouble(bits);
        yield Double.isFinite(value) ? Double.toString(value) : hex(bits);
      }
    };
  }

  private static String hex(long bits) {
    return "0x" + Long.toHexString(bits);
  }
}
