package io.gpdb.session.copy;

import io.gpdb.storage.column.CodedStrings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Codes of strings seen before, in front of a dictionary: strings of at most eight bytes are looked
 * up as one long without its lock and its hash. For one thread.
 */
final class StringCodes {
  private static final int ENTRIES = 4096;
  private static final int SHORT_BYTES_MAX = 8;
  private static final int EMPTY = -1;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final CodedStrings dictionary;
  private final long[] keys = new long[ENTRIES];
  private final byte[] lengths = new byte[ENTRIES];
  private final int[] codes = new int[ENTRIES];

  StringCodes(CodedStrings dictionary) {
    this.dictionary = dictionary;
    java.util.Arrays.fill(codes, EMPTY);
  }

  int intern(byte[] b, int start, int length) {
    if (length > SHORT_BYTES_MAX) {
      return dictionary.intern(b, start, length);
    }
    long key = packed(b, start, length);
    int slot = (int) ((key * 0x9E3779B97F4A7C15L + length) >>> 52) & (ENTRIES - 1);
    if (codes[slot] != EMPTY && keys[slot] == key && lengths[slot] == length) {
      return codes[slot];
    }
    int code = dictionary.intern(b, start, length);
    keys[slot] = key;
    lengths[slot] = (byte) length;
    codes[slot] = code;
    return code;
  }

  private static long packed(byte[] b, int start, int length) {
    if (length == 0) {
      return 0;
    }
    if (start + SHORT_BYTES_MAX <= b.length) {
      return (long) LONGS.get(b, start) & (-1L >>> ((SHORT_BYTES_MAX - length) * Byte.SIZE));
    }
    long key = 0;
    for (int i = length - 1; i >= 0; i--) {
      key = (key << Byte.SIZE) | (b[start + i] & 0xFF);
    }
    return key;
  }
}
