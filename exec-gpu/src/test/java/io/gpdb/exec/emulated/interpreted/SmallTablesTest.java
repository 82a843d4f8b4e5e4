package io.gpdb.exec.emulated.interpreted;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SmallTablesTest {
  private static final int LANES = 1024;
  private static final int ELEMENTS = 1000;
  private static final int PART = 32;

  private final MemorySegment table = Arena.ofAuto().allocate(ELEMENTS);
  private final BlockState state;
  private final int buffer;
  private final LaneMask mask = new LaneMask(LANES);
  private final long[] index = new long[LANES];
  private final int[] loaded = new int[LANES];

  SmallTablesTest() {
    KernelBuilder kernel = new KernelBuilder("table").blockSize(LANES);
    buffer = kernel.input("strings", Element.I8);
    state = new BlockState(kernel.build(), 0, 0);
    state.bind(new MemorySegment[] {table});
    mask.setAll();
    for (int i = 0; i < LANES; i++) {
      index[i] = i * 7 % ELEMENTS;
    }
  }

  private void fill(int seed) {
    for (int i = 0; i < ELEMENTS; i++) {
      table.set(ValueLayout.JAVA_BYTE, i, (byte) (i * seed));
    }
  }

  private void load(LaneMask part) {
    assertThat(SmallTables.serve(state, buffer, part)).isTrue();
    SmallTables.load(state, Element.I8, buffer, index, loaded, part);
  }

  private void assertLoaded(int seed) {
    for (int i = 0; i < LANES; i++) {
      assertThat(loaded[i]).isEqualTo((byte) (index[i] * seed));
    }
  }

  /** Parts go the way of the whole step, and a step sees what was stored before it. */
  @Test
  void eachStepLoadsWhatTheBufferHasThenWholeOrInParts() {
    for (int seed = 1; seed < 20; seed++) {
      fill(seed);
      if (seed % 3 == 0) {
        load(mask);
      } else {
        ColdSteps.runInParts((_, part) -> load(part), state, mask);
      }
      assertLoaded(seed);
    }
  }

  @Test
  void aTableIsSmallBesideAllLanesOfTheStep() {
    assertThat(SmallTables.serve(state, buffer, mask.part(0, PART))).isTrue();
    mask.hi = PART;
    mask.count = PART;
    assertThat(SmallTables.serve(state, buffer, mask)).isFalse();
  }
}
