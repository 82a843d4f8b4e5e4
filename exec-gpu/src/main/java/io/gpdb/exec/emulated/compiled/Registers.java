package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Reg;
import java.lang.classfile.Label;

/** Where the registers of generated code are, and what a division by zero does there. */
interface Registers {
  /** Pushes the register's value. */
  void load(Reg register);

  /** Pops the register's new value. */
  void store(Reg register);

  /** Where a lane goes whose divisor is 0. */
  Label divideByZero();
}
