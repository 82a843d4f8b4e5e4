package io.gpdb.bench.mutants;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;

/** A way to change one instruction; each leaves a class that verifies. */
enum MutationKind {
  /** The condition of a branch is not looked at: it goes on straight. */
  NEVER_JUMPS {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      Branches.popOperands(code, instruction.opcode());
    }
  },

  /** The condition of a branch is not looked at: it jumps. */
  ALWAYS_JUMPS {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      Branches.popOperands(code, instruction.opcode());
      code.goto_(((BranchInstruction) instruction).target());
    }
  },

  /** {@code <} becomes {@code <=}, and so on. */
  BOUNDARY {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      Opcode moved = Branches.boundary(instruction.opcode());
      code.branch(moved, ((BranchInstruction) instruction).target());
    }
  },

  /** A loop ends after its first turn. */
  LOOP_ONCE {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      code.nop(); // for the jump back: what follows is where the loop's end jumps to
    }
  },

  /**
   * Of two numbers compared, the second one counts a page of 4 KiB more: a place is mistaken. Not
   * where it is 0.
   */
  PAGE_MORE {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      code.loadConstant(PAGE_BYTES).ladd().lcmp();
    }
  },

  /** As {@link #PAGE_MORE}, less. */
  PAGE_LESS {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      code.loadConstant(PAGE_BYTES).lsub().lcmp();
    }
  },

  /** A method that returns nothing is not called. */
  CALL_REMOVED {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      InvokeInstruction call = (InvokeInstruction) instruction;
      List<ClassDesc> parameters = call.typeSymbol().parameterList();
      parameters.reversed().forEach(type -> pop(code, TypeKind.from(type)));
      if (call.opcode() != Opcode.INVOKESTATIC) {
        code.pop();
      }
    }
  },

  /** A field keeps its value. */
  STORE_REMOVED {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      FieldInstruction store = (FieldInstruction) instruction;
      pop(code, TypeKind.from(store.typeSymbol()));
      if (store.opcode() == Opcode.PUTFIELD) {
        code.pop();
      }
    }
  },

  /** {@code +} becomes {@code -}, {@code a & b} becomes {@code a}, and so on. */
  MATH {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      Arithmetic.other(code, ((OperatorInstruction) instruction).opcode());
    }
  },

  /** A local variable is counted the other way. */
  INCREMENT {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      IncrementInstruction step = (IncrementInstruction) instruction;
      code.iinc(step.slot(), -step.constant());
    }
  },

  /** 0 becomes 1, 1 becomes 0, every other constant one more. */
  CONSTANT {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      switch (((ConstantInstruction) instruction).constantValue()) {
        case Integer i -> code.loadConstant(i == 1 ? 0 : i + 1);
        case Long l -> code.loadConstant(l == 1 ? 0 : l + 1);
        case Object other -> throw new IllegalArgumentException("constant " + other);
      }
    }
  },

  /** A number or a truth value that was computed is not returned, but 0 or false. */
  RETURNS_ZERO {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      returnConstant(code, instruction, 0);
    }
  },

  /** As {@link #RETURNS_ZERO}, with 1 or true. */
  RETURNS_ONE {
    @Override
    void apply(CodeBuilder code, Instruction instruction) {
      returnConstant(code, instruction, 1);
    }
  };

  private static final long PAGE_BYTES = 4096;

  /** Writes what takes the instruction's place. */
  abstract void apply(CodeBuilder code, Instruction instruction);

  private static void pop(CodeBuilder code, TypeKind type) {
    if (type.slotSize() == 2) {
      code.pop2();
    } else {
      code.pop();
    }
  }

  private static void returnConstant(CodeBuilder code, Instruction instruction, int value) {
    TypeKind type = ((ReturnInstruction) instruction).typeKind();
    pop(code, type);
    if (type == TypeKind.LONG) {
      code.loadConstant((long) value).lreturn();
    } else {
      code.loadConstant(value).ireturn();
    }
  }
}
