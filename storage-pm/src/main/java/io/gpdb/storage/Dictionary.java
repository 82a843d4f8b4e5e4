package io.gpdb.storage;

import java.lang.foreign.MemorySegment;

/** The distinct byte strings of a column, append-only, known by codes from 0. */
@SuppressWarnings("DoNotCallSuggester")
public final class Dictionary {
  public static final int MAX_CODES = Integer.MAX_VALUE - 1;

  Dictionary() {}

  /** The code of the string, given now if it is new. */
  public int intern(byte[] b, int off, int len) {
    throw Skeleton.absent();
  }

  /** The code of the string, or -1. */
  public int find(byte[] b, int off, int len) {
    throw Skeleton.absent();
  }

  public int size() {
    throw Skeleton.absent();
  }

  public int length(int code) {
    throw Skeleton.absent();
  }

  public byte[] bytes(int code) {
    throw Skeleton.absent();
  }

  public String string(int code) {
    throw Skeleton.absent();
  }

  public void copy(int code, byte[] target, int at) {
    throw Skeleton.absent();
  }

  /** A 32-bit hash of the string that does not change between runs. */
  public int hash(int code) {
    throw Skeleton.absent();
  }

  public long bytesUsed() {
    throw Skeleton.absent();
  }

  /** Sets entry {@code code}, for recovery: the next one, or one that is there with these bytes. */
  public void appendReplayed(int code, MemorySegment bytes) {
    throw Skeleton.absent();
  }
}
