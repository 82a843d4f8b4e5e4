package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import java.lang.foreign.MemorySegment;

/** Modular and parity checksums. */
public final class GridChecksum {
  /**
   * The checksum of n words w0, w1, ...
   *
   * @param sum of the words, modulo 2^64
   * @param weighted sum of (i+1)*wi, modulo 2^64: sees words that changed places
   * @param parity exclusive or of the words
   */
  public record Checksum(long sum, long weighted, int parity) {}

  public GridChecksum(Device device) {
    KernelLibrary.unfinished();
  }

  /** Of {@code words} i32 words (taken as unsigned). */
  public Checksum of(MemorySegment segment, int words) {
    return KernelLibrary.unfinished();
  }
}
