package io.gpdb.planner.statistics;

import io.gpdb.storage.column.ElementType;
import java.util.BitSet;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;

/**
 * How many different values there are: of strings exactly, by their codes, of others by a
 * HyperLogLog sketch (Flajolet, Fusy, Gandouet and Meunier, AofA 2007), which takes 4 KiB however
 * many there are. The same values in the same order lead to the same number.
 */
final class DistinctValues {
  /** 4096 registers: a standard error of 1.3 %. */
  private static final int REGISTERS_LOG2 = 12;

  private final ElementType type;
  private final BitSet codes = new BitSet();
  private final HllSketch sketch = new HllSketch(REGISTERS_LOG2, TgtHllType.HLL_8);

  DistinctValues(ElementType type) {
    this.type = type;
  }

  /** Adds a value, which is not NULL, as it is stored. */
  void add(long raw) {
    if (type == ElementType.CODE) {
      codes.set((int) raw);
    } else {
      sketch.update(type.keyOf(raw));
    }
  }

  long count() {
    return type == ElementType.CODE ? codes.cardinality() : Math.round(sketch.getEstimate());
  }
}
