package io.gpdb.exec.emulated;

import io.gpdb.exec.ir.Kernel;

/** Chooses the executor of each launch of one kernel. */
final class ProgramChoice {
  private final BlockProgram program;

  ProgramChoice(Kernel kernel, EmulatedOptions options) {
    this.program =
        switch (options.mode()) {
          case REFERENCE -> new ReferenceExecutor(kernel);
          case INTERPRETED, COMPILED, AUTO -> new InterpretedExecutor(kernel);
        };
  }

  BlockProgram program(long lanes) {
    return program;
  }
}
