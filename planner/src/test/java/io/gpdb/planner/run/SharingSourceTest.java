package io.gpdb.planner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SharingSourceTest {
  /** No rows, or at first an error. */
  private static final class Opened extends Source {
    private final @Nullable ErrorCode first;
    private int times;

    Opened(@Nullable ErrorCode first) {
      super(List.of(new SourceColumn("x", SqlTypeSpec.INTEGER, false)));
      this.first = first;
    }

    @Override
    public Batches start(Execution x, BitSet needed) {
      if (times++ == 0 && first != null) {
        throw new GpdbException(first, "the first time");
      }
      return Batches.of(null);
    }

    @Override
    public double estimatedRows(Execution x) {
      return 1;
    }

    @Override
    public void explain(Outline outline) {}

    @Override
    public void kernels(List<Kernel> kernels) {}
  }

  /** How often the rows are found where three operators read them. */
  private static int times(@Nullable ErrorCode first) {
    Opened rows = new Opened(first);
    SharedSource shared = new SharedSource(rows, all(), 1);
    UnionSource three = new UnionSource(rows.columns(), List.of(shared, shared, shared));
    Execution x = new Execution(null, null, null, null);
    try (Batches batches = new SharingSource(three, List.of(shared)).open(x, all())) {
      for (Batch batch = batches.next(); batch != null; batch = batches.next()) {
        batch.close();
      }
    }
    return rows.times;
  }

  private static BitSet all() {
    BitSet all = new BitSet();
    all.set(0);
    return all;
  }

  @Test
  void rowsAreFoundOnce() {
    assertThat(times(null)).isEqualTo(1);
  }

  @Test
  void rowsThatCannotBeKeptAreFoundByEachOperator() {
    assertThat(times(ErrorCode.OUT_OF_MEMORY)).isEqualTo(4);
    assertThat(times(ErrorCode.NUMERIC_OUT_OF_RANGE)).isEqualTo(4);
    assertThatThrownBy(() -> times(ErrorCode.CANCELLED)).isInstanceOf(GpdbException.class);
  }
}
