package io.gpdb.planner.rewrite;

import io.gpdb.planner.order.Relation;
import io.gpdb.planner.query.IndexAccess;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.IndexKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** What the search for an order is told of an input of a region: its rows, and its indexes. */
final class RelationFacts {
  private final JoinRegion region;
  private final int input;
  private final RelNode tree;
  private final Estimates estimates;

  RelationFacts(JoinRegion region, int input, Estimates estimates) {
    this.region = region;
    this.input = input;
    this.tree = region.inputs.get(input);
    this.estimates = estimates;
  }

  /** The relation, which those conditions link to others. */
  Relation relation(List<RexNode> links) {
    double rows = estimates.rows(tree);
    ScanShape shape = ScanShape.of(tree);
    if (shape == null) {
      return Relation.of(rows);
    }
    RexBuilder builder = tree.getCluster().getRexBuilder();
    RexNode filter = shape.filter();
    List<RexNode> conditions =
        filter == null
            ? List.of()
            : RelOptUtil.conjunctions(RexUtil.expandSearch(builder, null, filter));
    List<IndexAccess> accesses = IndexAccess.all(shape.table(), conditions);
    double stored = estimates.storedRows(shape.table());
    return new Relation(
        rows,
        stored,
        accesses.stream().anyMatch(IndexAccess::isBounded),
        lookedUp(shape, conditions, links));
  }

  private long lookedUp(ScanShape shape, List<RexNode> conditions, List<RexNode> links) {
    TableDef table = shape.table();
    long[] linked = new long[table.columns().size()];
    links.forEach(link -> addLinked(link, shape, linked));
    boolean[] constant = new boolean[linked.length];
    conditions.forEach(condition -> addConstant(condition, constant));
    long found = 0;
    for (KeyDef key : table.keys()) {
      found |= lookedUp(key.columns(), key.indexKind(table), linked, constant);
    }
    for (IndexDef index : table.indexes()) {
      found |= lookedUp(index.columns(), index.kind(), linked, constant);
    }
    return found;
  }

  private static long lookedUp(int[] columns, IndexKind kind, long[] linked, boolean[] constant) {
    long found = 0;
    int known = 0;
    while (known < columns.length && (linked[columns[known]] != 0 || constant[columns[known]])) {
      found |= linked[columns[known++]];
    }
    return known == columns.length || kind == IndexKind.ORDERED ? found : 0;
  }

  private void addLinked(RexNode link, ScanShape shape, long[] linked) {
    for (RexNode part : RelOptUtil.conjunctions(link)) {
      if (part.getKind() == SqlKind.EQUALS) {
        List<RexNode> sides = ((RexCall) part).getOperands();
        addLinked(sides.get(0), sides.get(1), shape, linked);
        addLinked(sides.get(1), sides.get(0), shape, linked);
      }
    }
  }

  private void addLinked(RexNode own, RexNode other, ScanShape shape, long[] linked) {
    if (own instanceof RexInputRef field
        && region.inputOf(field.getIndex()) == input
        && shape.outputs().get(field.getIndex() - region.first.get(input))
            instanceof RexInputRef column
        && column.getIndex() < linked.length) {
      linked[column.getIndex()] |= region.inputsOf(other);
    }
  }

  private static void addConstant(RexNode condition, boolean[] constant) {
    RexInputRef column = condition.getKind() == SqlKind.EQUALS ? column((RexCall) condition) : null;
    if (column != null && column.getIndex() < constant.length) {
      constant[column.getIndex()] = true;
    }
  }

  /** The column that an equality compares with what reads no column. */
  private static @Nullable RexInputRef column(RexCall equality) {
    List<RexInputRef> columns = new ArrayList<>();
    for (RexNode side : equality.getOperands()) {
      if (side instanceof RexInputRef column) {
        columns.add(column);
      } else if (!RelOptUtil.InputFinder.bits(side).isEmpty()) {
        return null;
      }
    }
    return columns.size() == 1 ? columns.getFirst() : null;
  }
}
