package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.DenseColumn;
import io.gpdb.exec.library.GridFilterProject;
import io.gpdb.exec.library.LaneProgram;
import io.gpdb.exec.library.SelectedRows;
import io.gpdb.planner.expression.KernelExpression;
import io.gpdb.planner.expression.KernelExpressions;
import io.gpdb.planner.expression.NotCovered;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Filter and projection of each batch in one kernel; row ids come from the kernel's positions. */
final class FilterProjectSource extends Source {
  private static final double SELECTIVITY_ASSUMED = 0.25;

  private final Source input;
  private final @Nullable RexNode filter;
  private final List<RexNode> outputs;
  private final KernelExpressions expressions;
  private final List<@Nullable KernelExpression> compiled;
  private final GridFilterProject kernel;

  FilterProjectSource(
      Device device,
      RexBuilder rexBuilder,
      Source input,
      @Nullable RexNode filter,
      List<RexNode> outputs,
      List<SourceColumn> columns,
      String name)
      throws NotCovered {
    super(columns);
    this.input = input;
    this.filter = filter;
    this.outputs = List.copyOf(outputs);
    expressions = new KernelExpressions(input.types(), rexBuilder);
    LaneProgram condition = filter == null ? null : expressions.compile(filter).program();
    compiled = new ArrayList<>();
    List<GridFilterProject.Output> kernelOutputs = new ArrayList<>();
    int ids = -1;
    for (int i = 0; i < outputs.size(); i++) {
      if (ids < 0 && isRowId(input, outputs.get(i))) {
        ids = i;
        compiled.add(null);
        continue;
      }
      KernelExpression output = expressions.compile(outputs.get(i));
      compiled.add(output);
      kernelOutputs.add(
          new GridFilterProject.Output(Launching.element(columns.get(i).type()), output.program()));
    }
    kernel =
        new GridFilterProject(
            device, name, expressions.inputs(), condition, kernelOutputs, ids >= 0);
  }

  private static boolean isRowId(Source input, RexNode output) {
    return output instanceof RexInputRef ref && ref.getIndex() == input.rowIdField();
  }

  @Override
  public Batches open(Execution x, BitSet needed) {
    BitSet read = new BitSet();
    for (int column : expressions.columnsRead()) {
      read.set(column);
    }
    Batches batches = input.open(x, read);
    BatchBinding binding = new BatchBinding(expressions, input.types(), x);
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        try (Batch batch = batches.next()) {
          return batch == null ? null : filtered(batch, binding);
        }
      }

      @Override
      public void close() {
        batches.close();
      }
    };
  }

  private Batch filtered(Batch batch, BatchBinding binding) {
    BatchMemory memory = new BatchMemory();
    try {
      SelectedRows rows =
          Launching.translated(
              expressions,
              () -> kernel.run(binding.bind(batch), batch.rows(), batch.live(), memory));
      DenseBatch result = new DenseBatch(rows.count(), outputs.size(), memory);
      int column = 0;
      for (int i = 0; i < outputs.size(); i++) {
        KernelExpression output = compiled.get(i);
        if (output == null) {
          result.set(i, rowIds(rows, batch.rowBase(), memory), null);
        } else {
          DenseColumn dense = rows.columns().get(column++);
          result.set(i, dense.values(), dense.validity()).strings(i, output.domain(binding));
        }
      }
      return result;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private static MemorySegment rowIds(SelectedRows rows, long base, BatchMemory memory) {
    MemorySegment positions = rows.rowIds();
    if (positions == null) {
      throw new IllegalStateException("the kernel gives no positions");
    }
    MemorySegment ids = memory.allocate(rows.count() * (long) Long.BYTES, Long.BYTES);
    for (int i = 0; i < rows.count(); i++) {
      int position = positions.getAtIndex(ValueLayout.JAVA_INT, i);
      ids.setAtIndex(ValueLayout.JAVA_LONG, i, base + position);
    }
    return ids;
  }

  @Override
  public double estimatedRows(Execution x) {
    double rows = input.estimatedRows(x);
    return filter == null ? rows : Math.max(1, rows * SELECTIVITY_ASSUMED);
  }

  @Override
  public void explain(Outline outline) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    String text =
        (filter == null ? "project" : "filter " + RexText.of(filter, names) + ", project")
            + " "
            + RexText.of(outputs, names);
    outline.operator(text, "kernel " + kernel.kernel().name(), this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(kernel.kernel());
    input.kernels(kernels);
  }
}
