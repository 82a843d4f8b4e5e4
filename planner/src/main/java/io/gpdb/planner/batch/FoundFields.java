package io.gpdb.planner.batch;

import io.gpdb.exec.library.lane.RowMatch;
import java.util.BitSet;

/** Fields of a batch whose values are in rows of another input that a kernel looks up. */
public interface FoundFields {
  BitSet fields();

  /**
   * How the kernel looks the rows up; for one launch of which nothing else of the source is bound
   * meanwhile.
   *
   * @param inputs the numbers of the kernel's inputs that are such fields
   */
  RowMatch match(BitSet inputs);
}
