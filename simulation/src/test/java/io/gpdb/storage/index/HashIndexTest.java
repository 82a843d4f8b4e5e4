package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.KeyHash;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HashIndexTest extends IndexContract {
  private final HashIndex hashes = (HashIndex) index;

  @Override
  IndexKind kind() {
    return IndexKind.HASH;
  }

  /** Spread, so that entries go into pages. */
  @Override
  long keyOf(long number) {
    return KeyHash.hash(number);
  }

  private List<Long> candidatesOf(long hash) {
    List<Long> rows = new ArrayList<>();
    for (long below = Long.MAX_VALUE; (below = hashes.candidateBelow(hash, below) + 1) > 0; ) {
      rows.add(below - 1);
    }
    return rows;
  }

  private static KeyBatch one(long row) {
    KeyBatch keys = new KeyBatch();
    keys.begin(0, 1, row);
    return keys;
  }

  /** Two transactions that insert one key must meet, wherever its entries had to go. */
  @Test
  void candidatesThatFoundNoPlaceAmongOthersAreSuspectToo() {
    long crowd = 1L << HashIndexLayout.PREFIX_SHIFT | 5;
    long late = 2L << HashIndexLayout.PREFIX_SHIFT | 5;
    int slots = HashIndexLayout.STEPS * HashIndexLayout.GROUP_SLOTS;
    for (int i = 0; i < slots; i++) {
      hashes.insert(crowd, i);
    }
    int[] suspects = new int[1];
    assertThat(hashes.insertAll(new long[] {late}, one(1000), suspects, SharedWork.ALONE))
        .as("the first")
        .isZero();
    assertThat(hashes.insertAll(new long[] {late}, one(1000), suspects, SharedWork.ALONE))
        .as("the same")
        .isZero();
    assertThat(hashes.insertAll(new long[] {late}, one(1001), suspects, SharedWork.ALONE))
        .as("another")
        .isOne();
    assertThat(hashes.remove(crowd, 7)).isTrue();
    assertThat(hashes.insertAll(new long[] {late}, one(1002), suspects, SharedWork.ALONE))
        .as("with a place")
        .isOne();
    assertThat(candidatesOf(late)).containsExactly(1002L, 1001L, 1000L);
  }

  @Test
  void aRowBeyondTheLimitIsRefused() {
    assertThatThrownBy(() -> hashes.insert(1, HashIndexLayout.ROWS_MAX + 1))
        .hasMessageContaining("limit=" + HashIndexLayout.ROWS_MAX);
    hashes.insert(1, HashIndexLayout.ROWS_MAX);
    assertThat(candidatesOf(1)).containsExactly(HashIndexLayout.ROWS_MAX);
  }
}
