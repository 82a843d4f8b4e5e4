package io.gpdb.exec.emulated.compiled;

/** The generated class of a kernel: each part is a region or the scalar operations of a step. */
interface CompiledCode {
  /** Runs a part; a region runs lanes [from, to). */
  void run(int part, BlockFrame frame, int from, int to);
}
