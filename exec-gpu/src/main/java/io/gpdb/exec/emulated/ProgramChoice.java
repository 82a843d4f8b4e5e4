package io.gpdb.exec.emulated;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BulkCopies;
import io.gpdb.exec.emulated.compiled.CompiledExecutor;
import io.gpdb.exec.emulated.compiled.WarmingProgram;
import io.gpdb.exec.emulated.interpreted.InterpretedExecutor;
import io.gpdb.exec.emulated.reference.ReferenceExecutor;
import io.gpdb.exec.ir.Kernel;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the executor of each launch of one kernel. In mode AUTO a kernel is first interpreted; a
 * class is made for it in the background when it has run often enough, or in a launch of {@link
 * #BIG_LAUNCH_ROWS} for each worker. Block by block {@link WarmingProgram} then goes over to it.
 */
final class ProgramChoice {
  /** For each worker: a class pays within the launch for which it is made. */
  static final long BIG_LAUNCH_ROWS = 20_000_000;

  static final long HOT_ROWS = 400_000;
  static final long HOT_LAUNCHES = 200;

  private final Kernel kernel;
  private final Mode mode;
  private final int workers;
  private final Executor background;
  private final AtomicLong rowsRun = new AtomicLong();
  private final AtomicLong launches = new AtomicLong();
  private final AtomicBoolean compiling = new AtomicBoolean();
  private volatile @Nullable BlockProgram simple;
  private final @Nullable BlockProgram compiled;
  private volatile @Nullable WarmingProgram warming;
  private volatile boolean staysInterpreted;

  /** Counting needs the interpreted executor (or the reference), whatever the mode. */
  ProgramChoice(Kernel kernel, EmulatedOptions options, Executor background) {
    this.kernel = kernel;
    this.background = background;
    this.workers = options.workers();
    boolean interprets = options.counting() && options.mode() != Mode.REFERENCE;
    this.mode = interprets ? Mode.INTERPRETED : options.mode();
    staysInterpreted = mode == Mode.AUTO && BulkCopies.prevailIn(kernel);
    compiled = mode == Mode.COMPILED ? new CompiledExecutor(kernel) : null;
  }

  /**
   * The program for a launch.
   *
   * @param compilable whether no buffer that the kernel may write overlaps another one, and none is
   *     owned by a thread: so compiled code takes them to be
   */
  BlockProgram program(long rows, boolean compilable) {
    BlockProgram fast = compiled;
    if (fast != null && compilable) {
      return fast;
    }
    if (mode == Mode.AUTO && compilable && !staysInterpreted) {
      BlockProgram now = considerCompiling(rows);
      if (now != null) {
        return now;
      }
    }
    return simple();
  }

  /** The program that counts all that it does. */
  BlockProgram simple() {
    BlockProgram known = simple;
    if (known == null) {
      known =
          mode == Mode.REFERENCE ? new ReferenceExecutor(kernel) : new InterpretedExecutor(kernel);
      simple = known;
    }
    return known;
  }

  /** The program that goes over to a class, from the first launch on that needs one. */
  private @Nullable BlockProgram considerCompiling(long rows) {
    WarmingProgram known = warming;
    if (known != null) {
      return known;
    }
    boolean hot = rowsRun.getAndAdd(rows) >= HOT_ROWS || launches.incrementAndGet() >= HOT_LAUNCHES;
    if ((hot || rows / workers >= BIG_LAUNCH_ROWS) && compiling.compareAndSet(false, true)) {
      WarmingProgram made = new WarmingProgram(simple(), workers, System::nanoTime);
      warming = made;
      background.execute(() -> compile(made));
    }
    return warming;
  }

  /** A kernel whose code no class file can hold stays interpreted. */
  private void compile(WarmingProgram into) {
    try {
      into.warm(new CompiledExecutor(kernel));
    } catch (IllegalArgumentException tooLong) {
      staysInterpreted = true;
    }
  }
}
