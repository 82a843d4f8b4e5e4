package io.gpdb.exec.ir;

import io.gpdb.exec.ir.Op.AtomicOp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the text form of kernels; the grammar is in docs/internals/kernel-language.md. */
public final class KernelParser {
  private final KernelLexer lexer;
  private final List<Kernel.BufferParam> buffers = new ArrayList<>();
  private final List<Kernel.ScalarParam> scalars = new ArrayList<>();
  private final List<Kernel.SharedArray> shared = new ArrayList<>();
  private final Map<Integer, Type> registerTypes = new HashMap<>();

  private KernelParser(String text) {
    this.lexer = new KernelLexer(text);
  }

  /** The kernel of the text, verified. */
  public static Kernel parse(String text) {
    KernelParser parser = new KernelParser(text);
    Kernel kernel = parser.kernel();
    if (!parser.lexer.atEnd()) {
      throw parser.lexer.atNext("expected the end after the kernel");
    }
    KernelVerifier.verify(kernel);
    return kernel;
  }

  private Kernel kernel() {
    lexer.expect("kernel");
    String name = lexer.word();
    lexer.inKernel(name);
    lexer.expect("block");
    int blockSize = lexer.wholeNumber();
    lexer.expect("{");
    while (lexer.takeIf("buffer")) {
      buffers.add(bufferParam());
    }
    while (lexer.takeIf("scalar")) {
      String scalar = lexer.word();
      lexer.expect(":");
      scalars.add(new Kernel.ScalarParam(scalar, oneOf(Type.values())));
    }
    while (lexer.takeIf("shared")) {
      shared.add(sharedArray());
    }
    List<Op> body = restOfList(1);
    return new Kernel(name, blockSize, buffers, scalars, shared, body);
  }

  private Kernel.BufferParam bufferParam() {
    String name = lexer.word();
    lexer.expect(":");
    Kernel.Element element = oneOf(Kernel.Element.values());
    Kernel.Space space = oneOf(Kernel.Space.values());
    return switch (lexer.peek()) {
      case "read" -> {
        lexer.take();
        yield new Kernel.BufferParam(name, element, space, Kernel.Access.READ);
      }
      case "readwrite" -> {
        lexer.take();
        yield new Kernel.BufferParam(name, element, space, Kernel.Access.READ_WRITE);
      }
      default -> throw lexer.atNext("expected 'read' or 'readwrite'");
    };
  }

  private Kernel.SharedArray sharedArray() {
    String name = lexer.word();
    lexer.expect(":");
    Kernel.Element element = oneOf(Kernel.Element.values());
    lexer.expect("[");
    int size = lexer.wholeNumber();
    lexer.expect("]");
    return new Kernel.SharedArray(name, element, size);
  }

  /** The operations up to the closing brace, which is taken. */
  private List<Op> restOfList(int depth) {
    if (depth > KernelLimits.NESTING_MAX) {
      throw lexer.atNext("lists are nested deeper than " + KernelLimits.NESTING_MAX);
    }
    List<Op> ops = new ArrayList<>();
    while (!lexer.takeIf("}")) {
      ops.add(operation(depth));
    }
    return ops;
  }

  private Op operation(int depth) {
    if (lexer.peek().startsWith("%")) {
      return write();
    }
    String mnemonic = lexer.word();
    return switch (mnemonic) {
      case "if" -> {
        Reg p = read();
        lexer.expect("{");
        List<Op> then = restOfList(depth + 1);
        boolean otherwise = lexer.takeIf("else");
        if (otherwise) {
          lexer.expect("{");
        }
        yield new Op.If(p, then, otherwise ? restOfList(depth + 1) : List.of());
      }
      case "while" -> {
        lexer.expect("{");
        List<Op> head = restOfList(depth + 1);
        Reg p = read();
        lexer.expect("{");
        yield new Op.While(head, p, restOfList(depth + 1));
      }
      case "store" -> {
        int buffer = bufferNumber();
        Reg index = index();
        yield new Op.Store(buffer, index, nextRead());
      }
      case "storeshared" -> {
        int array = arrayNumber();
        Reg index = index();
        yield new Op.StoreShared(array, index, nextRead());
      }
      case "atomic" -> atomic(null);
      case "atomicshared" -> atomicShared(null);
      case "barrier" -> new Op.Barrier();
      case "fence" -> new Op.Fence(oneOf(Op.FenceScope.values()));
      case "persist" -> new Op.Persist(oneOf(Op.PersistScope.values()));
      case "logappend" -> logAppend();
      case "trap" -> {
        Reg p = read();
        lexer.expect(",");
        int code = lexer.wholeNumber();
        yield new Op.Trap(p, code, nextRead());
      }
      default -> throw lexer.atLast("unknown operation '" + mnemonic + "'");
    };
  }

  private Op logAppend() {
    int buffer = bufferNumber();
    Reg base = nextRead();
    Reg entry = nextRead();
    lexer.expect(",");
    lexer.expect("(");
    List<Reg> words = new ArrayList<>(List.of(read()));
    while (lexer.takeIf(",")) {
      words.add(read());
    }
    lexer.expect(")");
    return new Op.LogAppend(buffer, base, entry, words);
  }

  // Operations that write a register

