package io.gpdb.exec.library.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.storage.column.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link GridGroupByTest} does not see: how many launches there are, and truth values. */
class GatheredRowsTest {
  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column wide = inputs.column("wide", Element.I64);
  private final LaneInputs.Column x = inputs.column("x", Element.I32);
  private final LaneInputs.Column f = inputs.column("f", Element.F64);
  private final LaneProgram xs = lane -> lane.column(x);
  private final LaneProgram fs = lane -> lane.column(f);
  private final LaneProgram below500 =
      lane -> {
        LaneValue a = lane.column(x);
        return new LaneValue(lane.builder().lt(a.value(), 500), a.present());
      };

  private record Data(TestColumn wides, TestColumn xs, TestColumn fs) {
    Data(int rows, boolean nulls, long seed) {
      this(
          TestColumn.random(Element.I64, rows, nulls, seed + 1),
          TestColumn.random(Element.I32, rows, nulls, seed + 2),
          TestColumn.random(Element.F64, rows, nulls, seed + 3));
    }

    int rows() {
      return xs.raw.length;
    }
  }

  private LaneBindings bind(Data data) {
    return new LaneBindings(inputs)
        .column(wide, data.wides.values, data.wides.validity)
        .column(x, data.xs.values, data.xs.validity)
        .column(f, data.fs.values, data.fs.validity);
  }

  private static Object value(DenseColumn column, int i) {
    return TestColumn.bit(column.validity(), i)
        ? (Object) TestColumn.read(column.element(), column.values(), i)
        : "null";
  }

  /** Rows that pass are gathered from all tablets at once, and the table takes them together. */
  @Test
  void tabletsOfGroupsByTableShareLaunches() {
    Device device = Cases.device(Mode.COMPILED);
    GridGroupBy plan =
        new GridGroupBy(device, "t", inputs, below500, List.of(fs), List.of(Aggregate.sum(xs)));
    List<BoundRows> tablets = new ArrayList<>();
    for (int tablet = 0; tablet < 30; tablet++) {
      tablets.add(new BoundRows(bind(new Data(500, true, tablet)), 500, null));
    }
    try (Grouping grouping = plan.start(GridGroupBy.UNKNOWN)) {
      long before = device.counters().snapshot().launches();
      grouping.add(tablets);
      assertThat(device.counters().snapshot().launches() - before).isLessThan(12);
    }
  }

  /** Many groups of many tablets: rows are gathered where few of a sample of tablets pass. */
  @ParameterizedTest
  @ValueSource(ints = {-990, -700, -300, 400})
  void groupsAreThoseOfAPlainLoopHoweverManyRowsPass(int limit) {
    LaneProgram below =
        lane -> {
          LaneValue a = lane.column(x);
          return new LaneValue(lane.builder().lt(a.value(), limit), a.present());
        };
    LaneProgram key =
        lane -> {
          LaneValue value = lane.column(wide);
          return new LaneValue(
              lane.builder().and(value.value(), lane.builder().i64(0xffff)), value.present());
        };
    Device device = Cases.device(Mode.COMPILED);
    List<Aggregate> aggregates =
        List.of(Aggregate.countRows(), Aggregate.sum(xs), Aggregate.sum(fs));
    for (boolean floats : new boolean[] {false, true}) {
      List<Aggregate> some = floats ? aggregates : aggregates.subList(0, 2);
      GridGroupBy plan = new GridGroupBy(device, "l", inputs, below, List.of(key), some);
      Map<Object, List<Object>> expected = new LinkedHashMap<>();
      List<BoundRows> tablets = new ArrayList<>();
      for (int tablet = 0; tablet < 9; tablet++) {
        Data data = new Data(4000, tablet % 2 == 0, tablet);
        boolean[] live = tablet % 3 == 0 ? TestColumn.randomBits(data.rows(), 80, tablet) : null;
        tablets.add(
            new BoundRows(bind(data), data.rows(), live == null ? null : TestColumn.bitmap(live)));
        addTo(expected, data, live, limit, floats);
      }
      try (Grouping grouping = plan.start(GridGroupBy.UNKNOWN)) {
        grouping.add(tablets);
        Groups groups = grouping.finish(List.of(ElementType.I64), TestBuffers.COLLECTED);
        assertThat(rows(groups)).isEqualTo(new ArrayList<>(expected.values()));
      }
    }
  }

