package io.gpdb.shell;

import java.io.PrintWriter;

/**
 * Where the shell writes, and how.
 *
 * @param out results
 * @param err errors and progress
 * @param terminal whether a person sees it: progress bars and notes are shown
 * @param width columns of the terminal, 0 when there is none
 */
record Console(PrintWriter out, PrintWriter err, boolean terminal, int width) {
  void error(Throwable failure) {
    out.flush();
    err.println(ShellError.line(failure));
    err.flush();
  }

  Console withWidth(int columns) {
    return new Console(out, err, terminal, columns);
  }
}
