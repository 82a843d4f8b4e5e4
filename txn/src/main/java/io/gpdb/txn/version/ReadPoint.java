package io.gpdb.txn.version;

import org.jspecify.annotations.Nullable;

/**
 * What a reader sees: commits up to a sequence, and one transaction's own writes.
 *
 * @param own null for a reader that writes nothing, as the checkpoint
 */
public record ReadPoint(long sequence, @Nullable CommitStamp own) {
  public boolean sees(CommitStamp stamp) {
    return stamp == own || stamp.sequence() <= sequence;
  }
}
