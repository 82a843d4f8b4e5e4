package io.gpdb.storage.dictionary;

import java.util.Arrays;

/**
 * What happened to the codes of a dictionary, in order, as long as the log may lack it: a code was
 * assigned to a string, or taken from it. Kept as runs of consecutive codes.
 */
final class CodeEvents {
  private static final int FIRST_CAPACITY = 16;

  private long[] starts = new long[FIRST_CAPACITY];

  /** The first code of a run; taken ones as complement. */
  private int[] codes = new int[FIRST_CAPACITY];

  private int head;
  private int tail;
  private long end;
  private long lastTakenEnd;

  CodeEvents(long end) {
    this.end = end;
  }

  synchronized long end() {
    return end;
  }

  synchronized void given(int code) {
    add(code, 1);
  }

  synchronized void taken(int code) {
    add(~code, -1);
    lastTakenEnd = end;
  }

  /** Behind the last event by which a code was taken. */
  synchronized long lastTakenEnd() {
    return lastTakenEnd;
  }

  private void add(int signed, int step) {
    boolean follows =
        tail > head
            && signed == codes[tail - 1] + (int) (end - starts[tail - 1]) * step
            && (codes[tail - 1] < 0) == (signed < 0);
    if (!follows) {
      if (tail == codes.length) {
        makeRoom();
      }
      starts[tail] = end;
      codes[tail] = signed;
      tail++;
    }
    end++;
  }

  private void makeRoom() {
    int n = tail - head;
    int capacity = Math.max(FIRST_CAPACITY, n * 2);
    long[] moreStarts = new long[capacity];
    int[] moreCodes = new int[capacity];
    System.arraycopy(starts, head, moreStarts, 0, n);
    System.arraycopy(codes, head, moreCodes, 0, n);
    starts = moreStarts;
    codes = moreCodes;
    head = 0;
    tail = n;
  }

  /** Events below this one are kept no longer. */
  synchronized void forget(long before) {
    while (head < tail && endOf(head) <= before) {
      head++;
    }
    if (head == tail && codes.length > FIRST_CAPACITY) {
      starts = new long[FIRST_CAPACITY];
      codes = new int[FIRST_CAPACITY];
      head = 0;
      tail = 0;
    }
  }

  private long endOf(int run) {
    return run + 1 < tail ? starts[run + 1] : end;
  }

  /**
   * Fills in the codes of events before {@code to}, taken ones as complement: from {@code from} on,
   * or from the first that is kept, which is returned.
   */
  synchronized long copy(long from, long to, int[] target) {
    long first = Math.min(to, head == tail ? end : Math.max(from, starts[head]));
    int n = (int) Math.min(target.length, to - first);
    int run = Arrays.binarySearch(starts, head, tail, first);
    run = run >= 0 ? run : -run - 2;
    for (int i = 0; i < n; i++) {
      long at = first + i;
      run = at == endOf(run) ? run + 1 : run;
      int distance = (int) (at - starts[run]);
      target[i] = codes[run] < 0 ? codes[run] - distance : codes[run] + distance;
    }
    return first;
  }
}
