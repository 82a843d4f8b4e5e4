package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.Type;

/**
 * The parameters of a log that a kernel appends to: of a hierarchical coalesced one the words and
 * where its region starts, of a conventional one the rest.
 */
record LogParams(
    BufferParam words,
    ScalarParam base,
    BufferParam entries,
    BufferParam control,
    ScalarParam partitions,
    ScalarParam partitionEntries) {
  /** Of a kernel with one log. */
  static final LogParams ONLY = named("");

  /** Of a kernel with several logs. */
  static LogParams of(int log) {
    return named(Integer.toString(log));
  }

  private static LogParams named(String suffix) {
    return new LogParams(
        BufferParam.output("log" + suffix, Element.I32),
        new ScalarParam("base" + suffix, Type.I64),
        BufferParam.output("entries" + suffix, Element.I32),
        BufferParam.output("control" + suffix, Element.I32),
        new ScalarParam("partitions" + suffix, Type.I32),
        new ScalarParam("partition_entries" + suffix, Type.I32));
  }

  /** Binds what the kernel declares for a log of that sort. */
  void bind(Arguments arguments, UpdateLog log) {
    switch (log) {
      case UpdateLog.Hcl hcl ->
          arguments.persistent(words, hcl.words(), hcl.target()).scalar(base, hcl.baseWord());
      case ConventionalLog locked ->
          arguments
              .persistent(entries, locked.entries(), locked.target())
              .buffer(control, locked.control())
              .scalar(partitions, locked.partitions())
              .scalar(partitionEntries, locked.partitionEntries());
    }
  }
}
