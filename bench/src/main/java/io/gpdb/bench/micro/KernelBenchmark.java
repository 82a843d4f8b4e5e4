package io.gpdb.bench.micro;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.exec.library.move.GridPrefixSum;
import io.gpdb.exec.library.move.GridRadixSort;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.exec.library.reduce.GridReduce;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Kernels of the library over 1 M rows, on the emulated device with all processors. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class KernelBenchmark {
  static final int ROWS = 1 << 20;
  static final int BOUND = 1000;
  private static final int LIMIT = 100;

  private final Device device = new EmulatedDevice(EmulatedOptions.standard());
  private final LaneInputs inputs = new LaneInputs();
  private final LaneInputs.Column column = inputs.column("x", Element.I32);
  private final HostBuffer values = HostBuffer.collected(ROWS * 4L);
  private final HostBuffer places = HostBuffer.collected(ROWS * 4L);
  private final HostBuffer picked = HostBuffer.collected(ROWS * 4L);
  private final HostBuffer sums = HostBuffer.collected(ROWS * 8L);
  private final HostBuffer keys = HostBuffer.collected(ROWS * 8L);
  private final HostBuffer payload = HostBuffer.collected(ROWS * 4L);
  private final long[] unsorted = new long[ROWS];
  private final int[] order = new int[ROWS];
  private final GridPrefixSum prefixSum = new GridPrefixSum(device);
  private final GridGather gather = new GridGather(device);
  private final GridRadixSort radixSort = new GridRadixSort(device);
  private final GridReduce reduce =
      new GridReduce(
          device,
          "micro",
          inputs,
          lane -> {
            LaneValue x = lane.column(column);
            return new LaneValue(lane.builder().lt(x.value(), LIMIT), x.present());
          },
          List.of(Aggregate.countRows(), Aggregate.sum(lane -> lane.column(column))));

  /** Random values, places and keys, always the same. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < ROWS; i++) {
      values.setInt(i, random.nextInt(BOUND));
      places.setInt(i, random.nextInt(ROWS));
      unsorted[i] = random.nextLong();
      order[i] = i;
    }
  }

  @TearDown
  public void close() {
    device.close();
  }

  @Benchmark
  public long countAndSumWithAFilter() {
    return reduce.run(new LaneBindings(inputs).column(column, values, null), ROWS, null).raw(1);
  }

  @Benchmark
  public long prefixSums() {
    return prefixSum.exclusive(values, ROWS, sums);
  }

  @Benchmark
  public int gatherFromRandomPlaces() {
    gather.values(Element.I32, values, places, ROWS, picked);
    return picked.intAt(0);
  }

  /** Copying the keys is part of it: sorting leaves them in order. */
  @Benchmark
  public long radixSortOfRandomKeys() {
    keys.write(0, unsorted, 0, ROWS);
    payload.write(0, order, 0, ROWS);
    radixSort.sort(keys, payload, ROWS);
    return keys.longAt(0);
  }
}
