package io.gpdb.exec.library.lane;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import java.util.BitSet;

/**
 * Rows of another table, at most one for each row that a kernel scans, which the kernel looks up
 * itself: a join whose pairs are in no memory. Bound as a part of {@link LaneBindings}; every
 * kernel that scans by {@link LaneScan} reads the pairs as if they were rows.
 */
public interface RowMatch {
  /** What the kernel's text depends on. */
  Shape shape();

  /**
   * Binds what {@link Shape#declare} has declared.
   *
   * @param keys the positions of what the look-up's lane programs read
   */
  void bind(Arguments arguments, LaneLayout keys);

  /** The text's part; equal shapes have equal texts. Immutable. */
  interface Shape {
    Passing passing();

    /** The numbers of the inputs that are columns of the other table. */
    BitSet inputs();

    /** Declares what the look-up reads. */
    Text declare(KernelBuilder b);
  }

  /** Which of the scanned rows the kernel sees. */
  enum Passing {
    /** Those with a row of the other table. */
    FOUND,
    /** Those without. */
    NOT_FOUND,
    /** All; where there is no other row, its columns are NULL. */
    ALL
  }

  /** The look-up in one kernel. */
  interface Text {
    /** Where the lane programs of the look-up find their inputs. */
    LaneLayout layout();

    /** Writes the look-up for a row that exists; i32, -1 where there is no other row. */
    Reg find(Reg row);
  }
}
