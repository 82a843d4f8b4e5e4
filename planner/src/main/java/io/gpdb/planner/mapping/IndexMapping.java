package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.query.ExtremeQuery;
import io.gpdb.planner.query.IndexAccess;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.run.WorkingTable;
import io.gpdb.planner.run.sort.RowOrder;
import io.gpdb.planner.run.table.IndexJoinSource;
import io.gpdb.planner.run.table.IndexSource;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.definition.TableDef;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Puts indexes in the place of tables, where a plan is made that uses them. For one plan. */
final class IndexMapping {
  private final RexBuilder rexBuilder;
  private final List<IndexSource> used = new ArrayList<>();
  private final List<IndexJoinSource> joins = new ArrayList<>();

  IndexMapping(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  List<IndexSource> used() {
    return used;
  }

  /** Whether a plan of the tree may use an index; as cheap as can be. */
  static boolean isPossible(RelNode tree, RexBuilder rexBuilder) {
    boolean[] found = {false};
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        found[0] |=
            switch (node) {
              case Filter filter -> isBounded(ScanShape.of(filter), rexBuilder);
              case Sort sort -> sort.fetch != null && hasIndex(ScanShape.of(sort.getInput()));
              case Aggregate aggregate ->
                  ExtremeQuery.extreme(aggregate) != null
                      && hasIndex(ScanShape.of(aggregate.getInput()));
              default -> false;
            };
        if (!found[0]) {
          super.visit(node, ordinal, parent);
        }
      }
    }.go(tree);
    return found[0];
  }

  private static boolean isBounded(@Nullable ScanShape shape, RexBuilder rexBuilder) {
    RexNode filter = shape == null ? null : shape.filter();
    return shape != null
        && filter != null
        && hasIndex(shape)
        && IndexAccess.all(shape.table(), conditions(filter, rexBuilder)).stream()
            .anyMatch(IndexAccess::isBounded);
  }

  private static boolean hasIndex(@Nullable ScanShape shape) {
    return shape != null && !(shape.table().keys().isEmpty() && shape.table().indexes().isEmpty());
  }

  static List<RexNode> conditions(RexNode filter, RexBuilder rexBuilder) {
    return RelOptUtil.conjunctions(RexUtil.expandSearch(rexBuilder, null, filter));
  }

  /** The pipeline with an index in the place of its table, where its filter bounds one. */
  Pipeline bounded(Pipeline p) {
    RexNode filter = p.filter();
    if (filter == null || !(p.source() instanceof TableSource stored)) {
      return p;
    }
    List<RexNode> conditions = conditions(filter, rexBuilder);
    List<IndexAccess> bounded =
        IndexAccess.all(stored.table(), conditions).stream()
            .filter(IndexAccess::isBounded)
            .toList();
    List<IndexAccess> accesses =
        bounded.stream()
            .filter(access -> bounded.stream().noneMatch(a -> a.isNarrowerThan(access)))
            .toList();
    if (accesses.isEmpty()) {
      return p;
    }
    List<RexNode> rest = new ArrayList<>(conditions);
    rest.removeIf(c -> accesses.stream().allMatch(a -> a.isExact() && a.covered().contains(c)));
    IndexSource source =
        new IndexSource(stored.table(), stored.hasRowId(), accesses, 0, null, conditions);
    used.add(source);
    return with(p, source, rest);
  }

  private Pipeline with(Pipeline p, IndexSource source, List<RexNode> rest) {
    RexNode filter = rest.isEmpty() ? null : RexUtil.composeConjunction(rexBuilder, rest);
    return new Pipeline(source, filter, p.outputs(), p.columns());
  }

  /** The pipeline with its rows in an order, or null where no index has it. */
  @Nullable Pipeline ordered(Pipeline p, Sort sort) {
    List<RelFieldCollation> collations = sort.getCollation().getFieldCollations();
    int[] by = new int[collations.size()];
    boolean[] down = new boolean[by.length];
    for (int i = 0; i < by.length; i++) {
      RelFieldCollation collation = collations.get(i);
      down[i] = collation.getDirection().isDescending();
      if (!(p.outputs().get(collation.getFieldIndex()) instanceof RexInputRef column)
          || RowOrder.nullsFirst(collation) != down[i]) {
        return null;
      }
      by[i] = column.getIndex();
    }
    RowLimit limit =
        sort.fetch == null || p.filter() != null ? null : new RowLimit(sort.offset, sort.fetch);
    for (IndexAccess access : accesses(p, limit != null)) {
      int order = access.isExact() ? access.order(by, down) : 0;
      if (order != 0) {
        return replaced(p, access, order, limit);
      }
    }
    return null;
  }

  /** The accesses of a pipeline; those of all rows too, where a limit leaves few. */
  private static List<IndexAccess> accesses(Pipeline p, boolean limited) {
    return switch (p.source()) {
      case IndexSource index -> index.accesses();
      case TableSource stored when limited && p.filter() == null ->
          IndexAccess.all(stored.table(), List.of());
      default -> List.of();
    };
  }

  private Pipeline replaced(Pipeline p, IndexAccess access, int order, @Nullable RowLimit limit) {
    TableDef table = p.source() instanceof IndexSource index ? index.table() : null;
    boolean withRowId = p.source() instanceof IndexSource index && index.hasRowId();
    if (p.source() instanceof TableSource stored) {
      table = stored.table();
      withRowId = stored.hasRowId();
    }
    if (table == null) {
      throw new IllegalStateException("neither a table nor an index");
    }
    used.removeIf(known -> known.equals(p.source()));
    List<RexNode> conditions =
        p.source() instanceof IndexSource index ? index.conditions() : List.of();
    IndexSource source =
        new IndexSource(table, withRowId, List.of(access), order, limit, conditions);
    used.add(source);
    return new Pipeline(source, p.filter(), p.outputs(), p.columns());
  }

  /** The pipeline with the row alone that has the least or greatest value asked for. */
  Pipeline extreme(Aggregate aggregate, Pipeline p) {
    AggregateCall call = ExtremeQuery.extreme(aggregate);
    if (call == null
        || p.filter() != null
        || !(p.outputs().get(call.getArgList().getFirst()) instanceof RexInputRef column)) {
      return p;
    }
    int[] by = {column.getIndex()};
    boolean[] down = {call.getAggregation().getKind() == SqlKind.MAX};
    RowLimit one = new RowLimit(null, rexBuilder.makeExactLiteral(BigDecimal.ONE));
    for (IndexAccess access : accesses(p, true)) {
      IndexAccess present = access.withPresent(by[0]);
      int order = present != null && present.isExact() ? present.order(by, down) : 0;
      if (present != null && order != 0) {
        return replaced(p, present, order, one);
      }
    }
    return p;
  }

  /** Whether few rows of a source are to be expected: an index leads to them, or a recursion. */
  static boolean isDriven(Source source) {
    return source instanceof IndexSource
        || source instanceof IndexJoinSource
        || source instanceof WorkingTable;
  }

  /** Notes a join that looks rows up, and that the index of its inner input is not followed. */
  void joins(IndexJoinSource join, Source inner) {
    used.removeIf(known -> known.equals(inner));
    joins.add(join);
  }

  List<IndexJoinSource> joins() {
    return joins;
  }
}
