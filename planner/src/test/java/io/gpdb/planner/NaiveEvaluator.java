package io.gpdb.planner;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelFieldCollation.NullDirection;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Answers a query by nested loops over its tree as it was written, without any rewriting: each
 * subquery is evaluated anew for each row. Too simple to be wrong, and slow. Values are Long,
 * Boolean, String, or null for NULL.
 */
final class NaiveEvaluator {
  private final Map<String, List<Object[]>> tables;

  NaiveEvaluator(Map<String, List<Object[]>> tables) {
    this.tables = tables;
  }

  List<Object[]> rows(RelNode tree) {
    return rows(tree, Map.of());
  }

  /** The rows of a tree where the variables of enclosing rows have those values. */
  List<Object[]> rows(RelNode tree, Map<CorrelationId, Object[]> outer) {
    return switch (tree) {
      case TableScan scan -> tables.get(scan.getTable().getQualifiedName().getLast());
      case Values values -> literals(values);
      case Filter filter -> {
        List<Object[]> kept = new ArrayList<>();
        for (Object[] row : rows(filter.getInput(), outer)) {
          NaiveExpression at = at(row, outer, filter.getVariablesSet());
          if (Boolean.TRUE.equals(at.value(filter.getCondition()))) {
            kept.add(row);
          }
        }
        yield kept;
      }
      case Project project -> {
        List<Object[]> projected = new ArrayList<>();
        for (Object[] row : rows(project.getInput(), outer)) {
          NaiveExpression at = at(row, outer, project.getVariablesSet());
          projected.add(project.getProjects().stream().map(at::value).toArray());
        }
        yield projected;
      }
      case Join join -> join(join, outer);
      case Correlate correlate -> correlate(correlate, outer);
      case Aggregate aggregate -> aggregate(aggregate, rows(aggregate.getInput(), outer));
      case Sort sort -> sort(sort, rows(sort.getInput(), outer));
      case Union union -> {
        List<Object[]> all = new ArrayList<>();
        union.getInputs().forEach(input -> all.addAll(rows(input, outer)));
        yield union.all ? all : distinct(all);
      }
      case Intersect set when !set.all -> {
        List<Object[]> left = rows(set.getInput(0), outer);
        for (RelNode input : set.getInputs().subList(1, set.getInputs().size())) {
          left = members(left, rows(input, outer), true);
        }
        yield distinct(left);
      }
      case Minus set when !set.all -> {
        List<Object[]> left = rows(set.getInput(0), outer);
        for (RelNode input : set.getInputs().subList(1, set.getInputs().size())) {
          left = members(left, rows(input, outer), false);
        }
        yield distinct(left);
      }
      default -> throw new UnsupportedOperationException(tree.getRelTypeName());
    };
  }

  private NaiveExpression at(
      Object[] row, Map<CorrelationId, Object[]> outer, Set<CorrelationId> variables) {
    Map<CorrelationId, Object[]> known = outer;
    if (!variables.isEmpty()) {
      known = new HashMap<>(outer);
      for (CorrelationId variable : variables) {
        known.put(variable, row);
      }
    }
    return new NaiveExpression(this, row, known);
  }

  private static List<Object[]> literals(Values values) {
    List<Object[]> rows = new ArrayList<>();
    for (List<RexLiteral> tuple : values.getTuples()) {
      rows.add(tuple.stream().map(NaiveExpression::literal).toArray());
    }
    return rows;
  }

