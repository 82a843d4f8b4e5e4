package io.gpdb.planner.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Streams that pass on batches of another, and what is said of them and to them. */
class FieldsSourceTest {
  private static final long COPIED_BYTES = 40;
  private static final long STORED_BYTES = 24;

  /** The one field of {@link TabletRows} that holds rows of a tablet. */
  private static final int ROWS_FIELD = 2;

  private static final HostBuffer ROWS = HostBuffer.collected(4);

  /** Three rows of a tablet, of which nothing is read. */
  private static final class TabletRows extends Batch {
    private boolean isClosed;

    @Override
    public int rows() {
      return 3;
    }

    @Override
    public boolean ownsColumns() {
      return true;
    }

    @Override
    public @Nullable InTablet inTablet(int field) {
      return field == ROWS_FIELD ? new InTablet(7, ROWS, true) : null;
    }

    @Override
    public long copiedBytes() {
      return COPIED_BYTES;
    }

    @Override
    public long storedBytes() {
      return STORED_BYTES;
    }

    @Override
    public DeviceBuffer values(int field) {
      throw new AssertionError();
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      throw new AssertionError();
    }

    @Override
    public StringDomain strings(int field) {
      throw new AssertionError();
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  /** One batch, together with others if wanted, and what its reader said. */
  private static final class Heard extends Source {
    private final List<String> said = new ArrayList<>();
    private final TabletRows rows = new TabletRows();

    Heard() {
      super(List.of(column("a"), column("b"), column("rows")));
    }

    @Override
    public Batches start(Execution x, BitSet needed) {
      said.add("read " + needed);
      return new Batches() {
        @Override
        public Batch next() {
          said.add("next");
          return rows;
        }

        @Override
        public Batch nextTogether() {
          said.add("together");
          return rows;
        }

        @Override
        public void expectAll() {
          said.add("all");
        }

        @Override
        public void leaveRows(LongFunction<HostBuffer> memory) {
          said.add("left in " + memory.apply(1).bytes());
        }

        @Override
        public void close() {
          said.add("closed");
        }
      };
    }

    @Override
    public double estimatedRows(Execution x) {
      return 3;
    }

    @Override
    public void explain(Outline outline) {}

    @Override
    public void kernels(List<Kernel> kernels) {}
  }

  private static SourceColumn column(String name) {
    return new SourceColumn(name, SqlTypeSpec.INTEGER, false);
  }

  private static FieldsSource lastAndFirst(Source input) {
    return new FieldsSource(input, new int[] {ROWS_FIELD, 0}, List.of(column("x"), column("y")));
  }

  private static Batches opened(Source source) {
    BitSet needed = new BitSet();
    needed.set(0);
    return source.open(new Execution(null, null, null, null), needed);
  }

  @Test
  void aFieldIsInATabletWhereTheInputsFieldIs() {
    try (Batches batches = opened(lastAndFirst(new Heard()));
        Batch batch = batches.next()) {
      Batch.InTablet inTablet = batch.inTablet(0);
      assertThat(inTablet).isEqualTo(new Batch.InTablet(7, ROWS, true));
      assertThat(batch.inTablet(1)).isNull();
    }
  }

  @Test
  void aBatchOfFieldsCopiesStoresAndOwnsWhatTheInputsDoes() {
    Heard input = new Heard();
    try (Batches batches = opened(lastAndFirst(input))) {
      for (Batch batch : new Batch[] {batches.next(), batches.nextTogether()}) {
        assertThat(batch).isNotSameAs(input.rows);
        assertThat(batch.rows()).isEqualTo(3);
        assertThat(batch.copiedBytes()).isEqualTo(COPIED_BYTES);
        assertThat(batch.storedBytes()).isEqualTo(STORED_BYTES);
        assertThat(batch.ownsColumns()).isTrue();
        input.rows.isClosed = false;
        batch.close();
        assertThat(input.rows.isClosed).isTrue();
      }
    }
  }

  @Test
  void whatAStreamIsToldReachesThoseThatItIsMadeOf() {
    Heard ofFields = new Heard();
    Heard ofShares = new Heard();
    for (Source source : List.of(lastAndFirst(ofFields), new SharingSource(ofShares, List.of()))) {
      try (Batches batches = opened(source)) {
        batches.expectAll();
        batches.leaveRows(_ -> ROWS);
        batches.nextTogether();
        batches.next();
      }
    }
    assertThat(ofFields.said)
        .containsExactly("read {2}", "all", "left in 4", "together", "next", "closed");
    assertThat(ofShares.said)
        .containsExactly("read {0}", "all", "left in 4", "together", "next", "closed");
  }
}
