package io.gpdb.exec.library.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups whose rows the host adds, held against those whose rows kernels add. */
class StagedGroupsTest {
  private static final Element[] ELEMENTS = {
    Element.I8, Element.I32, Element.I64, Element.F32, Element.F64
  };

  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column key = inputs.column("key", Element.I32);
  private final LaneInputs.Column other = inputs.column("other", Element.I8);
  private final List<LaneInputs.Column> columns = new ArrayList<>();
  private final List<LaneProgram> values = new ArrayList<>();

  private final LaneProgram keys = lane -> lane.column(key);
  private final LaneProgram others = lane -> lane.column(other);

  StagedGroupsTest() {
    for (Element element : ELEMENTS) {
      LaneInputs.Column column = inputs.column(element.name(), element);
      columns.add(column);
      values.add(lane -> lane.column(column));
    }
    values.add(this::isPositive);
  }

  private LaneValue isPositive(Lane lane) {
    LaneValue x = lane.column(columns.get(1));
    return new LaneValue(lane.builder().gt(x.value(), lane.builder().i32(0)), x.present());
  }

  /** A tablet, and how many keys it may have. */
  private BoundRows tablet(Random random, int rows, int distinct) {
    boolean nulls = random.nextBoolean();
    LaneBindings bindings = new LaneBindings(inputs);
    long[] raw = random.ints(rows, 0, distinct).mapToLong(k -> k - 1000L).toArray();
    boolean[] present = nulls ? TestColumn.randomBits(rows, 95, random.nextLong()) : null;
    TestColumn held = new TestColumn(Element.I32, raw, present);
    bindings.column(key, held.values, held.validity);
    TestColumn narrow = TestColumn.random(Element.I8, rows, nulls, random.nextLong());
    bindings.column(other, narrow.values, narrow.validity);
    for (int i = 0; i < ELEMENTS.length; i++) {
      boolean some = nulls && random.nextBoolean();
      TestColumn column = TestColumn.random(ELEMENTS[i], rows, some, random.nextLong());
      bindings.column(columns.get(i), column.values, column.validity);
    }
    boolean[] live = TestColumn.randomBits(rows, 80, random.nextLong());
    return new BoundRows(bindings, rows, random.nextBoolean() ? TestColumn.bitmap(live) : null);
  }

  private List<Aggregate> aggregates(Random random, boolean floatSums) {
    List<Aggregate> aggregates = new ArrayList<>();
    for (int n = random.nextInt(7); n > 0; n--) {
      LaneProgram argument = values.get(random.nextInt(values.size()));
      Aggregate.Function[] functions = Aggregate.Function.values();
      Aggregate.Function function = functions[random.nextInt(functions.length)];
      boolean isFloat = argument == values.get(3) || argument == values.get(4);
      if (function != Aggregate.Function.SUM || !isFloat || floatSums) {
        aggregates.add(new Aggregate(function, argument));
      }
    }
    if (floatSums) {
      aggregates.add(Aggregate.sum(values.get(3 + random.nextInt(2))));
    }
    return aggregates;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void groupsAreThoseOfKernels(long seed) {
    Random random = new Random(seed);
    boolean floatSums = random.nextBoolean();
    List<Aggregate> aggregates = aggregates(random, floatSums);
    boolean two = random.nextBoolean();
    List<LaneProgram> by = two ? List.of(keys, others) : List.of(keys);
    LaneProgram filter = random.nextBoolean() ? this::isPositive : null;
    int distinct = floatSums && random.nextBoolean() ? 1 + random.nextInt(200) : 60_000;
    List<List<BoundRows>> windows = new ArrayList<>();
    for (int window = random.nextInt(2); window >= 0; window--) {
      List<BoundRows> tablets = new ArrayList<>();
      for (int tablet = random.nextInt(4); tablet >= 0; tablet--) {
        int rows = random.nextInt(4) == 0 ? random.nextInt(100) : random.nextInt(45_000);
        tablets.add(tablet(random, rows, distinct));
      }
      windows.add(tablets);
    }
    Mode mode = random.nextInt(3) == 0 ? Mode.INTERPRETED : Mode.COMPILED;
    List<List<Object>> expected = run(mode, filter, by, aggregates, windows, false);
    assertThat(run(mode, filter, by, aggregates, windows, true)).isEqualTo(expected);
    try (DatabaseMemory memory = new DatabaseMemory()) {
      memory.work().limit(distinct <= 200 ? (6L + random.nextInt(8)) << 20 : 96L << 20);
      try (MemoryAccount statement = memory.work().statement("few");
          MemoryAccount.Scope _ = statement.bind()) {
        assertThat(run(mode, filter, by, aggregates, windows, true)).isEqualTo(expected);
      }
    }
  }

  static LongStream seeds() {
    Long one = Long.getLong("gpdb.seed");
    long some = Long.getLong("gpdb.fuzz", 1) * 8;
    return one == null ? LongStream.range(0, some) : LongStream.range(one, one + some);
  }

  private List<List<Object>> run(
      Mode mode,
      LaneProgram filter,
      List<LaneProgram> by,
      List<Aggregate> aggregates,
      List<List<BoundRows>> windows,
      boolean addsOnHost) {
    GridGroupBy plan =
        new GridGroupBy(Cases.device(mode), "s", inputs, filter, by, aggregates, addsOnHost);
    try (Grouping grouping = plan.start(new int[by.size()])) {
      windows.forEach(grouping::add);
      List<ElementType> elements =
          by.stream().map(k -> k == keys ? ElementType.I32 : ElementType.I8).toList();
      Groups groups = grouping.finish(elements, TestBuffers.COLLECTED);
      List<List<Object>> rows = new ArrayList<>();
      for (int g = 0; g < groups.count(); g++) {
        List<Object> row = new ArrayList<>();
        for (DenseColumn column : groups.keys()) {
          row.add(cell(column, g));
        }
        for (DenseColumn column : groups.aggregates()) {
          row.add(cell(column, g));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  private static Object cell(DenseColumn column, int row) {
    return TestColumn.bit(column.validity(), row)
        ? (Object) TestColumn.read(column.element(), column.values(), row)
        : "null";
  }

  @Test
  void wordsOfFloatsOrderAsFloatsDo() {
    double[] rising = {Double.NEGATIVE_INFINITY, -2.5, 0.0, 1e-300, 7, Double.POSITIVE_INFINITY};
    for (int i = 1; i < rising.length; i++) {
      assertThat(word(rising[i])).isGreaterThan(word(rising[i - 1]));
      assertThat(narrowWord(rising[i])).isGreaterThanOrEqualTo(narrowWord(rising[i - 1]));
    }
    assertThat(word(-0.0)).isEqualTo(word(0.0));
    assertThat(narrowWord(-0.0)).isEqualTo(narrowWord(0.0));
    assertThat(word(Double.NaN)).isGreaterThan(word(Double.POSITIVE_INFINITY));
    assertThat(narrowWord(Double.NaN)).isGreaterThan(narrowWord(Double.POSITIVE_INFINITY));
    assertThat(OrderWords.word(Type.I32, -5)).isEqualTo(-5);
  }

  private static long word(double value) {
    long word = OrderWords.word(Type.F64, Double.doubleToRawLongBits(value));
    assertThat(OrderWords.raw(Type.F64, word)).isEqualTo(Double.doubleToLongBits(value + 0.0));
    return word;
  }

  private static long narrowWord(double value) {
    return OrderWords.word(Type.F32, Float.floatToRawIntBits((float) value));
  }
}
