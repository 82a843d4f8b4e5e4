package io.gpdb.storage.home;

/**
 * A range of the home file: where, how many bytes, and their CRC-32C.
 *
 * <p>A sealed extent is immutable from the checkpoint that first refers to it until it is free
 * again, and is checked when it is first read. An unsealed one belongs to an in-place protocol and
 * has no checksum.
 */
public record Extent(long offset, long bytes, int crc, boolean sealed) {
  public static Extent unsealed(long offset, long bytes) {
    return new Extent(offset, bytes, 0, false);
  }
}
