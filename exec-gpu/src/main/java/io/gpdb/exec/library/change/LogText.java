package io.gpdb.exec.library.change;

import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import java.util.List;

/** The log of a kernel being written: declares its parameters, appends entries. */
@FunctionalInterface
interface LogText {
  /** Appends entry number {@code entry} (i32). */
  void append(Reg entry, List<Reg> words);

  static LogText of(KernelBuilder b, boolean conventional, boolean persist, LogParams params) {
    Space space = persist ? Space.PERSISTENT : Space.DEVICE;
    if (conventional) {
      return new ConventionalLog.Writer(b, space, params)::append;
    }
    int log = b.buffer(params.words().in(space));
    Reg base = b.scalar(params.base());
    return (entry, words) -> b.logAppend(log, base, entry, words);
  }
}
