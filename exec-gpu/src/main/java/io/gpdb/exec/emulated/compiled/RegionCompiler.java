package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.GeneratedClass;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Generates the hidden class of a kernel: one static method for each part. */
final class RegionCompiler {
  /** HotSpot compiles no method with more bytes of code. */
  private static final int JIT_CODE_BYTES_MAX = 8000;

  private static final MethodTypeDesc PART =
      MethodTypeDesc.of(CD_void, ValueEmitter.FRAME, CD_int, CD_int);

  /** HotSpot inlines no method that is longer. */
  private static final int INLINED_BYTES_MAX = 325;

  private final KernelFacts facts;
  private final BitSet spilled;
  private final ClassDesc self;
  private final List<Consumer<CodeBuilder>> parts = new ArrayList<>();
  private final IdentityHashMap<PlanStep, Integer> scalarParts = new IdentityHashMap<>();
  private final IdentityHashMap<PlanStep, RegionParts> regions = new IdentityHashMap<>();
  private boolean jitCompilable = true;

  private record RegionParts(RegionShape shape, int general, int fast, int strided, int traps) {}

  RegionCompiler(KernelFacts facts, BitSet spilled) {
    this.facts = facts;
    this.spilled = spilled;
    this.self =
        ClassDesc.of(
            RegionCompiler.class.getPackageName(),
            "Kernel_" + facts.kernel.name().replace('.', '_'));
  }

  void addAll(List<PlanStep> plan) {
    for (PlanStep step : plan) {
      switch (step) {
        case PlanStep.Scalars scalars ->
            scalarParts.put(step, add(code -> new ScalarEmitter(code, facts).emit(scalars.ops())));
        case PlanStep.Region region -> regions.put(step, regionParts(region));
        case PlanStep.Branch branch -> {
          addAll(branch.then());
          addAll(branch.otherwise());
        }
        case PlanStep.Loop loop -> {
          addAll(loop.head());
          addAll(loop.body());
        }
        case PlanStep.Collective collective -> {}
        case PlanStep.Order order -> {}
      }
    }
  }

  private int add(Consumer<CodeBuilder> part) {
    parts.add(part);
    return parts.size() - 1;
  }

  /**
   * Adds a loop that is to be compiled by itself: beside others in one method the JIT compiler
   * makes vectors of it or not, as it happens.
   */
  private int addLoop(Consumer<CodeBuilder> loop) {
    return add(
        code -> {
          loop.accept(code);
          for (int i = 0; i < INLINED_BYTES_MAX; i++) {
            code.nop(); // never reached
          }
        });
  }

  private RegionParts regionParts(PlanStep.Region region) {
    RegionShape shape = new RegionShape(facts, region, spilled);
    int general = add(code -> new RegionEmitter(code, shape, false).emit());
    if (region.divergent()) {
      return new RegionParts(shape, general, -1, -1, -1);
    }
    if (!shape.effectless) {
      int fast = addLoop(code -> new RegionEmitter(code, shape, true).emit());
      int traps =
          shape.mayTrap
              ? addLoop(code -> new RegionEmitter(code, shape, true).looking().emit())
              : -1;
      return new RegionParts(shape, general, fast, -1, traps);
    }
    int strided = -1;
    if (!shape.leftOutOfWarps.isEmpty()) {
      strided = add(code -> new RegionEmitter(code, shape, false).strided().emit());
    }
    return new RegionParts(shape, general, -1, strided, -1);
  }

  int scalarsPart(PlanStep.Scalars step) {
    return Objects.requireNonNull(scalarParts.get(step));
  }

  RegionShape shape(PlanStep.Region region) {
    return Objects.requireNonNull(regions.get(region)).shape;
  }

  RegionStep step(CompiledCode code, PlanStep.Region region) {
    RegionParts found = Objects.requireNonNull(regions.get(region));
    return new RegionStep(code, found.shape, found.general, found.fast, found.strided, found.traps);
  }

  boolean isJitCompilable() {
    return jitCompilable;
  }

  int branchFreeRegions() {
    return (int) regions.values().stream().filter(r -> r.fast >= 0 && r.shape.branchFree).count();
  }

  CompiledCode define() {
    byte[] bytes = GeneratedClass.bytes(self, CompiledCode.class, 0, this::buildClass);
    for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
      method
          .code()
          .ifPresent(
              code -> jitCompilable &= ((CodeAttribute) code).codeLength() <= JIT_CODE_BYTES_MAX);
    }
    return (CompiledCode)
        GeneratedClass.make(GeneratedClass.define(MethodHandles.lookup(), bytes, 0));
  }

  private void buildClass(ClassBuilder builder) {
    builder.withMethodBody(
        "run",
        MethodTypeDesc.of(CD_void, CD_int, ValueEmitter.FRAME, CD_int, CD_int),
        ClassFile.ACC_PUBLIC,
        this::buildDispatch);
    for (int part = 0; part < parts.size(); part++) {
      builder.withMethodBody("part" + part, PART, ClassFile.ACC_STATIC, parts.get(part));
    }
  }

  private void buildDispatch(CodeBuilder code) {
    Label none = code.newLabel();
    List<SwitchCase> cases = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      cases.add(SwitchCase.of(part, code.newLabel()));
    }
    code.iload(1).tableswitch(none, cases);
    for (int part = 0; part < parts.size(); part++) {
      code.labelBinding(cases.get(part).target());
      code.aload(2).iload(3).iload(4).invokestatic(self, "part" + part, PART).return_();
    }
    code.labelBinding(none).return_();
  }
}