  private static Object[] joined(Object[] left, Object[] right) {
    Object[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }

  private List<Object[]> join(Join join, Map<CorrelationId, Object[]> outer) {
    List<Object[]> left = rows(join.getLeft(), outer);
    List<Object[]> right = rows(join.getRight(), outer);
    JoinRelType type = join.getJoinType();
    List<Object[]> result = new ArrayList<>();
    boolean[] matchedRight = new boolean[right.size()];
    for (Object[] l : left) {
      boolean matched = false;
      for (int r = 0; r < right.size(); r++) {
        Object[] both = joined(l, right.get(r));
        if (Boolean.TRUE.equals(
            at(both, outer, join.getVariablesSet()).value(join.getCondition()))) {
          matched = true;
          matchedRight[r] = true;
          result.add(both);
        }
      }
      if (!matched && type.generatesNullsOnRight()) {
        result.add(joined(l, new Object[join.getRight().getRowType().getFieldCount()]));
      }
    }
    for (int r = 0; r < right.size(); r++) {
      if (!matchedRight[r] && type.generatesNullsOnLeft()) {
        result.add(joined(new Object[join.getLeft().getRowType().getFieldCount()], right.get(r)));
      }
    }
    return result;
  }

  private List<Object[]> correlate(Correlate correlate, Map<CorrelationId, Object[]> outer) {
    List<Object[]> result = new ArrayList<>();
    for (Object[] l : rows(correlate.getLeft(), outer)) {
      Map<CorrelationId, Object[]> known = new HashMap<>(outer);
      known.put(correlate.getCorrelationId(), l);
      List<Object[]> right = rows(correlate.getRight(), known);
      right.forEach(r -> result.add(joined(l, r)));
      if (right.isEmpty() && correlate.getJoinType() == JoinRelType.LEFT) {
        result.add(joined(l, new Object[correlate.getRight().getRowType().getFieldCount()]));
      }
    }
    return result;
  }

  private static List<Object[]> distinct(List<Object[]> rows) {
    Set<List<Object>> seen = new LinkedHashSet<>();
    rows.forEach(row -> seen.add(Arrays.asList(row)));
    return seen.stream().map(List::toArray).toList();
  }

  private static List<Object[]> members(List<Object[]> left, List<Object[]> right, boolean in) {
    Set<List<Object>> set = new HashSet<>();
    right.forEach(row -> set.add(Arrays.asList(row)));
    return left.stream().filter(row -> set.contains(Arrays.asList(row)) == in).toList();
  }

  private static List<Object[]> aggregate(Aggregate aggregate, List<Object[]> rows) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      throw new UnsupportedOperationException("grouping sets");
    }
    Map<List<Object>, List<Object[]>> groups = new LinkedHashMap<>();
    for (Object[] row : rows) {
      List<Object> key = new ArrayList<>();
      aggregate.getGroupSet().forEach(field -> key.add(row[field]));
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }
    if (aggregate.getGroupSet().isEmpty() && groups.isEmpty()) {
      groups.put(List.of(), List.of());
    }
    List<Object[]> result = new ArrayList<>();
    groups.forEach(
        (key, members) -> {
          List<Object> row = new ArrayList<>(key);
          aggregate.getAggCallList().forEach(call -> row.add(aggregate(call, members)));
          result.add(row.toArray());
        });
    return result;
  }

  private static Object aggregate(AggregateCall call, List<Object[]> rows) {
    List<Object> values = new ArrayList<>();
    for (Object[] row : rows) {
      boolean counts = call.filterArg < 0 || Boolean.TRUE.equals(row[call.filterArg]);
      Object value = call.getArgList().isEmpty() ? Boolean.TRUE : row[call.getArgList().get(0)];
      if (counts && value != null && !(call.isDistinct() && values.contains(value))) {
        values.add(value);
      }
    }
    return switch (call.getAggregation().getKind()) {
      case COUNT -> (long) values.size();
      case SUM -> values.isEmpty() ? null : values.stream().mapToLong(v -> (Long) v).sum();
      case SUM0 -> values.stream().mapToLong(v -> (Long) v).sum();
      case MIN -> values.stream().min(NaiveExpression::compare).orElse(null);
      case MAX -> values.stream().max(NaiveExpression::compare).orElse(null);
      case SINGLE_VALUE -> {
        if (rows.size() > 1) {
          throw new GpdbException(SqlCondition.CARDINALITY, rows.size() + " rows");
        }
        yield values.isEmpty() ? null : values.getFirst();
      }
      default -> throw new UnsupportedOperationException(call.toString());
    };
  }

  private static List<Object[]> sort(Sort sort, List<Object[]> rows) {
    List<Object[]> sorted = new ArrayList<>(rows);
    Comparator<Object[]> order = (a, b) -> 0;
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      order = order.thenComparing((a, b) -> compare(key, a, b));
    }
    sorted.sort(order);
    int from = Math.min(number(sort.offset, 0), sorted.size());
    int to = Math.min(from + number(sort.fetch, sorted.size()), sorted.size());
    return sorted.subList(from, to);
  }

  private static int compare(RelFieldCollation key, Object[] a, Object[] b) {
    Object x = a[key.getFieldIndex()];
    Object y = b[key.getFieldIndex()];
    if (x == null || y == null) {
      int nullFirst = x == y ? 0 : x == null ? -1 : 1;
      return key.nullDirection == NullDirection.FIRST ? nullFirst : -nullFirst;
    }
    int order = NaiveExpression.compare(x, y);
    return key.getDirection().isDescending() ? -order : order;
  }

  private static int number(RexNode node, int otherwise) {
    return node == null
        ? otherwise
        : ((RexLiteral) node).getValueAs(BigDecimal.class).intValueExact();
  }
}
