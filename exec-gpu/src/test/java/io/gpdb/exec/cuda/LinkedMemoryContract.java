package io.gpdb.exec.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceMemoryContract;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The memories of several GPUs as one, and the order of work that uses more than one of them. */
abstract class LinkedMemoryContract extends DeviceMemoryContract {
  private static final int LANES = 64;
  private static final int STEPS = 300;
  private static final int BUFFERS = 6;

  private static Kernel addOne() {
    KernelBuilder b = new KernelBuilder("add_one").blockSize(LANES);
    int from = b.buffer(BufferParam.input("from", Element.I32));
    int to = b.buffer(BufferParam.output("to", Element.I32));
    b.store(to, b.global(), b.add(b.load(from, b.global()), 1));
    return b.build();
  }

  /** What every buffer holds is a number that each step computes from another buffer's. */
  @Test
  void launchesCopiesAndFillsOfBothKeepTheirOrder() {
    long first = Long.getLong("gpdb.seed", 1);
    for (long seed = first; seed < first + Long.getLong("gpdb.fuzz", 30); seed++) {
      Random random = new Random(seed);
      try (Device device = open();
          DatabaseMemory memory = new DatabaseMemory(device.memory())) {
        LoadedKernel kernel = device.load(addOne());
        List<DeviceBuffer> buffers = new ArrayList<>();
        int[] expected = new int[BUFFERS];
        for (int i = 0; i < BUFFERS; i++) {
          buffers.add(zeros(device, memory, i));
        }
        for (int step = 0; step < STEPS; step++) {
          int from = random.nextInt(BUFFERS);
          int to = (from + 1 + random.nextInt(BUFFERS - 1)) % BUFFERS;
          switch (random.nextInt(8)) {
            case 0 -> {
              buffers.get(to).fill((byte) 0);
              expected[to] = 0;
            }
            case 1 -> {
              buffers.get(to).copyFrom(buffers.get(from), 0, 0, 4L * LANES);
              expected[to] = expected[from];
            }
            case 2 -> {
              device.memory().free(buffers.get(to), memory.work());
              buffers.set(to, zeros(device, memory, random.nextInt(3)));
              expected[to] = 0;
            }
            default -> {
              Arguments arguments = new Arguments(kernel.kernel());
              arguments.buffer(0, buffers.get(from)).buffer(1, buffers.get(to));
              kernel.enqueue(List.of(new LaunchGroup(1, arguments)));
              expected[to] = expected[from] + 1;
            }
          }
        }
        for (int i = 0; i < BUFFERS; i++) {
          assertThat(buffers.get(i).onHost().intAt(LANES - 1))
              .as("seed " + seed)
              .isEqualTo(expected[i]);
        }
      }
    }
  }

  private static DeviceBuffer zeros(Device device, DatabaseMemory memory, int part) {
    DeviceBuffer buffer = device.memory().part(part).allocate(4L * LANES, memory.work());
    buffer.fill((byte) 0);
    return buffer;
  }
}
