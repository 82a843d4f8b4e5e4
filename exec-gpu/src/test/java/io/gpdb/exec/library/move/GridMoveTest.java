package io.gpdb.exec.library.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gather, bitmaps from bytes, prefix sums. */
class GridMoveTest {
  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void gatherPicksByIndex(Mode mode, int rows, boolean nulls) {
    Device device = Cases.device(mode);
    int[] permutation = permutation(rows);
    HostBuffer indexes = TestColumn.ints(permutation);
    for (Element element : Element.values()) {
      TestColumn column = TestColumn.random(element, rows, nulls, 3);
      DenseColumn source = new DenseColumn(element, column.values, column.validity);
      for (boolean byHost : new boolean[] {false, true}) {
        DenseColumn picked =
            new GridGather(device, byHost)
                .column(source, indexes, rows, false, TestBuffers.COLLECTED);
        for (int i = 0; i < rows; i++) {
          check(picked, i, column.present[permutation[i]], column.raw[permutation[i]]);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void anIndexOfMinusOneGivesNull(Mode mode, int rows, boolean nulls) {
    TestColumn column = TestColumn.random(Element.I64, 10, nulls, 3);
    int[] picks = new int[rows];
    for (int i = 0; i < rows; i++) {
      picks[i] = i % 11 - 1;
    }
    for (boolean byHost : new boolean[] {false, true}) {
      DenseColumn picked =
          new GridGather(Cases.device(mode), byHost)
              .column(
                  new DenseColumn(Element.I64, column.values, column.validity),
                  TestColumn.ints(picks),
                  rows,
                  true,
                  TestBuffers.COLLECTED);
      for (int i = 0; i < rows; i++) {
        boolean present = picks[i] >= 0 && column.present[picks[i]];
        check(picked, i, present, present ? column.raw[picks[i]] : 0);
      }
    }
  }

  private static void check(DenseColumn column, int i, boolean present, long raw) {
    boolean samePresence = TestColumn.bit(column.validity(), i) == present;
    long actual = TestColumn.read(column.element(), column.values(), i);
    if (!samePresence || actual != raw) {
      assertThat(samePresence).as("presence of " + i).isTrue();
      assertThat(actual).as("value of " + i).isEqualTo(raw);
    }
  }

  private static int[] permutation(int n) {
    int[] order = new int[n];
    Random random = new Random(n);
    for (int i = 0; i < n; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void bitmapsHoldTheBytesThatAreNotZero(Mode mode, int rows, boolean unused) {
    boolean[] bits = TestColumn.randomBits(rows, 50, 6);
    HostBuffer bytes = HostBuffer.collected(Math.max(1, rows));
    for (int i = 0; i < rows; i++) {
      bytes.setByte(i, bits[i] ? (byte) 1 : 0);
    }
    HostBuffer bitmap = HostBuffer.collected(Math.max(4, DenseColumn.bitmapBytes(rows)));
    new GridPack(Cases.device(mode)).bitmap(bytes, rows, bitmap);
    for (int i = 0; i < rows; i++) {
      assertThat(TestColumn.bit(bitmap, i)).isEqualTo(bits[i]);
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void prefixSumsAreExclusive(Mode mode, int rows, boolean large) {
    Random random = new Random(rows);
    int[] counts = new int[rows];
    for (int i = 0; i < rows; i++) {
      counts[i] = large ? Integer.MAX_VALUE - random.nextInt(9) : random.nextInt(3);
    }
    HostBuffer sums = HostBuffer.collected(Math.max(8, rows * 8L));
    long total =
        new GridPrefixSum(Cases.device(mode)).exclusive(TestColumn.ints(counts), rows, sums);
    long expected = 0;
    for (int i = 0; i < rows; i++) {
      assertThat(sums.onHost().longAt(i)).isEqualTo(expected);
      expected += counts[i];
    }
    assertThat(total).isEqualTo(expected);
  }

  /** Several pieces of regions, some empty, some full. */
  @Test
  void hostAndKernelPackTheSame() {
    int blocks = 700;
    Random random = new Random(5);
    int[] counts = new int[blocks];
    HostBuffer offsets = HostBuffer.collected(blocks * 8L);
    long total = 0;
    for (int b = 0; b < blocks; b++) {
      counts[b] = b % 3 == 0 ? 0 : b % 5 == 0 ? 1024 : random.nextInt(1025);
      offsets.setLong(b, total);
      total += counts[b];
    }
    GridPack pack = new GridPack(Cases.device(Mode.COMPILED));
    GridPack.Columns byHost = pack.columns();
    GridPack.Columns byKernel = pack.columns();
    List<HostBuffer> hosts = new ArrayList<>();
    List<HostBuffer> kernels = new ArrayList<>();
    for (Element element : List.of(Element.I8, Element.I16, Element.I32, Element.F64)) {
      HostBuffer regions = HostBuffer.collected(blocks * 1024L * element.bytes());
      byte[] bytes = new byte[(int) regions.bytes()];
      random.nextBytes(bytes);
      MemorySegment.copy(bytes, 0, regions.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
      hosts.add(HostBuffer.collected(total * element.bytes()));
      kernels.add(HostBuffer.collected(total * element.bytes()));
      HostBuffer ofBlocks = TestColumn.ints(counts);
      byHost.add(element, regions, ofBlocks, offsets, blocks, hosts.getLast());
      byKernel.add(element, regions, ofBlocks, offsets, blocks, kernels.getLast());
    }
    byHost.pack();
    byKernel.packByKernel();
    for (int i = 0; i < hosts.size(); i++) {
      assertThat(hosts.get(i).segment().mismatch(kernels.get(i).segment())).isEqualTo(-1);
    }
  }
}
