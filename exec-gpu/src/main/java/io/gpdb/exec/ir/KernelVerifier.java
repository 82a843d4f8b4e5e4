package io.gpdb.exec.ir;

import io.gpdb.exec.ir.InvalidKernel.Rule;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides whether a kernel is well-formed: names and limits, types (by {@link OperandTypes}), every
 * read after a write on all paths, block operations in uniform control flow only. What a verified
 * kernel does is defined for any arguments of the declared elements, except where lanes race.
 */
public final class KernelVerifier {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.$]*");

  private final Kernel kernel;
  private final Map<Integer, Type> registerTypes = new HashMap<>();
  private final OperandTypes types;
  private int operations;

  private KernelVerifier(Kernel kernel) {
    this.kernel = kernel;
    this.types = new OperandTypes(kernel);
  }

  /** Throws {@link InvalidKernel} for the first rule that the kernel breaks. */
  public static void verify(Kernel kernel) {
    KernelVerifier verifier = new KernelVerifier(kernel);
    verifier.checkHead();
    verifier.checkShape(kernel.body(), "body", 1);
    verifier.checkDefined(kernel.body(), "body", new BitSet());
    verifier.checkUniform(kernel.body(), "body", Uniformity.of(kernel), true);
  }

  private void checkHead() {
    checkName("kernel", kernel.name());
    int lanes = kernel.blockSize();
    if (lanes < Op.WARP_LANES
        || lanes > KernelLimits.BLOCK_LANES_MAX
        || lanes % Op.WARP_LANES != 0) {
      throw broken(Rule.BLOCK_SIZE, "head", "blockSize=" + lanes);
    }
    Set<String> names = new HashSet<>();
    for (Kernel.BufferParam buffer : kernel.buffers()) {
      checkParameterName(names, "buffer", buffer.name());
    }
    for (Kernel.ScalarParam scalar : kernel.scalars()) {
      checkParameterName(names, "scalar", scalar.name());
    }
    for (Kernel.SharedArray array : kernel.shared()) {
      checkParameterName(names, "shared", array.name());
    }
    long parameterBytes = kernel.parameterBytes();
    if (parameterBytes > KernelLimits.PARAMETER_BYTES_MAX) {
      throw broken(
          Rule.PARAMETER_LIMIT,
          "head",
          "bytes=" + parameterBytes + ", limit=" + KernelLimits.PARAMETER_BYTES_MAX);
    }
    checkShared();
  }

  private void checkShared() {
    long sharedBytes = 0;
    for (Kernel.SharedArray array : kernel.shared()) {
      if (array.size() < 1) {
        throw broken(Rule.SHARED_LIMIT, "shared " + array.name(), "size=" + array.size());
      }
      sharedBytes += ((long) array.size() * array.element().bytes() + 7) / 8 * 8;
    }
    if (sharedBytes > KernelLimits.SHARED_BYTES_MAX) {
      throw broken(
          Rule.SHARED_LIMIT,
          "head",
          "bytes=" + sharedBytes + ", limit=" + KernelLimits.SHARED_BYTES_MAX);
    }
  }

  private void checkParameterName(Set<String> names, String what, String name) {
    checkName(what, name);
    if (!names.add(name)) {
      throw broken(Rule.NAME, what + " " + name, "the name is used twice");
    }
  }

  private void checkName(String what, String name) {
    if (!NAME.matcher(name).matches() || name.length() > KernelLimits.NAME_CHARACTERS_MAX) {
      throw broken(Rule.NAME, what + " '" + name + "'", "not an identifier of at most 128 letters");
    }
  }

  // Each operation by itself

  private void checkShape(List<Op> ops, String place, int depth) {
    if (depth > KernelLimits.NESTING_MAX) {
      throw broken(
          Rule.NESTING_LIMIT, place, "depth=" + depth + ", limit=" + KernelLimits.NESTING_MAX);
    }
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      String here = place + "[" + i + "]";
      if (++operations > KernelLimits.OPERATIONS_MAX) {
        throw broken(Rule.OPERATION_LIMIT, here, "limit=" + KernelLimits.OPERATIONS_MAX);
      }
      Ops.reads(op).forEach(register -> checkRegister(register, here));
      Reg written = Ops.write(op);
      if (written != null) {
        checkRegister(written, here);
      }
      types.check(op, here);
      checkInner(op, here, depth);
    }
  }

  private void checkInner(Op op, String here, int depth) {
    switch (op) {
      case Op.If branch -> {
        checkShape(branch.then(), here + ".then", depth + 1);
        checkShape(branch.otherwise(), here + ".else", depth + 1);
      }
      case Op.While loop -> {
        checkShape(loop.head(), here + ".head", depth + 1);
        checkShape(loop.body(), here + ".body", depth + 1);
      }
      default -> {}
    }
  }

  private void checkRegister(Reg register, String place) {
    if (register.id() < 0 || register.id() >= KernelLimits.REGISTERS_MAX) {
      throw broken(
          Rule.REGISTER_LIMIT,
          place,
          "register=" + register.id() + ", limit=" + KernelLimits.REGISTERS_MAX);
    }
    Type known = registerTypes.putIfAbsent(register.id(), register.type());
    if (known != null && known != register.type()) {
      throw broken(
          Rule.REGISTER_TYPE,
          place,
          register.text() + " is " + register.type().text() + " and was " + known.text());
    }
  }

  // Definite assignment

  /** Adds to {@code defined} what is written on every way through the list. */
  private void checkDefined(List<Op> ops, String place, BitSet defined) {
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      String here = place + "[" + i + "]";
      switch (op) {
        case Op.While loop -> {
          checkDefined(loop.head(), here + ".head", defined);
          checkReads(op, here, defined);
          checkDefined(loop.body(), here + ".body", (BitSet) defined.clone());
        }
        case Op.If branch -> {
          checkReads(op, here, defined);
          BitSet otherwise = (BitSet) defined.clone();
          checkDefined(branch.then(), here + ".then", defined);
          checkDefined(branch.otherwise(), here + ".else", otherwise);
          defined.and(otherwise);
        }
        default -> {
          checkReads(op, here, defined);
          Reg written = Ops.write(op);
          if (written != null) {
            defined.set(written.id());
          }
        }
      }
    }
  }

  private void checkReads(Op op, String place, BitSet defined) {
    for (Reg register : Ops.reads(op)) {
      if (!defined.get(register.id())) {
        throw broken(
            Rule.UNDEFINED_REGISTER,
            place,
            register.text() + " is read where it may not have been written");
      }
    }
  }

  // Uniform control flow

  private void checkUniform(List<Op> ops, String place, Uniformity uniformity, boolean uniform) {
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      String here = place + "[" + i + "]";
      if (!uniform && Ops.isBlockOperation(op)) {
        throw broken(
            Rule.NOT_UNIFORM,
            here,
            op.getClass().getSimpleName() + " where lanes of the block may go different ways");
      }
      boolean inside = uniform && uniformity.choosesUniformly(op);
      for (List<Op> inner : Ops.inner(op)) {
        checkUniform(inner, here, uniformity, inside);
      }
    }
  }

  private InvalidKernel broken(Rule rule, String place, String message) {
    return new InvalidKernel(rule, kernel.name(), place, message);
  }
}
