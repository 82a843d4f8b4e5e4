package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the registers that must be kept in arrays over the lanes because several steps use them.
 */
final class SpilledRegisters {
  private final KernelFacts facts;
  private final Map<Integer, Integer> firstUser = new HashMap<>();
  private final BitSet spilled = new BitSet();
  private int step;

  private SpilledRegisters(KernelFacts facts) {
    this.facts = facts;
  }

  static BitSet of(KernelFacts facts, List<PlanStep> steps) {
    SpilledRegisters registers = new SpilledRegisters(facts);
    registers.visit(steps);
    return registers.spilled;
  }

  private void visit(List<PlanStep> steps) {
    for (PlanStep planStep : steps) {
      step++;
      switch (planStep) {
        case PlanStep.Scalars scalars -> {}
        case PlanStep.Order order -> {}
        case PlanStep.Region region -> Ops.forEach(region.ops(), this::useAll);
        case PlanStep.Collective collective -> {
          Ops.reads(collective.op()).forEach(register -> spilled.set(register.id()));
          Reg dst = Ops.write(collective.op());
          if (dst != null && !facts.isScalar(dst)) {
            spilled.set(dst.id());
          }
        }
        case PlanStep.Branch branch -> {
          condition(branch.op().p());
          visit(branch.then());
          visit(branch.otherwise());
        }
        case PlanStep.Loop loop -> {
          condition(loop.op().p());
          visit(loop.head());
          visit(loop.body());
        }
      }
    }
  }

  private void condition(Reg p) {
    if (!facts.isScalar(p) && !facts.isInline(p)) {
      spilled.set(p.id());
    }
  }

  private void useAll(Op op) {
    Ops.reads(op).forEach(this::use);
    Reg dst = Ops.write(op);
    if (dst != null) {
      use(dst);
      if (op instanceof Op.BlockReduce && !facts.isScalar(dst)) {
        spilled.set(dst.id());
      }
    }
  }

  private void use(Reg register) {
    if (facts.isInline(register) || facts.isScalar(register)) {
      return;
    }
    Integer first = firstUser.putIfAbsent(register.id(), step);
    if (first != null && first != step) {
      spilled.set(register.id());
    }
  }
}
