package io.gpdb.storage.column;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes fields as Chronicle Bytes writes them, for what every new database writes while it is
 * opened and its first tables are made: the classes of Chronicle Bytes take longer to load than all
 * of that. {@link FieldReader} reads them.
 */
public final class FieldWriter {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int STOP_BITS = 7;
  private static final int STOP_MASK = 0x7f;
  private static final int MORE = 0x80;

  private byte[] bytes;
  private int length;

  /** Room for some bytes; more is made where it is needed. */
  public FieldWriter(int room) {
    bytes = new byte[room];
  }

  /** Where that many more bytes go. */
  private int take(int count) {
    int at = length;
    length = Math.addExact(at, count);
    if (length > bytes.length) {
      bytes =
          Arrays.copyOf(bytes, Math.max(length, (int) Math.min(2L * at, Integer.MAX_VALUE - 8)));
    }
    return at;
  }

  public void writeByte(int value) {
    int at = take(1);
    bytes[at] = (byte) value;
  }

  /** A letter, Y or N. */
  public void writeBoolean(boolean value) {
    writeByte(value ? 'Y' : 'N');
  }

  public void writeInt(int value) {
    int at = take(Integer.BYTES);
    INTS.set(bytes, at, value);
  }

  public void writeLong(long value) {
    int at = take(Long.BYTES);
    LONGS.set(bytes, at, value);
  }

  /** All bytes of the array. */
  public void write(byte[] source) {
    int at = take(source.length);
    System.arraycopy(source, 0, bytes, at, source.length);
  }

  /**
   * Seven bits a byte, low first, the high bit where more follow; of a negative number the
   * complement, and then a byte of 0.
   */
  public void writeStopBit(long number) {
    long left = number < 0 ? ~number : number;
    while (left > STOP_MASK) {
      writeByte(MORE | (int) (left & STOP_MASK));
      left >>>= STOP_BITS;
    }
    if (number < 0) {
      writeByte(MORE | (int) left);
      left = 0;
    }
    writeByte((int) left);
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }
}
