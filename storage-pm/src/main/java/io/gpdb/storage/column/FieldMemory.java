package io.gpdb.storage.column;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What Chronicle Bytes asks of {@code sun.misc.Unsafe} while it writes fields into a byte array,
 * done by handles instead. In the packed driver it gets this class for that one, whose use makes
 * the JDK print a warning; so the methods have the names and parameters of that one. An offset into
 * an array is its index; that of a field is its place in a list.
 */
public final class FieldMemory {
  /** Read by Chronicle Bytes. */
  public static final int ARRAY_BYTE_BASE_OFFSET = 0;

  /** Read by Chronicle Bytes. */
  public static final int ARRAY_CHAR_BASE_OFFSET = 0;

  @SuppressWarnings("unused") // Chronicle Bytes finds it by its name
  private static final FieldMemory theUnsafe = new FieldMemory();

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final List<VarHandle> fields = new CopyOnWriteArrayList<>();

  private FieldMemory() {}

  public int arrayBaseOffset(Class<?> array) {
    if (array != byte[].class) {
      throw new IllegalArgumentException("no array of bytes: " + array);
    }
    return ARRAY_BYTE_BASE_OFFSET;
  }

  public byte getByte(Object array, long index) {
    return ((byte[]) array)[Math.toIntExact(index)];
  }

  public int getInt(Object array, long index) {
    return (int) INTS.get((byte[]) array, Math.toIntExact(index));
  }

  public long getLong(Object array, long index) {
    return (long) LONGS.get((byte[]) array, Math.toIntExact(index));
  }

  public void putByte(Object array, long index, byte value) {
    ((byte[]) array)[Math.toIntExact(index)] = value;
  }

  public void putInt(Object array, long index, int value) {
    INTS.set((byte[]) array, Math.toIntExact(index), value);
  }

  public void putLong(Object array, long index, long value) {
    LONGS.set((byte[]) array, Math.toIntExact(index), value);
  }

  public void copyMemory(Object source, long from, Object target, long to, long bytes) {
    System.arraycopy(
        source, Math.toIntExact(from), target, Math.toIntExact(to), Math.toIntExact(bytes));
  }

  /** The place of a field's handle in the list. */
  public synchronized long objectFieldOffset(Field field) {
    try {
      fields.add(
          MethodHandles.privateLookupIn(field.getDeclaringClass(), MethodHandles.lookup())
              .unreflectVarHandle(field));
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("field that cannot be reached: " + field, e);
    }
    return fields.size() - 1L;
  }

  public boolean compareAndSwapInt(Object owner, long field, int expected, int value) {
    return (boolean) fields.get(Math.toIntExact(field)).compareAndSet(owner, expected, value);
  }
}
