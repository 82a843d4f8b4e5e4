package io.gpdb.exec.library.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows that stay bound, launched together, against a sum on the host. */
class KeptReduceTest {
  private static final int[] ROWS = {40_000, 65_536, 1, 16_385, 30_000, 20_000, 65_536};

  private final Device device = new AnnouncingDevice();
  private final DatabaseMemory memory = new DatabaseMemory(device.memory());
  private final MemoryAccount before = MemoryAccount.current();
  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column x = inputs.column("x", Element.I32);
  private final LaneInputs.Parameter limit = inputs.parameter("limit", Type.I32);
  private final LaneProgram xs = lane -> lane.column(x);
  private final LaneProgram below =
      lane ->
          new LaneValue(
              lane.builder().lt(lane.column(x).value(), lane.parameter(limit).value()), null);
  private final List<Tablet> tablets = new ArrayList<>();

  /** Rows of a column in the device's memory. */
  private record Tablet(
      int[] values, boolean[] exists, DeviceBuffer column, @Nullable DeviceBuffer live) {}

  @BeforeEach
  void fill() {
    memory.work().bind();
    Random random = new Random(Long.getLong("gpdb.seed", 5));
    for (int t = 0; t < ROWS.length; t++) {
      int n = ROWS[t];
      int[] values = random.ints(n, -1000, 1000).toArray();
      boolean[] exists = new boolean[n];
      boolean hasLive = t % 3 == 1;
      DeviceBuffer column = device.memory().allocate(4L * n, memory.work());
      column.edit(all -> all.write(0, values, 0, n));
      DeviceBuffer live =
          hasLive ? device.memory().allocateZeroed(Bitmaps.bytes(n), memory.work()) : null;
      for (int i = 0; i < n; i++) {
        exists[i] = !hasLive || random.nextInt(5) > 0;
      }
      if (live != null) {
        live.edit(
            bits -> {
              for (int i = 0; i < n; i++) {
                Bitmaps.set(bits, i, exists[i]);
              }
            });
      }
      tablets.add(new Tablet(values, exists, column, live));
    }
  }

  @AfterEach
  void close() {
    before.bind();
    memory.close();
    device.close();
  }

  private LaneBindings bindings(Tablet tablet, int limitOf) {
    return new LaneBindings(inputs).column(x, tablet.column, null).parameter(limit, limitOf);
  }

  private void require(GridReduce.@Nullable Partial found, int limitOf) {
    long count = 0;
    long sum = 0;
    for (Tablet tablet : tablets) {
      for (int i = 0; i < tablet.values.length; i++) {
        if (tablet.exists[i] && tablet.values[i] < limitOf) {
          count++;
          sum += tablet.values[i];
        }
      }
    }
    assertThat(found).isNotNull();
    assertThat(found.raw(0)).as("count below " + limitOf).isEqualTo(count);
    assertThat(found.raw(1)).as("sum below " + limitOf).isEqualTo(sum);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void windowsAreLaunchedTogetherAndWaitedForOnce(int tabletsOfWindow) {
    ReduceShape shape = new ReduceShape(256, 4, 4 * ReduceShape.BLOCK_ROWS, 2);
    List<Aggregate> aggregates = List.of(Aggregate.countRows(), Aggregate.sum(xs));
    GridReduce reduce = new GridReduce(device, "kept", inputs, below, aggregates, shape);
    List<GridReduce.Kept> windows = new ArrayList<>();
    GridReduce.Partial all = null;
    for (int from = 0; from < ROWS.length; from += tabletsOfWindow) {
      GridReduce.Window window = reduce.start();
      for (int t = from; t < Math.min(ROWS.length, from + tabletsOfWindow); t++) {
        window.add(bindings(tablets.get(t), 100), ROWS[t], tablets.get(t).live);
      }
      all = window.finish(all);
      GridReduce.Kept kept = window.keep();
      assertThat(kept).isNotNull();
      windows.add(kept);
    }
    require(all, 100);
    for (int limitOf : new int[] {100, 100, 100, -50, -50, 900, 100, 100}) {
      ExecutionCounters.Snapshot start = device.counters().snapshot();
      require(GridReduce.Kept.run(windows, bindings(tablets.getFirst(), limitOf)), limitOf);
      assertThat(device.counters().snapshot().minus(start).waits()).isEqualTo(1);
    }
  }
}
