package io.gpdb.txn.log;

import java.lang.foreign.MemorySegment;

/** Where sections are written one after the other: a record, or what a transaction gathers. */
@FunctionalInterface
public interface SectionSink {
  /** Room for one more section of that length, header and padding included; undefined content. */
  MemorySegment section(long bytes);
}
