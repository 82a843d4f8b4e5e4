package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.bridge.BridgeQuery;
import io.gpdb.planner.bridge.LeafChoice;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.CopySource;
import io.gpdb.sql.tree.DependentJoin;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Runs whole queries in Calcite's enumerable convention, with tables as leaves. */
public final class BridgedTrees implements WholeTrees {
  @Override
  public Source of(RelNode tree, Function<RelNode, Source> mapper, Tables tables)
      throws NotCovered {
    BridgeQuery query = BridgeQuery.compile(tree, LeafChoice.SCANS);
    IdentityHashMap<RelNode, Source> leaves = new IdentityHashMap<>();
    for (RelNode leaf : query.leaves()) {
      leaves.put(leaf, leaf(leaf, mapper, tables));
    }
    return new BridgeSource(
        TreeMapper.columns(tree),
        query,
        leaves,
        new SubQueryPlans(mapper, query.functions()),
        parameterTypes(tree),
        "all");
  }

  private static Source leaf(RelNode leaf, Function<RelNode, Source> mapper, Tables tables)
      throws NotCovered {
    if (leaf instanceof DependentJoin join) {
      return new DependentJoinSource(
          TreeMapper.columns(join),
          join,
          mapper.apply(join.getInput()),
          mapper.apply(join.query()));
    }
    Source table = tables.of((TableScan) leaf);
    return table.hasDeadRows() ? new CopySource(table) : table;
  }

  private static @Nullable SqlTypeSpec[] parameterTypes(RelNode tree) {
    Map<Integer, SqlTypeSpec> found = new TreeMap<>();
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        node.accept(
            new RexShuttle() {
              @Override
              public RexNode visitDynamicParam(RexDynamicParam parameter) {
                if (parameter.getType().getSqlTypeName() != SqlTypeName.NULL) {
                  found.put(parameter.getIndex(), GpTypes.spec(parameter.getType()));
                }
                return parameter;
              }
            });
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    int count = found.keySet().stream().mapToInt(i -> i + 1).max().orElse(0);
    @Nullable SqlTypeSpec[] types = new SqlTypeSpec[count];
    found.forEach((index, type) -> types[index] = type);
    return types;
  }
}
