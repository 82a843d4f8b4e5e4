package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.table.SampleTables;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A table may be dropped while its strings are released. */
class DiscardedCodesTest {
  private static final int TABLE = 16;
  private static final int COLUMN = 1;
  private static final int STRINGS = 1000;

  /** So often bits are asked for before the lock is taken, which a drop waits for. */
  private static final int ASKED_FIRST = 250;

  /** Calls something when it is asked for a bit for the nth time. */
  private static final class WatchedBits extends BitSet {
    private static final long serialVersionUID = 1;

    private final transient Runnable act;
    private int asked;

    WatchedBits(int nth, Runnable act) {
      this.act = act;
      this.asked = -nth;
    }

    @Override
    public int nextClearBit(int from) {
      if (++asked == 0) {
        act.run();
      }
      return super.nextClearBit(from);
    }
  }

  @Test
  void ofADictionaryThatIsDiscardedMeanwhileNothingIsReleased() {
    for (int nth = 1; nth <= ASKED_FIRST; nth += 5) {
      try (CrashableDirectory medium = new CrashableDirectory();
          TableSpace space = TableSpace.open(medium, false)) {
        Dictionary dictionary =
            Objects.requireNonNull(space.createTable(TABLE, SampleTables.SHAPE).dictionary(COLUMN));
        for (int i = 0; i < STRINGS; i++) {
          byte[] b = ("string " + i).getBytes(StandardCharsets.UTF_8);
          dictionary.intern(b, 0, b.length);
        }
        BitSet inUse = new WatchedBits(nth, () -> space.dropTable(TABLE));
        int released = dictionary.release(inUse, STRINGS, space.beginCodeRound());
        assertThat(released).as("dropped at %d", nth).isLessThan(STRINGS);
        dictionary.compact();
        assertThat(dictionary.size()).isZero();
      }
    }
  }
}
