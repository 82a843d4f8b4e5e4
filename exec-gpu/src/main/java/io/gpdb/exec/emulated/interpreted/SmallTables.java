package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Loads at any index of buffers that are small beside the lanes that load, such as what a condition
 * says of each string of a dictionary. The whole buffer is copied to an array first: a copy is fast
 * before the JIT compiler has seen it, and so are loops over arrays soon. A step that runs in parts
 * ({@link ColdSteps}) goes the same way as a whole one, which is what is to be compiled.
 */
final class SmallTables {
  private SmallTables() {}

  static boolean serves(Element element) {
    return element == Element.I8 || element == Element.I32;
  }

  static boolean serve(BlockState s, int buffer, LaneMask mask) {
    return s.elements[buffer] <= (long) BlockState.TABLE_ELEMENTS * mask.wholeCount();
  }

  /** Whether the table still has to be filled: the parts of a step share it. */
  private static boolean fills(BlockState s, int buffer, LaneMask mask) {
    boolean isFilled = mask.isPart() && s.tableBuffer == buffer;
    s.tableBuffer = buffer;
    return !isFilled;
  }

  static void load(
      BlockState s, Element element, int buffer, long[] index, int[] d, LaneMask mask) {
    int n = (int) s.elements[buffer];
    boolean fills = fills(s, buffer, mask);
    MemorySegment segment = s.buffers[buffer];
    if (element == Element.I8) {
      byte[] table = s.tableI8();
      if (fills) {
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, 0, table, 0, n);
      }
      load(table, index, d, mask);
    } else {
      int[] table = s.tableI32();
      if (fills) {
        MemorySegment.copy(segment, ValueLayout.JAVA_INT, 0, table, 0, n);
      }
      load(table, index, d, mask);
    }
  }

  private static void load(byte[] table, long[] index, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = table[(int) index[i]];
      }
    }
  }

  private static void load(int[] table, long[] index, int[] d, LaneMask mask) {
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      if (on[i] != 0) {
        d[i] = table[(int) index[i]];
      }
    }
  }
}