  private static void addTo(
      Map<Object, List<Object>> groups, Data data, boolean[] live, int limit, boolean floats) {
    for (int r = 0; r < data.rows(); r++) {
      if ((live != null && !live[r]) || !data.xs().present[r] || data.xs().raw[r] >= limit) {
        continue;
      }
      Object key = data.wides().present[r] ? (Object) (data.wides().raw[r] & 0xffff) : "null";
      List<Object> group =
          groups.computeIfAbsent(
              key,
              k ->
                  new ArrayList<>(
                      floats ? List.of(k, 0L, 0L, (Object) "null") : List.of(k, 0L, (Object) 0L)));
      group.set(1, (Long) group.get(1) + 1);
      group.set(2, (Long) group.get(2) + data.xs().raw[r]);
      if (floats && data.fs().present[r]) {
        double before =
            group.get(3).equals("null") ? 0 : Double.longBitsToDouble((Long) group.get(3));
        double sum = before + Double.longBitsToDouble(data.fs().raw[r]);
        group.set(3, Double.doubleToLongBits(sum));
      }
    }
  }

  private static List<List<Object>> rows(Groups groups) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < groups.count(); i++) {
      List<Object> row = new ArrayList<>(List.of(value(groups.keys().getFirst(), i)));
      for (DenseColumn column : groups.aggregates()) {
        row.add(value(column, i));
      }
      rows.add(row);
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void truthValuesAreKeysAndArgumentsOfGroupsByTable(boolean nulls) {
    Data data = new Data(3000, nulls, 5);
    LaneProgram isNegative =
        lane -> {
          LaneValue value = lane.column(wide);
          return new LaneValue(
              lane.builder().lt(value.value(), lane.builder().i64(0)), value.present());
        };
    GridGroupBy plan =
        new GridGroupBy(
            Cases.device(Mode.COMPILED),
            "p",
            inputs,
            below500,
            List.of(isNegative, fs),
            List.of(Aggregate.max(isNegative), Aggregate.count(isNegative)));
    Map<List<Object>, Long> expected = new LinkedHashMap<>();
    for (int r = 0; r < data.rows(); r++) {
      if (data.xs().present[r] && data.xs().raw[r] < 500) {
        Object sign = data.wides().present[r] ? (data.wides().raw[r] < 0 ? 1L : 0L) : "null";
        Object key =
            data.fs().present[r]
                ? Double.doubleToLongBits(Double.longBitsToDouble(data.fs().raw[r]) + 0.0)
                : "null";
        expected.merge(List.of(sign, key), sign.equals("null") ? 0L : 1L, Long::sum);
      }
    }
    try (Grouping grouping = plan.start(0, 0)) {
      grouping.add(List.of(new BoundRows(bind(data), data.rows(), null)));
      Groups groups =
          grouping.finish(List.of(ElementType.I8, ElementType.F64), TestBuffers.COLLECTED);
      assertThat(groups.count()).isEqualTo(expected.size());
      int i = 0;
      for (Map.Entry<List<Object>, Long> group : expected.entrySet()) {
        Object sign = group.getKey().getFirst();
        List<Object> key = new ArrayList<>();
        for (DenseColumn column : groups.keys()) {
          key.add(value(column, i));
        }
        assertThat(key).isEqualTo(group.getKey());
        assertThat(value(groups.aggregates().get(0), i)).isEqualTo(sign);
        assertThat(value(groups.aggregates().get(1), i++)).isEqualTo(group.getValue());
      }
    }
  }
}
