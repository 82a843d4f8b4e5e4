package io.gpdb.bench.harness;

import java.io.Console;
import java.io.PrintStream;

/**
 * What a command does now, on the error stream: on a terminal one line that is written over,
 * elsewhere a line for each step, with the seconds since the beginning.
 */
public final class Progress implements AutoCloseable {
  private final PrintStream out;
  private final boolean terminal;
  private final long start = System.nanoTime();

  /** Of this process. */
  public Progress() {
    this(System.err, isTerminal());
  }

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @SuppressWarnings("SystemConsoleNull") // null where the JDK has no console module
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Begins something that takes seconds. */
  public void step(String text) {
    String line = "%.0f s: %s".formatted(MachineLimits.seconds(start), text);
    if (terminal) {
      write(line);
    } else {
      out.println(line);
    }
  }

  /** How far a step is; only a terminal shows it. */
  public void part(String text) {
    if (terminal) {
      write("%.0f s: %s".formatted(MachineLimits.seconds(start), text));
    }
  }

  /** Clears the line. */
  @Override
  public void close() {
    if (terminal) {
      write("");
    }
  }

  private void write(String line) {
    out.print("\r\u001b[K" + line);
    out.flush();
  }
}
