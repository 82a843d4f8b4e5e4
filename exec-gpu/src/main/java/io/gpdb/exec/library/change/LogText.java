package io.gpdb.exec.library.change;

import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.change.UpdateShape.Logged;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The log of a kernel being written: declares its parameters, appends entries. */
@FunctionalInterface
interface LogText {
  /** Appends entry number {@code entry} (i32). */
  void append(Reg entry, List<Reg> words);

  /** Declares the log's parameters behind those declared so far; null when nothing is logged. */
  static @Nullable LogText of(KernelBuilder b, UpdateShape shape) {
    if (shape.logged() == Logged.NOTHING) {
      return null;
    }
    return of(b, shape.conventional(), shape.persist());
  }

  static LogText of(KernelBuilder b, boolean conventional, boolean persist) {
    Space space = persist ? Space.PERSISTENT : Space.DEVICE;
    if (conventional) {
      return new ConventionalLog.Writer(b, space)::append;
    }
    int log = b.buffer("log", Element.I32, space, Access.READ_WRITE);
    Reg base = b.scalar("base", Type.I64);
    return (entry, words) -> b.logAppend(log, base, entry, words);
  }
}
