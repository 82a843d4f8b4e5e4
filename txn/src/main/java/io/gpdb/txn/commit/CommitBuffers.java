package io.gpdb.txn.commit;

import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.RecordSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of one commit as bytes, each with the checksum of its body. The thread that commits
 * makes them, never another one: the first {@link #AHEAD_MAX} before it asks to be written, and
 * more where they take little memory because their sections stay where they are; the others as many
 * at a time in their places, when it leads a batch of its own. Those made together are filled and
 * summed together.
 */
public final class CommitBuffers implements AutoCloseable {
  /** With {@link CommitRecords#RECORD_BYTES} for each, what a commit takes of memory. */
  static final int AHEAD_MAX = 4;

  /** Where they take little memory themselves. */
  static final int ELSEWHERE_AHEAD_MAX = 64;

  /** The part of their bytes that such records take. */
  private static final int LITTLE = 16;

  private final Thread committer = Thread.currentThread();
  private final RecordSource source;
  private final SharedWork workers;
  private final List<RecordBuffer> ahead = new ArrayList<>(1);
  private boolean more = true;

  /**
   * @param workers share the checksums of long records
   */
  public CommitBuffers(MemoryAccount memory, RecordSource source, SharedWork workers) {
    this.source = source;
    this.workers = workers;
    try {
      while (more && isOneMoreMade()) {
        RecordBuffer record = new RecordBuffer(memory);
        ahead.add(record);
        more = source.fill(record);
      }
      RecordBuffer.complete(ahead, workers);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private boolean isOneMoreMade() {
    if (ahead.size() < AHEAD_MAX) {
      return true;
    }
    long own = 0;
    long all = 0;
    for (RecordBuffer record : ahead) {
      own += record.ownBytes();
      all += record.bytes();
    }
    return own < all / LITTLE && ahead.size() < ELSEWHERE_AHEAD_MAX;
  }

  /** Those made before the commit asked to be written. */
  List<RecordBuffer> ahead() {
    return ahead;
  }

  /** Whether records are left to be made, so that no other thread can write the commit. */
  boolean hasMore() {
    return more;
  }

  /**
   * Makes the next records in the places of those that were made before, which the log has written.
   */
  List<RecordBuffer> next() {
    assert committer.equals(Thread.currentThread()) : "G4: a record is made by another's leader";
    int made = 0;
    while (more && made < ahead.size()) {
      more = source.fill(ahead.get(made++));
    }
    List<RecordBuffer> next = ahead.subList(0, made);
    RecordBuffer.complete(next, workers);
    return next;
  }

  @Override
  public void close() {
    ahead.forEach(RecordBuffer::free);
    ahead.clear();
  }
}
