package io.gpdb.exec.library.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sort and top-N. */
class GridSortTest {
  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column a = inputs.column("a", Element.I16);
  private final LaneInputs.Column b = inputs.column("b", Element.F64);
  private final LaneInputs.Column c = inputs.column("c", Element.I64);
  private final LaneInputs.Column d = inputs.column("d", Element.F32);
  private final LaneInputs.Column[] columns = {a, b, c, d};

  private SortKey key(int column, boolean descending, boolean nullsFirst) {
    return new SortKey(lane -> lane.column(columns[column]), descending, nullsFirst);
  }

  private TestColumn[] data(int rows, boolean nulls) {
    return new TestColumn[] {
      TestColumn.random(Element.I16, rows, nulls, 1),
      TestColumn.random(Element.F64, rows, nulls, 2),
      TestColumn.random(Element.I64, rows, nulls, 3),
      TestColumn.random(Element.F32, rows, nulls, 4)
    };
  }

  private LaneBindings bind(TestColumn[] data) {
    LaneBindings bindings = new LaneBindings(inputs);
    for (int i = 0; i < columns.length; i++) {
      bindings.column(columns[i], data[i].values, data[i].validity);
    }
    return bindings;
  }

  private static Comparator<Integer> order(
      TestColumn column, boolean descending, boolean nullsFirst) {
    return (x, y) -> {
      if (column.present[x] != column.present[y]) {
        return column.present[x] == nullsFirst ? 1 : -1;
      }
      int order =
          switch (column.element) {
            case F32 ->
                Float.compare(
                    Float.intBitsToFloat((int) column.raw[x]) + 0f,
                    Float.intBitsToFloat((int) column.raw[y]) + 0f);
            case F64 ->
                Double.compare(
                    Double.longBitsToDouble(column.raw[x]) + 0.0,
                    Double.longBitsToDouble(column.raw[y]) + 0.0);
            default -> Long.compare(column.raw[x], column.raw[y]);
          };
      return descending ? -order : order;
    };
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void rowsComeInTheOrderOfTheirKeysAndTiesInRowOrder(Mode mode, int rows, boolean nulls) {
    TestColumn[] data = data(rows, nulls);
    for (int variant = 0; variant < 4; variant++) {
      boolean descending = (variant & 1) != 0;
      boolean nullsFirst = (variant & 2) != 0;
      List<SortKey> keys =
          switch (variant) {
            case 0 -> List.of(key(0, descending, nullsFirst), key(1, !descending, nullsFirst));
            case 1 -> List.of(key(2, descending, nullsFirst));
            case 2 -> List.of(key(3, descending, nullsFirst));
            default -> List.of(key(1, descending, nullsFirst));
          };
      int column = new int[] {0, 2, 3, 1}[variant];
      Comparator<Integer> order = order(data[column], descending, nullsFirst);
      if (variant == 0) {
        order = order.thenComparing(order(data[1], !descending, nullsFirst));
      }
      GridSort sort = new GridSort(Cases.device(mode), "s", inputs, keys);
      DeviceBuffer permutation = sort.permutation(bind(data), rows, TestBuffers.COLLECTED);
      List<Integer> expected = IntStream.range(0, rows).boxed().sorted(order).toList();
      assertThat(IntStream.range(0, rows).map(i -> at(permutation, i)).boxed().toList())
          .isEqualTo(expected);
    }
  }

  private static int at(DeviceBuffer segment, int i) {
    return segment.onHost().intAt(i);
  }

  /** As on a device whose memory the host does not read. */
  @ParameterizedTest
  @ValueSource(ints = {1, 300, 40_000})
  void sortingByOneWordAfterTheOtherMakesTheSameOrder(int rows) {
    GridSort sort =
        new GridSort(Cases.device(Mode.COMPILED), "s", inputs, List.of(key(2, false, false)));
    for (int distinct : new int[] {1, 5, 1000}) {
      Random random = new Random(distinct);
      List<DeviceBuffer> words = new ArrayList<>();
      for (int w = 0; w < 3; w++) {
        HostBuffer word = HostBuffer.collected(rows * 8L);
        for (int row = 0; row < rows; row++) {
          word.setLong(row, random.nextInt(distinct) * (w == 1 ? 0x1234_5678_9ABC_DEF1L : 1));
        }
        words.add(word);
      }
      HostBuffer together = HostBuffer.collected(rows * 4L);
      HostBuffer oneByOne = HostBuffer.collected(rows * 4L);
      sort.order(words, rows, together);
      sort.orderByKernels(words, rows, oneByOne);
      assertThat(oneByOne.segment().mismatch(together.segment())).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void topRowsAreTheHeadOfTheWholeOrder(Mode mode, int rows, boolean nulls) {
    TestColumn[] data = data(rows, nulls);
    boolean[] live = TestColumn.randomBits(rows, 80, 6);
    check(mode, data, live, 10, 1, 0);
    if (rows < 2000) {
      check(mode, data, live, 1, 0, 2);
      check(mode, data, live, 5000, 0, 2);
    }
  }

  private void check(
      Mode mode, TestColumn[] data, boolean[] live, int limit, int first, int second) {
    int rows = live.length;
    LaneProgram positive =
        lane -> {
          LaneValue value = lane.column(d);
          return new LaneValue(
              lane.builder().gt(value.value(), lane.builder().f32(-20f)), value.present());
        };
    GridTopN plan =
        new GridTopN(
            Cases.device(mode),
            "top",
            inputs,
            positive,
            List.of(key(first, true, false), key(second, false, true)));
    Comparator<Integer> order =
        order(data[first], true, false).thenComparing(order(data[second], false, true));
    List<Long> expected =
        IntStream.range(0, rows)
            .boxed()
            .filter(r -> live[r] && data[3].present[r])
            .filter(r -> Float.intBitsToFloat((int) data[3].raw[r]) > -20f)
            .sorted(order)
            .limit(limit)
            .map(r -> r + 1000L)
            .toList();
    try (Top top = plan.start(limit)) {
      top.offer(1).add(bind(data), rows, TestColumn.bitmap(live), 1000).finish();
      DeviceBuffer found = top.finish(TestBuffers.COLLECTED);
      assertThat(
              IntStream.range(0, (int) (found.bytes() / 8))
                  .mapToObj(i -> found.onHost().longAt(i))
                  .toList())
          .isEqualTo(expected);
    }
  }

  @Test
  void laterTabletsBringOnlyWhatBeatsTheThreshold() {
    int rows = 65_536;
    GridTopN plan =
        new GridTopN(
            Cases.device(Mode.COMPILED), "top", inputs, null, List.of(key(2, false, false)));
    try (Top top = plan.start(3)) {
      Top.Offer offer = top.offer(1);
      for (int tablet = 0; tablet < 5; tablet++) {
        long[] raw = new long[rows];
        for (int r = 0; r < rows; r++) {
          raw[r] = tablet == 3 && r == 77 ? -1 : (r * 7919L) % 65_521 + 10L * tablet;
        }
        TestColumn column = new TestColumn(Element.I64, raw, null);
        LaneBindings bindings = new LaneBindings(inputs).column(c, column.values, null);
        offer.add(bindings, rows, null, (long) tablet * rows);
        if (tablet % 2 == 0) {
          offer.finish();
          offer = top.offer(1);
        }
      }
      DeviceBuffer found = top.finish(TestBuffers.COLLECTED);
      assertThat(found.onHost().segment().toArray(ValueLayout.JAVA_LONG))
          .startsWith(3L * rows + 77, 0L)
          .hasSize(3);
    }
  }

  /** Also where more rows of a block are within the thresholds than its region holds. */
  @Test
  void topRowsAreTheHeadHoweverTabletsAreFilled() {
    checkFillings(4, 65_536, 20_000, 300, 65_536);
  }

  /** Small tablets have no regions, and their candidates are there before the first sample. */
  @Test
  void topRowsAreTheHeadWhereSmallTabletsAreOfferedFirst() {
    checkFillings(1, 300, 20_000);
    checkFillings(2, 40, 2000, 16_384, 300, 20_000);
  }

  private void checkFillings(int together, int... sizes) {
    int total = Arrays.stream(sizes).sum();
    List<LongUnaryOperator> fillings =
        List.of(
            r -> r * 2_654_435_761L % 1_000_003, // anyhow
            r -> -r, // the first come last
            r -> r,
            r -> 5, // all alike
            r -> r % 1024 < 200 ? 1 : 1000, // many of each block
            r -> r / 65_536 == 1 ? -r : r); // those of one tablet
    for (LongUnaryOperator filling : fillings) {
      long[] all = LongStream.range(0, total).map(filling).toArray();
      for (int limit : new int[] {1, 10, 300, 1024, 1025}) {
        checkTop(all, limit, together, sizes);
      }
    }
  }

  private void checkTop(long[] all, int limit, int together, int... sizes) {
    GridTopN plan =
        new GridTopN(
            Cases.device(Mode.COMPILED), "top", inputs, null, List.of(key(2, false, false)));
    try (Top top = plan.start(limit)) {
      int first = 0;
      for (int i = 0; i < sizes.length; i += together) {
        Top.Offer offer = top.offer(together);
        for (int size : Arrays.copyOfRange(sizes, i, Math.min(sizes.length, i + together))) {
          long[] own = Arrays.copyOfRange(all, first, first + size);
          TestColumn column = new TestColumn(Element.I64, own, null);
          offer.add(new LaneBindings(inputs).column(c, column.values, null), size, null, first);
          first += size;
        }
        offer.finish();
      }
      long[] expected =
          IntStream.range(0, all.length)
              .boxed()
              .sorted(Comparator.comparingLong(r -> all[r]))
              .limit(limit)
              .mapToLong(r -> r)
              .toArray();
      DeviceBuffer found = top.finish(TestBuffers.COLLECTED);
      assertThat(found.onHost().segment().toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
    }
  }
}
