package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.run.FilterProjectSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Maps what a pipeline still has to do: to a kernel, to the host, or to one after the other. */
final class PipelineMapping {
  private final QueryMapper mapper;

  PipelineMapping(QueryMapper mapper) {
    this.mapper = mapper;
  }

  /** The pipeline done; all its rows exist. */
  Source applied(Pipeline p) throws NotCovered {
    Source done = done(p);
    done.expect(p.expectedRows());
    return done;
  }

  private Source done(Pipeline p) throws NotCovered {
    if (p.source().isOneRow() || (mapper.isByIndex() && IndexMapping.isDriven(p.source()))) {
      Source onHost = onHostAlone(p);
      if (onHost != null) {
        return onHost;
      }
    }
    try {
      return new FilterProjectSource(
          mapper.device(),
          mapper.rexBuilder(),
          p.source(),
          p.filter(),
          p.outputs(),
          p.columns(),
          "scan",
          mapper.hostRows());
    } catch (NotCovered e) {
      return onHost(p);
    }
  }

  /** One row, or the few rows of an index one by one, where the host can do all. */
  private @Nullable Source onHostAlone(Pipeline p) {
    try {
      return byRow(p.source(), p.filter(), p.outputs(), p.columns());
    } catch (NotCovered e) {
      return null;
    }
  }

  /**
   * What a kernel can filter, it does; the rest is done row by row. Outputs that only a kernel can
   * compute become fields of what the host then reads.
   */
  private Source onHost(Pipeline p) throws NotCovered {
    RexNode filter = p.filter();
    Source input = p.source();
    if (filter != null && inKernel(input, filter)) {
      Pipeline selected = new Pipeline(input, filter, mapper.fields(input), input.columns());
      return onHost(mapper.identity(applied(selected)).projected(p.outputs(), p.columns()));
    }
    if (p.outputs().stream().allMatch(this::onHost)) {
      return byRow(mapper.dense(input), filter, p.outputs(), p.columns());
    }
    if (filter != null) {
      Source selected = byRow(mapper.dense(input), filter, mapper.fields(input), input.columns());
      return applied(mapper.identity(selected).projected(p.outputs(), p.columns()));
    }
    List<RexNode> inner = new ArrayList<>(mapper.fields(input));
    List<SourceColumn> columns = new ArrayList<>(input.columns());
    List<RexNode> outer = new ArrayList<>();
    for (int i = 0; i < p.outputs().size(); i++) {
      RexNode output = p.outputs().get(i);
      if (onHost(output)) {
        outer.add(output);
      } else if (!inKernel(input, output)) {
        throw new NotCovered(output.toString());
      } else {
        outer.add(mapper.ref(p.columns().get(i), inner.size()));
        inner.add(output);
        columns.add(p.columns().get(i));
      }
    }
    Source computed = applied(mapper.identity(input).projected(inner, columns));
    return byRow(computed, null, outer, p.columns());
  }

  private Source byRow(
      Source input, @Nullable RexNode filter, List<RexNode> outputs, List<SourceColumn> columns)
      throws NotCovered {
    return new HostProjectSource(mapper::map, mapper.rexBuilder(), input, filter, outputs, columns);
  }

  private boolean onHost(RexNode node) {
    try {
      new HostCompiler(mapper.rexBuilder(), true).compile(node);
      return true;
    } catch (NotCovered e) {
      return false;
    }
  }

  private boolean inKernel(Source input, RexNode node) {
    try {
      new KernelExpressions(input.types(), mapper.rexBuilder()).compile(node);
      return true;
    } catch (NotCovered e) {
      return false;
    }
  }

  /** Raises where neither a kernel nor the host can do it. */
  void requireRunnable(Pipeline p) throws NotCovered {
    if (p.isIdentity()) {
      return;
    }
    List<RexNode> nodes = new ArrayList<>(p.outputs());
    RexNode filter = p.filter();
    if (filter != null) {
      nodes.add(filter);
    }
    for (RexNode node : nodes) {
      if (!(node instanceof RexInputRef) && !inKernel(p.source(), node)) {
        new HostCompiler(mapper.rexBuilder(), true).compile(node);
      }
    }
  }
}
