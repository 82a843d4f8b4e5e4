package io.gpdb.exec.library.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
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
