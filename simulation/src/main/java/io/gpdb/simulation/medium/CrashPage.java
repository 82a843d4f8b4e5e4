package io.gpdb.simulation.medium;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An unchanging page of 4096 bytes, shared between the media that hold it. Null means zeros. */
final class CrashPage {
  static final int BYTES = 4096;
  static final byte[] ZEROS = new byte[BYTES];
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final long hash;

  private CrashPage(byte[] bytes) {
    this.bytes = bytes;
    long mixed = 0;
    for (int at = 0; at < BYTES; at += Long.BYTES) {
      mixed = (mixed ^ (long) LONG.get(bytes, at)) * 0x9E3779B97F4A7C15L;
      mixed ^= mixed >>> 32;
    }
    hash = mixed;
  }

  /** Takes the array over, which nobody changes from now on. */
  static @Nullable CrashPage of(byte[] bytes) {
    return isZero(bytes) ? null : new CrashPage(bytes);
  }

  /** The page's bytes, not to be changed. */
  static byte[] bytes(@Nullable CrashPage page) {
    return page == null ? ZEROS : page.bytes;
  }

  static boolean isZero(byte[] bytes) {
    return Arrays.equals(bytes, ZEROS);
  }

  static long hash(@Nullable CrashPage page) {
    return page == null ? 0 : page.hash;
  }

  static int count(long sizeBytes) {
    return Math.toIntExact((sizeBytes + BYTES - 1) / BYTES);
  }
}
