package io.gpdb.storage;

/** Hints from the hash of a key to rows; a hit must be verified against the row. */
@SuppressWarnings("DoNotCallSuggester")
public final class HashIndex {
  HashIndex() {}

  public int[] columns() {
    throw Skeleton.absent();
  }

  public boolean unique() {
    throw Skeleton.absent();
  }

  public IndexShape shape() {
    throw Skeleton.absent();
  }

  /** Entries ever inserted and not dropped by {@link #rebuild}. */
  public long entryCount() {
    throw Skeleton.absent();
  }

  public void insert(long hash, long row) {
    throw Skeleton.absent();
  }

  /** Inserts row {@code firstRow + i} under {@code hashes[i]} for i below n. */
  public void insertAll(long[] hashes, long firstRow, int n) {
    throw Skeleton.absent();
  }

  /**
   * As {@link #insertAll}, and notes in {@code suspects} each i before whose insertion the index
   * held a candidate for its hash; returns how many.
   */
  public int insertAll(long[] hashes, long firstRow, int n, int[] suspects) {
    throw Skeleton.absent();
  }

  /** Inserts unless that very entry is there; returns whether it was inserted. For replay. */
  public boolean insertIfAbsent(long hash, long row) {
    throw Skeleton.absent();
  }

  /** A cursor on the candidate with the greatest row, or -1. */
  public long firstCandidate(long hash) {
    throw Skeleton.absent();
  }

  /** The candidate with the next smaller row, or -1. */
  public long nextCandidate(long hash, long cursor) {
    throw Skeleton.absent();
  }

  /** First candidates of many hashes at once, into {@code cursors}. */
  public void firstCandidates(long[] hashes, int n, long[] cursors) {
    throw Skeleton.absent();
  }

  public long row(long cursor) {
    throw Skeleton.absent();
  }

  /** Replaces all entries. */
  public void rebuild(RowKeys keys) {
    throw Skeleton.absent();
  }
}
