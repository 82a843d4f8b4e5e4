package io.gpdb.planner.run;

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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a source that an operator above holds ({@link Execution#held}), with their numbers as
 * a field more, the last.
 */
public final class HeldSource extends Source {
  private final Source input;

  public HeldSource(Source input) {
    super(columns(input));
    this.input = input;
  }

  private static List<SourceColumn> columns(Source input) {
    List<SourceColumn> columns = new ArrayList<>(input.columns());
    columns.add(new SourceColumn("row", SqlTypeSpec.INTEGER, false));
    return columns;
  }

  /** Whose rows are held. */
  Source input() {
    return input;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Batch rows = x.held().get(this);
    if (rows == null) {
      throw new IllegalStateException("no rows are held");
    }
    return Batches.of(rows.rows() == 0 ? null : new Lent(rows));
  }

  /** A batch that its operator closes. */
  private static final class Lent extends Batch {
    private final Batch rows;

    Lent(Batch rows) {
      this.rows = rows;
    }

    @Override
    public int rows() {
      return rows.rows();
    }

    @Override
    public DeviceBuffer values(int field) {
      return rows.values(field);
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return rows.validity(field);
    }

    @Override
    public StringDomain strings(int field) {
      return rows.strings(field);
    }

    @Override
    public void close() {}
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    Batch rows = x.held().get(this);
    return rows == null ? input.estimatedRows(x) : rows.rows();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("held rows", "in place", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
