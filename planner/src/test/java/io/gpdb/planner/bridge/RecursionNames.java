package io.gpdb.planner.bridge;

import com.google.common.collect.ImmutableList;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.logical.LogicalRepeatUnion;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalTableSpool;
import org.apache.calcite.schema.impl.ListTransientTable;

/**
 * Assigns every recursion of a tree a table of its own. A recursive query that is referred to twice
 * is twice in the tree, and whichever of the two ends first would take the table away from the
 * other.
 */
final class RecursionNames extends RelHomogeneousShuttle {
  private int found;

  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other); // the inner recursions first: they may have the same name
    if (!(node instanceof RepeatUnion union) || union.getTransientTable() == null) {
      return node;
    }
    RelOptTable table = union.getTransientTable();
    String name = table.getQualifiedName().getLast() + "#" + ++found;
    RelOptTable own =
        RelOptTableImpl.create(
            table.getRelOptSchema(),
            table.getRowType(),
            new ListTransientTable(name, table.getRowType()),
            ImmutableList.of(name));
    Renaming renaming = new Renaming(table, own);
    return LogicalRepeatUnion.create(
        union.getSeedRel().accept(renaming),
        union.getIterativeRel().accept(renaming),
        union.all,
        union.iterationLimit,
        own);
  }

  private static final class Renaming extends RelHomogeneousShuttle {
    private final RelOptTable from;
    private final RelOptTable to;

    Renaming(RelOptTable from, RelOptTable to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public RelNode visit(RelNode other) {
      RelNode node = super.visit(other);
      if (node instanceof TableScan scan && isRenamed(scan.getTable())) {
        return LogicalTableScan.create(scan.getCluster(), to, scan.getHints());
      }
      if (node instanceof TableSpool spool && isRenamed(spool.getTable())) {
        return LogicalTableSpool.create(spool.getInput(), spool.readType, spool.writeType, to);
      }
      return node;
    }

    private boolean isRenamed(RelOptTable table) {
      return table.unwrap(ListTransientTable.class) != null
          && table.getQualifiedName().equals(from.getQualifiedName());
    }
  }
}
