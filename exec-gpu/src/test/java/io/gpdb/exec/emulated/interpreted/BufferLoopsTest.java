package io.gpdb.exec.emulated.interpreted;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.KernelBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lanes that access consecutive elements, one element, or any, as by one access for each lane. */
class BufferLoopsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 5);
  private static final int ROUNDS = 300;
  private static final int LANES = 64;
  private static final int ELEMENTS = 200;
  private static final int UNTOUCHED = -77;

  private final Random random = new Random(SEED);
  private final long[] index = new long[LANES];
  private final LaneMask mask = new LaneMask(LANES);
  private final BlockState state =
      new BlockState(new KernelBuilder("stores").blockSize(LANES).build(), 0, 0);

  /** Stretches of lanes whose indices ascend by a step from -1 to 2, and lanes that are off. */
  private void choose() {
    for (int i = 0; i < LANES; ) {
      int step = random.nextInt(4) - 1;
      int end = Math.min(LANES, i + 1 + random.nextInt(1 + random.nextInt(20)));
      long first = LANES + random.nextInt(LANES / 2);
      for (int lane = i; lane < end; lane++) {
        index[lane] = first + (long) step * (lane - i);
      }
      i = end;
    }
    mask.setAll();
    int off = random.nextInt(3) == 0 ? 0 : random.nextInt(20);
    for (int n = 0; n < off; n++) {
      mask.on[random.nextInt(LANES)] = 0;
    }
    mask.lo = random.nextInt(10);
    mask.hi = LANES - random.nextInt(10);
  }

  private boolean isActive(int lane) {
    return lane >= mask.lo && lane < mask.hi && mask.on[lane] != 0;
  }

  @Test
  void lanesLoadTheirElements() {
    int[] i32 = random.ints(ELEMENTS).toArray();
    long[] i64 = random.longs(ELEMENTS).toArray();
    float[] f32 = new float[ELEMENTS];
    double[] f64 = random.doubles(ELEMENTS).toArray();
    for (int i = 0; i < ELEMENTS; i++) {
      f32[i] = (float) f64[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
      choose();
      int[] ints = random.ints(LANES, UNTOUCHED, UNTOUCHED + 1).toArray();
      long[] longs = random.longs(LANES, UNTOUCHED, UNTOUCHED + 1).toArray();
      float[] floats = new float[LANES];
      double[] doubles = new double[LANES];
      BufferLoops.loadI32(MemorySegment.ofArray(i32), index, ints, mask);
      BufferLoops.loadI64(MemorySegment.ofArray(i64), index, longs, mask);
      BufferLoops.loadF32(MemorySegment.ofArray(f32), index, floats, mask);
      BufferLoops.loadF64(MemorySegment.ofArray(f64), index, doubles, mask);
      for (int lane = 0; lane < LANES; lane++) {
        int at = (int) index[lane];
        boolean on = isActive(lane);
        assertThat(ints[lane]).as("seed %d", SEED).isEqualTo(on ? i32[at] : UNTOUCHED);
        assertThat(longs[lane]).as("seed %d", SEED).isEqualTo(on ? i64[at] : UNTOUCHED);
        assertThat(floats[lane]).as("seed %d", SEED).isEqualTo(on ? f32[at] : 0);
        assertThat(doubles[lane]).as("seed %d", SEED).isEqualTo(on ? f64[at] : 0);
      }
    }
  }

  /** Of lanes that store into one element the last one counts. */
  @Test
  void lanesStoreIntoTheirElements() {
    int[] ints = random.ints(LANES).toArray();
    long[] longs = random.longs(LANES).toArray();
    for (int round = 0; round < ROUNDS; round++) {
      choose();
      int[] i32 = new int[ELEMENTS];
      long[] i64 = new long[ELEMENTS];
      int[] expectedInts = new int[ELEMENTS];
      long[] expectedLongs = new long[ELEMENTS];
      for (int lane = 0; lane < LANES; lane++) {
        if (isActive(lane)) {
          expectedInts[(int) index[lane]] = ints[lane];
          expectedLongs[(int) index[lane]] = longs[lane];
        }
      }
      int shift = random.nextInt(3) - 1;
      long[] shifted = index.clone();
      Arrays.setAll(shifted, i -> index[i] - shift);
      BufferScatter.storeI32(state, MemorySegment.ofArray(i32), shifted, shift, ints, mask);
      BufferScatter.storeI64(state, MemorySegment.ofArray(i64), index, longs, mask);
      assertThat(i32).as("seed %d", SEED).isEqualTo(expectedInts);
      assertThat(i64).as("seed %d", SEED).isEqualTo(expectedLongs);
    }
  }
}
