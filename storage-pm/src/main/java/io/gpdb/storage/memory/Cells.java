package io.gpdb.storage.memory;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * A few values of up to 8 bytes, here and there in buffers of one memory, that the host reads and
 * stores together: where it does not reach them, it waits once and not once for each. A value that
 * is added twice is one cell. Used by one thread.
 */
public final class Cells {
  /** Each has a word of the host's. */
  public static final int CELL_BYTES = Long.BYTES;

  private static final int FIRST = 8;

  private DeviceBuffer[] buffers;
  private long[] offsets;
  private int[] sizes;
  private long[] words;
  private int count;

  public Cells() {
    this(new DeviceBuffer[FIRST], new long[FIRST], new int[FIRST], new long[FIRST], 0);
  }

  private Cells(DeviceBuffer[] buffers, long[] offsets, int[] sizes, long[] words, int count) {
    this.buffers = buffers;
    this.offsets = offsets;
    this.sizes = sizes;
    this.words = words;
    this.count = count;
  }

  /** Forgets all cells. */
  public void clear() {
    Arrays.fill(buffers, 0, count, HostBuffer.NONE);
    count = 0;
  }

  /** The number of the cell at that offset of the buffer, of 1, 2, 4 or 8 bytes. */
  public int add(DeviceBuffer buffer, long offset, int bytes) {
    for (int i = 0; i < count; i++) {
      if (offsets[i] == offset && buffers[i].equals(buffer)) {
        return i;
      }
    }
    if (count == words.length) {
      grow(2 * count);
    }
    buffers[count] = buffer;
    offsets[count] = offset;
    sizes[count] = bytes;
    return count++;
  }

  private void grow(int room) {
    buffers = Arrays.copyOf(buffers, room);
    offsets = Arrays.copyOf(offsets, room);
    sizes = Arrays.copyOf(sizes, room);
    words = Arrays.copyOf(words, room);
  }

  public int count() {
    return count;
  }

  public DeviceBuffer buffer(int cell) {
    return buffers[cell];
  }

  public long offset(int cell) {
    return offsets[cell];
  }

  public int bytes(int cell) {
    return sizes[cell];
  }

  /** What the host has of the cell: in the low bytes, those above them are undefined. */
  public long word(int cell) {
    return words[cell];
  }

  public void set(int cell, long word) {
    words[cell] = word;
  }

  /** The same cells and words, of the buffers that stand for these in another memory. */
  public Cells of(UnaryOperator<DeviceBuffer> other) {
    DeviceBuffer[] mapped = new DeviceBuffer[count];
    for (int i = 0; i < count; i++) {
      mapped[i] = other.apply(buffers[i]);
    }
    return new Cells(mapped, offsets, sizes, words, count);
  }

  /**
   * Brings all cells to the host, as of now.
   *
   * @param memory that they are of
   */
  public void fetch(DeviceMemory memory) {
    if (memory instanceof CellMemory together) {
      together.fetch(this);
    } else {
      for (int i = 0; i < count; i++) {
        fetch(i);
      }
    }
  }

  /** Stores what the host has of all cells, each of which it has fetched or set. */
  public void store(DeviceMemory memory) {
    if (memory instanceof CellMemory together) {
      together.store(this);
    } else {
      for (int i = 0; i < count; i++) {
        store(i);
      }
    }
  }

  /** Brings one cell to the host. */
  public void fetch(int cell) {
    HostBuffer bytes = buffers[cell].slice(offsets[cell], sizes[cell]).onHost();
    words[cell] =
        switch (sizes[cell]) {
          case Byte.BYTES -> bytes.byteAt(0);
          case Short.BYTES -> bytes.shortAt(0);
          case Integer.BYTES -> bytes.intAt(0);
          default -> bytes.longAt(0);
        };
  }

  /** Stores one cell. */
  public void store(int cell) {
    long word = words[cell];
    buffers[cell]
        .slice(offsets[cell], sizes[cell])
        .edit(
            bytes -> {
              switch ((int) bytes.bytes()) {
                case Byte.BYTES -> bytes.setByte(0, (byte) word);
                case Short.BYTES -> bytes.setShort(0, (short) word);
                case Integer.BYTES -> bytes.setInt(0, (int) word);
                default -> bytes.setLong(0, word);
              }
            });
  }
}
