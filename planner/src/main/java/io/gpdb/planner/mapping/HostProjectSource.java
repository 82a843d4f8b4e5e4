package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.tree.HiddenQueries;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Filter and projection row by row, for expressions that kernels lack. */
final class HostProjectSource extends Source {
  private static final double SELECTIVITY_ASSUMED = 0.25;

  private final Source input;
  private final @Nullable RexNode filter;
  private final List<RexNode> outputs;
  private final @Nullable HostExpression condition;
  private final List<HostExpression> compiled = new ArrayList<>();
  private final RexBuilder rexBuilder;
  private final SubQueryPlans subQueries;

  /**
   * @param mapper maps the queries that expressions call
   */
  HostProjectSource(
      Function<RelNode, Source> mapper,
      RexBuilder rexBuilder,
      Source input,
      @Nullable RexNode filter,
      List<RexNode> outputs,
      List<SourceColumn> columns)
      throws NotCovered {
    super(columns);
    this.input = input;
    this.filter = filter;
    this.outputs = List.copyOf(outputs);
    this.rexBuilder = rexBuilder;
    HostCompiler compiler = new HostCompiler(rexBuilder, true);
    List<RexNode> nodes = new ArrayList<>(outputs);
    condition = filter == null ? null : compiler.condition(filter);
    if (filter != null) {
      nodes.add(filter);
    }
    for (RexNode output : outputs) {
      compiled.add(compiler.compile(output));
    }
    subQueries = new SubQueryPlans(mapper, HiddenQueries.functions(nodes));
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return over(input.open(x, read(needed)), x, needed);
  }

  /** The same over batches of the input that have the fields of {@link #read}. */
  Batches over(Batches batches, Execution x, BitSet needed) {
    return new Projected(batches, new RowsBuilder(types()), x, needed);
  }

  /** The fields of the input that the condition and those outputs read. */
  BitSet read(BitSet needed) {
    BitSet read = new BitSet();
    if (filter != null) {
      read.or(RelOptUtil.InputFinder.bits(filter).toBitSet());
    }
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      read.or(RelOptUtil.InputFinder.bits(outputs.get(i)).toBitSet());
    }
    return read;
  }

  /** One execution: a position in the input's batches. */
  private final class Projected implements Batches, HostRow {
    private final Batches batches;
    private final RowsBuilder builder;
    private final BitSet needed;
    private final Execution x;
    private final SubQueryPlans.Run queries;
    private @Nullable Batch current;
    private int row;

    Projected(Batches batches, RowsBuilder builder, Execution x, BitSet needed) {
      this.needed = needed;
      this.batches = batches;
      this.builder = builder;
      this.x = x;
      this.queries = subQueries.begin(x);
    }

    @Override
    public @Nullable Batch next() {
      while (!builder.isFull() && advance()) {
        try {
          project();
        } catch (GpdbException e) {
          Batch batch = current;
          throw batch == null ? e : failingRow().explained(e, x, batch, row);
        }
      }
      return builder.rows() == 0 ? null : builder.batch();
    }

    @Override
    public void expectAll() {
      batches.expectAll();
    }

    private FailingRow failingRow() {
      return new FailingRow(input, rexBuilder, filter, outputs, needed);
    }

    private void project() {
      if (condition == null || Boolean.TRUE.equals(condition.evaluate(this))) {
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
          builder.set(i, compiled.get(i).evaluate(this));
        }
        builder.endRow();
      }
    }

    private boolean advance() {
      while (true) {
        Batch batch = current;
        if (batch == null) {
          batch = batches.next();
          if (batch == null) {
            return false;
          }
          current = batch;
          row = -1;
        }
        row++;
        StopSignal.poll(row);
        while (row < batch.rows() && !batch.isLive(row)) {
          row++;
        }
        if (row < batch.rows()) {
          return true;
        }
        batch.close();
        current = null;
      }
    }

    @Override
    public @Nullable Object column(int index) {
      Batch batch = current;
      return batch == null ? null : batch.value(index, input.columns().get(index).type(), row);
    }

    @Override
    public @Nullable Object subQuery(SubQueryFunction function, @Nullable Object[] arguments) {
      @Nullable Object[] encoded = new Object[arguments.length];
      for (int i = 0; i < encoded.length; i++) {
        encoded[i] = Bytes.encoded(function.argumentTypes().get(i), arguments[i]);
      }
      return Bytes.decoded(function.valueType(), queries.value(function, encoded));
    }

    @Override
    public ParameterValues parameters() {
      return x.parameters();
    }

    @Override
    public void close() {
      if (current != null) {
        current.close();
      }
      batches.close();
    }
  }

  @Override
  public boolean isOneRow() {
    return input.isOneRow();
  }

  @Override
  public double estimatedRows(Execution x) {
    double rows = input.estimatedRows(x);
    return filter == null ? rows : Math.max(1, rows * SELECTIVITY_ASSUMED);
  }

  /** The value of a subquery without arguments, as its bits, its bytes, or null. */
  @Nullable Object value(SubQueryFunction function, Execution x) {
    return subQueries.begin(x).value(function, new Object[0]);
  }

  Source input() {
    return input;
  }

  @Override
  public void explain(Outline outline) {
    explain(outline, this);
  }

  /** As {@link #explain(Outline)}, with what that source was measured to do. */
  void explain(Outline outline, Source measured) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    String text = RexText.projection(filter, outputs, names);
    outline.operator(text, "host", measured);
    outline.below(input);
    subQueries.explain(outline);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
    subQueries.kernels(kernels);
  }
}
