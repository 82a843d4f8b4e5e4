package io.gpdb.planner.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever asks for all rows of an operator asks for all of what is below it. */
class ExpectedWholeTest {
  private static final List<SourceColumn> COLUMNS =
      List.of(new SourceColumn("x", SqlTypeSpec.INTEGER, false));

  /** No rows. */
  private static final class Empty extends Source {
    private int opened;
    private int expected;

    Empty() {
      super(COLUMNS);
    }

    @Override
    public Batches start(Execution x, BitSet needed) {
      opened++;
      return new Batches() {
        @Override
        public @Nullable Batch next() {
          return null;
        }

        @Override
        public void expectAll() {
          expected++;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public double estimatedRows(Execution x) {
      return 0;
    }

    @Override
    public void explain(Outline outline) {}

    @Override
    public void kernels(List<Kernel> kernels) {}
  }

  private static void read(Source source, boolean whole) {
    BitSet needed = new BitSet();
    needed.set(0);
    try (Batches batches = source.open(new Execution(null, null, null, null), needed)) {
      if (whole) {
        batches.expectAll();
      }
      assertThat(batches.next()).isNull();
    }
  }

  @Test
  void fieldsInAnotherOrder() {
    Empty rows = new Empty();
    FieldsSource fields = new FieldsSource(rows, new int[] {0}, COLUMNS);
    read(fields, false);
    assertThat(rows).returns(1, r -> r.opened).returns(0, r -> r.expected);
    read(fields, true);
    assertThat(rows).returns(2, r -> r.opened).returns(1, r -> r.expected);
  }

  @Test
  void eachInputOfAUnion() {
    Empty one = new Empty();
    Empty other = new Empty();
    UnionSource union = new UnionSource(COLUMNS, List.of(one, other));
    read(union, false);
    assertThat(other).returns(1, r -> r.opened).returns(0, r -> r.expected);
    read(union, true);
    assertThat(one).returns(2, r -> r.opened).returns(1, r -> r.expected);
    assertThat(other).returns(2, r -> r.opened).returns(1, r -> r.expected);
  }
}
