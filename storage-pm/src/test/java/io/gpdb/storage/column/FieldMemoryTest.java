package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class FieldMemoryTest {
  private static final class Counted {
    @SuppressWarnings("unused") // changed by its offset
    private volatile int other = 5;

    private volatile int users = 1;
  }

  private final FieldMemory memory = found();

  /** As Chronicle Bytes finds it. */
  private static FieldMemory found() {
    try {
      Field field = FieldMemory.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (FieldMemory) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void numbersStandInTheArrayAsThisMachineOrdersThem() {
    byte[] bytes = new byte[20];
    memory.putByte(bytes, 0, (byte) -3);
    memory.putInt(bytes, 1, 0x01020304);
    memory.putLong(bytes, 5, 0x0a0b0c0d01020304L);
    ByteBuffer expected = ByteBuffer.allocate(20).order(ByteOrder.nativeOrder());
    expected.put((byte) -3).putInt(0x01020304).putLong(0x0a0b0c0d01020304L);
    assertThat(bytes).isEqualTo(expected.array());
    assertThat(memory.getByte(bytes, 0)).isEqualTo((byte) -3);
    assertThat(memory.getInt(bytes, 1)).isEqualTo(0x01020304);
    assertThat(memory.getLong(bytes, 5)).isEqualTo(0x0a0b0c0d01020304L);
  }

  @Test
  void copiesRangesAndNothingBehindAnArraysEnd() {
    byte[] target = new byte[4];
    int base = memory.arrayBaseOffset(byte[].class);
    memory.copyMemory(new byte[] {1, 2, 3}, base + 1L, target, base + 2L, 2);
    assertThat(target).containsExactly(0, 0, 2, 3);
    assertThatThrownBy(() -> memory.putInt(target, base + 1L, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> memory.arrayBaseOffset(int[].class)).hasMessageContaining("class [I");
  }

  @Test
  void aFieldIsSwappedOnlyFromTheExpectedValue() throws NoSuchFieldException {
    Counted counted = new Counted();
    long other = memory.objectFieldOffset(Counted.class.getDeclaredField("other"));
    long users = memory.objectFieldOffset(Counted.class.getDeclaredField("users"));
    assertThat(memory.compareAndSwapInt(counted, users, 5, 6)).isFalse();
    assertThat(memory.compareAndSwapInt(counted, users, 1, 2)).isTrue();
    assertThat(counted.users).isEqualTo(2);
    assertThat(memory.compareAndSwapInt(counted, other, 5, 7)).isTrue();
  }
}
