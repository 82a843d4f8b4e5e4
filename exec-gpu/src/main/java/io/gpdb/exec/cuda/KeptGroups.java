package io.gpdb.exec.cuda;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records of groups that are launched again and again. What a launch binds anew is changed in all
 * of them: as many stores as there are groups, where binding takes some forty accesses a group.
 */
final class KeptGroups implements GroupRecords {
  /** A record begins with the group's first block and its number of blocks. */
  private static final int HEAD_WORDS = 2;

  private final Kernel kernel;
  private final int words;
  private final long[] records;
  private final int[] numbers;
  private final boolean[] isCommon;

  /** How often a record was changed; and before the last launch. */
  private long changes;

  private long changesBefore = -1;

  private @Nullable CudaBuffer onDevice;

  /**
   * @param fields of each group, address and length of each buffer, then the scalars
   */
  KeptGroups(Kernel kernel, List<LaunchGroup> groups, List<long[]> fields) {
    this.kernel = kernel;
    words = HEAD_WORDS + fields.getFirst().length;
    records = new long[words * groups.size()];
    numbers = new int[groups.stream().mapToInt(LaunchGroup::blocks).sum()];
    int before = 0;
    for (int g = 0; g < groups.size(); g++) {
      int count = groups.get(g).blocks();
      records[g * words] = before;
      records[g * words + 1] = count;
      System.arraycopy(fields.get(g), 0, records, g * words + HEAD_WORDS, words - HEAD_WORDS);
      Arrays.fill(numbers, before, before + count, g);
      before += count;
    }
    isCommon = new boolean[kernel.scalars().size()];
    for (int s = 0; s < isCommon.length; s++) {
      isCommon[s] = isCommon(scalarAt(s));
    }
  }

  private boolean isCommon(int at) {
    for (int g = 1; g < count(); g++) {
      if (records[g * words + at] != records[at]) {
        return false;
      }
    }
    return true;
  }

  private int bufferAt(int buffer) {
    return HEAD_WORDS + 2 * buffer;
  }

  private int scalarAt(int scalar) {
    return HEAD_WORDS + 2 * kernel.buffers().size() + scalar;
  }

  /**
   * Takes scalars that all groups had in common, and where the written buffers are, from the first
   * group's arguments.
   */
  void rebind(Arguments first, ToLongFunction<DeviceBuffer> address) {
    DeviceBuffer[] buffers = first.boundBuffers();
    for (int i = 0; i < buffers.length; i++) {
      if (kernel.buffers().get(i).access() != Access.READ) {
        move(bufferAt(i), address.applyAsLong(buffers[i]) - records[bufferAt(i)]);
      }
    }
    long[] scalars = first.boundScalars();
    for (int s = 0; s < scalars.length; s++) {
      if (isCommon[s] && records[scalarAt(s)] != scalars[s]) {
        set(scalarAt(s), scalars[s]);
      }
    }
  }

  private void move(int at, long distance) {
    if (distance != 0) {
      changes++;
      for (int word = at; word < records.length; word += words) {
        records[word] += distance;
      }
    }
  }

  private void set(int at, long value) {
    changes++;
    for (int word = at; word < records.length; word += words) {
      records[word] = value;
    }
  }

  @Override
  public int count() {
    return records.length / words;
  }

  @Override
  public long[] first() {
    return Arrays.copyOfRange(records, HEAD_WORDS, words);
  }

  /**
   * Before each launch: leaves the records in the GPU's memory where two launches have had the
   * same, as those of a statement without parameters have.
   */
  void settle(Function<HostBuffer, CudaBuffer> keep) {
    boolean isAsBefore = changes == changesBefore;
    changesBefore = changes;
    if (!isAsBefore) {
      onDevice = null;
    } else if (onDevice == null) {
      long recordBytes = (long) records.length * Long.BYTES;
      HostBuffer content =
          HostBuffer.collected(recordBytes + (long) numbers.length * Integer.BYTES);
      write(content.segment(), 0, recordBytes);
      onDevice = keep.apply(content);
    }
  }

  @Override
  public @Nullable CudaBuffer onDevice() {
    return onDevice;
  }

  int blocks() {
    return numbers.length;
  }

  @Override
  public void write(MemorySegment host, long recordsAt, long numbersAt) {
    MemorySegment.copy(records, 0, host, ValueLayout.JAVA_LONG, recordsAt, records.length);
    MemorySegment.copy(numbers, 0, host, ValueLayout.JAVA_INT, numbersAt, numbers.length);
  }
}
