package io.gpdb.txn.log;

import java.lang.foreign.MemorySegment;

/** Stores what a section does not have yet: values that are elsewhere until it is summed. */
@FunctionalInterface
interface SectionFill {
  void fill(MemorySegment section);
}
