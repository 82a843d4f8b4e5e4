package io.gpdb.exec;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The registers that a generated kernel may read at the current place. */
final class GeneratedScope {
  private final KernelBuilder b;
  private final Random random;
  private final Map<Type, List<Reg>> all = new EnumMap<>(Type.class);
  private final Map<Type, List<Reg>> uniform = new EnumMap<>(Type.class);

  GeneratedScope(KernelBuilder b, Random random) {
    this.b = b;
    this.random = random;
    for (Type type : Type.values()) {
      all.put(type, new ArrayList<>());
      uniform.put(type, new ArrayList<>());
    }
  }

  /** Takes over what the outer scope sees; what is added here is unknown there. */
  GeneratedScope(GeneratedScope outer) {
    this(outer.b, outer.random);
    outer.all.forEach((type, registers) -> all.get(type).addAll(registers));
    outer.uniform.forEach((type, registers) -> uniform.get(type).addAll(registers));
  }

  void add(Reg register) {
    all.get(register.type()).add(register);
  }

  void addUniform(Reg register) {
    add(register);
    uniform.get(register.type()).add(register);
  }

  List<Reg> all(Type type) {
    return all.get(type);
  }

  Type type() {
    return Type.values()[random.nextInt(Type.values().length)];
  }

  Type integerType() {
    return random.nextBoolean() ? Type.I32 : Type.I64;
  }

  Type floatType() {
    return random.nextBoolean() ? Type.F32 : Type.F64;
  }

  Type numberType() {
    return random.nextBoolean() ? integerType() : floatType();
  }

  /** A register of the type, rather a late one; sometimes a fresh constant. */
  Reg pick(Type type) {
    List<Reg> known = all.get(type);
    if (random.nextInt(8) == 0) {
      return b.constant(type, GeneratedValues.bits(random, type));
    }
    int from = random.nextBoolean() ? Math.max(0, known.size() - 6) : 0;
    return known.get(from + random.nextInt(known.size() - from));
  }

  Reg pickUniform(Type type) {
    List<Reg> known = uniform.get(type);
    return known.get(random.nextInt(known.size()));
  }
}
