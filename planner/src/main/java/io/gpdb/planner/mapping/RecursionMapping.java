package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.RecursionSource;
import io.gpdb.planner.run.WorkingTable;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.core.RepeatUnion;

/**
 * Maps recursive queries. The step is planned twice: for a working table of few rows, which the
 * host takes one by one and looks up in indexes, and for one of many.
 */
final class RecursionMapping {
  private final TreeMapper mapper;
  private final RepeatUnion union;

  RecursionMapping(TreeMapper mapper, RepeatUnion union) {
    this.mapper = mapper;
    this.union = union;
  }

  Pipeline mapped() throws NotCovered {
    RelOptTable rows = union.getTransientTable();
    if (rows == null || union.iterationLimit >= 0) {
      throw new NotCovered("recursion");
    }
    Source seed = rows(mapper, mapper.pipeline(union.getSeedRel()));
    String name = rows.getQualifiedName().getLast();
    WorkingTable table = new WorkingTable(name, TreeMapper.columns(rows.getRowType()));
    TreeMapper inner = mapper.ofStep(name, table);
    Source step = rows(inner, inner.pipeline(union.getIterativeRel()));
    Source ofFew = inner.ofFewOr(step, union.getIterativeRel(), union.getRowType());
    return mapper.identity(
        new RecursionSource(TreeMapper.columns(union), union.all, seed, table, ofFew, step));
  }

  private Source rows(TreeMapper own, Pipeline pipeline) throws NotCovered {
    return own.dense(SetMapping.cast(own, pipeline, union.getRowType()));
  }
}