  private Op write() {
    int id = lexer.register();
    lexer.expect(":");
    Type type = oneOf(Type.values());
    lexer.expect("=");
    Reg dst = new Reg(id, type);
    Op op = valueOf(dst, lexer.word());
    registerTypes.putIfAbsent(id, type);
    return op;
  }

  private Op valueOf(Reg dst, String mnemonic) {
    return switch (mnemonic) {
      case "const" -> new Op.Const(dst, constant(dst.type()));
      case "move" -> new Op.Move(dst, read());
      case "scalar" -> new Op.Scalar(dst, scalarNumber());
      case "special" -> new Op.Special(dst, oneOf(Op.SpecialKind.values()));
      case "overflow" -> {
        Op.OverflowOp op = oneOf(Op.OverflowOp.values());
        yield new Op.Overflow(dst, op, read(), nextRead());
      }
      case "select" -> new Op.Select(dst, read(), nextRead(), nextRead());
      case "convert" -> new Op.Convert(dst, read());
      case "load" -> new Op.Load(dst, bufferNumber(), index());
      case "loadshared" -> new Op.LoadShared(dst, arrayNumber(), index());
      case "atomic" -> atomic(dst);
      case "atomicshared" -> atomicShared(dst);
      case "ballot" -> new Op.Ballot(dst, read());
      case "shuffle" -> {
        Op.ShuffleKind kind = oneOf(Op.ShuffleKind.values());
        yield new Op.Shuffle(dst, kind, read(), nextRead());
      }
      case "warpreduce" -> new Op.WarpReduce(dst, oneOf(Op.ReduceOp.values()), read());
      case "warprank" -> new Op.WarpRank(dst, read());
      case "blockrank" -> new Op.BlockRank(dst, read());
      case "blockreduce" -> new Op.BlockReduce(dst, oneOf(Op.ReduceOp.values()), read());
      default -> arithmetic(dst, mnemonic);
    };
  }

  private Op arithmetic(Reg dst, String mnemonic) {
    Op.UnaryOp unary = named(Op.UnaryOp.values(), mnemonic);
    if (unary != null) {
      return new Op.Unary(dst, unary, read());
    }
    Op.BinaryOp binary = named(Op.BinaryOp.values(), mnemonic);
    if (binary != null) {
      return new Op.Binary(dst, binary, read(), nextRead());
    }
    Op.CompareOp compare = named(Op.CompareOp.values(), mnemonic);
    if (compare != null) {
      return new Op.Compare(dst, compare, read(), nextRead());
    }
    throw lexer.atLast("unknown operation '" + mnemonic + "'");
  }

  private Op atomic(@Nullable Reg dst) {
    AtomicOp op = oneOf(AtomicOp.values());
    int buffer = bufferNumber();
    Reg index = index();
    Reg compare = op == AtomicOp.CAS ? nextRead() : null;
    return new Op.Atomic(dst, op, buffer, index, nextRead(), compare);
  }

  private Op atomicShared(@Nullable Reg dst) {
    AtomicOp op = oneOf(AtomicOp.values());
    int array = arrayNumber();
    Reg index = index();
    Reg compare = op == AtomicOp.CAS ? nextRead() : null;
    return new Op.AtomicShared(dst, op, array, index, nextRead(), compare);
  }

  private long constant(Type type) {
    String text = lexer.take();
    try {
      return switch (type) {
        case I32 -> Integer.parseInt(text);
        case I64 -> Long.parseLong(text);
        case F32 ->
            text.startsWith("0x")
                ? Integer.parseUnsignedInt(text.substring(2), 16)
                : Float.floatToRawIntBits(Float.parseFloat(text));
        case F64 ->
            text.startsWith("0x")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Double.doubleToRawLongBits(Double.parseDouble(text));
        case PRED ->
            switch (text) {
              case "true" -> 1;
              case "false" -> 0;
              default -> throw new NumberFormatException(text);
            };
      };
    } catch (NumberFormatException outOfRange) {
      throw lexer.atLast("'" + text + "' is no constant of type " + type.text());
    }
  }

  // Operands

  private Reg read() {
    int id = lexer.register();
    Type type = registerTypes.get(id);
    if (type == null) {
      throw lexer.atLast("register %" + id + " is read before it is written");
    }
    return new Reg(id, type);
  }

  private Reg nextRead() {
    lexer.expect(",");
    return read();
  }

  private Reg index() {
    lexer.expect("[");
    Reg index = read();
    lexer.expect("]");
    return index;
  }

  private int bufferNumber() {
    return position("buffer", buffers.stream().map(Kernel.BufferParam::name).toList());
  }

  private int scalarNumber() {
    return position("scalar", scalars.stream().map(Kernel.ScalarParam::name).toList());
  }

  private int arrayNumber() {
    return position("shared array", shared.stream().map(Kernel.SharedArray::name).toList());
  }

  private int position(String what, List<String> names) {
    String name = lexer.word();
    int position = names.indexOf(name);
    if (position < 0) {
      throw lexer.atLast("no " + what + " is named '" + name + "'");
    }
    return position;
  }

  private <E extends Enum<E>> E oneOf(E[] values) {
    E value = named(values, lexer.word());
    if (value == null) {
      throw lexer.atLast("unknown word");
    }
    return value;
  }

  private static <E extends Enum<E>> @Nullable E named(E[] values, String word) {
    for (E value : values) {
      if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
        return value;
      }
    }
    return null;
  }
}
