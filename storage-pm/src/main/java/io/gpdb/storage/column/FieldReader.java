package io.gpdb.storage.column;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads fields that Chronicle Bytes or {@link FieldWriter} has written. Reading is a part of
 * opening, which happens once in a process: to load and initialise the classes of Chronicle Bytes
 * took longer than all of a recovery that has nothing to replay. Where the bytes end, {@link
 * BufferUnderflowException}.
 */
public final class FieldReader {
  private static final int STOP_BITS = 7;
  private static final int STOP_MASK = 0x7f;
  private static final int NUMBER_BITS = Long.SIZE - 1;

  private final ByteBuffer bytes;

  public FieldReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public int remaining() {
    return bytes.remaining();
  }

  public byte readByte() {
    return bytes.get();
  }

  public int readUnsignedByte() {
    return Byte.toUnsignedInt(bytes.get());
  }

  /** A letter, Y or N. */
  public boolean readBoolean() {
    return bytes.get() == 'Y';
  }

  public int readInt() {
    return bytes.getInt();
  }

  public long readLong() {
    return bytes.getLong();
  }

  /** A byte for each of the array. */
  public void read(byte[] target) {
    bytes.get(target);
  }

  /**
   * Seven bits a byte, low first, the high bit where more follow. A last byte of 0 behind others
   * says that the number is the complement of what they hold.
   *
   * @throws IllegalStateException where they make no long
   */
  public long readStopBit() {
    long number = 0;
    int shift = 0;
    byte next = bytes.get();
    for (; next < 0; next = bytes.get()) {
      requireRoom(shift);
      number |= (long) (next & STOP_MASK) << shift;
      shift += STOP_BITS;
    }
    if (next == 0 && shift > 0) {
      return ~number;
    }
    requireRoom(shift);
    return number | (long) next << shift;
  }

  private static void requireRoom(int shift) {
    if (shift >= NUMBER_BITS) {
      throw new IllegalStateException("number of more than " + NUMBER_BITS + " bits");
    }
  }
}
