package io.gpdb.txn.log;

import io.gpdb.storage.index.SharedWork;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32C;

/** CRC-32C of native memory: where it matches, the bytes are those that were written (A6). */
public final class Crc {
  private static final long PIECE_BYTES = 1 << 30;

  /** Fewer bytes are read before other threads have woken up. */
  static final long SHARED_BYTES_MIN = 1 << 20;

  /** The polynomial without its highest power; the highest bit is that of x to the 0. */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final int ONE = 1 << 31;

  private Crc() {}

  public static int of(MemorySegment segment, long from, long bytes) {
    CRC32C crc = new CRC32C();
    update(crc, segment.asSlice(from, bytes));
    return (int) crc.getValue();
  }

  /** Of the pieces one behind the other, without so many bytes of the first. */
  static int of(List<MemorySegment> pieces, long without) {
    CRC32C crc = new CRC32C();
    long from = without;
    for (MemorySegment piece : pieces) {
      update(crc, piece.asSlice(from));
      from = 0;
    }
    return (int) crc.getValue();
  }

  /** Of the parts of each list one behind the other; all threads share all parts at once. */
  static int[] of(List<List<CrcPart>> lists, SharedWork workers) {
    List<CrcPart> parts = lists.stream().flatMap(List::stream).toList();
    int[] each = new int[parts.size()];
    workers.share(each.length, i -> each[i] = parts.get(i).crc());
    int[] crcs = new int[lists.size()];
    int part = 0;
    for (int l = 0; l < crcs.length; l++) {
      for (CrcPart next : lists.get(l)) {
        crcs[l] = joined(crcs[l], each[part++], next.bytes().byteSize());
      }
    }
    return crcs;
  }

  /**
   * Of bytes whose front has the one checksum and whose rest, of that length, has the other. A
   * checksum is the remainder of its bytes as a polynomial, so that of the front is multiplied by x
   * to the power of the bits that follow; what is done to the first and last bits cancels out.
   */
  static int joined(int front, int rest, long restBytes) {
    int power = ONE;
    int square = ONE >>> Byte.SIZE;
    for (long n = restBytes; n != 0; n >>>= 1) {
      if ((n & 1) != 0) {
        power = times(power, square);
      }
      square = times(square, square);
    }
    return times(front, power) ^ rest;
  }

  /** The product of two remainders. */
  private static int times(int a, int b) {
    int product = 0;
    int multiple = b;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      product ^= (a & bit) != 0 ? multiple : 0;
      multiple = (multiple & 1) != 0 ? multiple >>> 1 ^ POLYNOMIAL : multiple >>> 1;
    }
    return product;
  }

  private static void update(CRC32C crc, MemorySegment segment) {
    for (long at = 0, end = segment.byteSize(); at < end; at += PIECE_BYTES) {
      crc.update(segment.asSlice(at, Math.min(PIECE_BYTES, end - at)).asByteBuffer());
    }
  }
}
