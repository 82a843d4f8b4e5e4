package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.tree.Raising;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.index.KeyRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * What a condition says of single columns of a table: ranges that their values are in, where they
 * are whole numbers as they are stored (dates, times and decimals are).
 */
public final class ColumnRanges {
  private final List<KeyCompare> compares;

  private ColumnRanges(List<KeyCompare> compares) {
    this.compares = compares;
  }

  /** A range of a column's values; empty where the least is greater than the greatest. */
  public record Range(int column, long least, long greatest) {
    private Range and(long low, long high) {
      return new Range(column, Math.max(least, low), Math.min(greatest, high));
    }
  }

  /**
   * The ranges of a condition over the table's columns; null where it says nothing of them, or may
   * raise an error for a row that is in none.
   */
  public static @Nullable ColumnRanges of(
      RexBuilder builder, TableDef table, @Nullable RexNode condition) {
    if (condition == null || Raising.mayRaise(condition)) {
      return null;
    }
    List<RexNode> parts = RelOptUtil.conjunctions(RexUtil.expandSearch(builder, null, condition));
    List<KeyCompare> compares = new ArrayList<>(KeyCompare.all(table, parts));
    compares.removeIf(compare -> !isRange(table, compare));
    return compares.isEmpty() ? null : new ColumnRanges(compares);
  }

  private static boolean isRange(TableDef table, KeyCompare compare) {
    SqlTypeSpec type = table.column(compare.column()).type();
    ElementType element = type.element();
    return (element == ElementType.I32 || element == ElementType.I64)
        && !type.kind().isString()
        && compare.operands().size() == 1
        && compare.operands().getFirst() != KeyCompare.IS_NULL;
  }

  /** The ranges for these parameters, one for each column; a NULL leaves an empty one. */
  public List<Range> ranges(ParameterValues parameters) {
    Map<Integer, Range> ranges = new LinkedHashMap<>();
    for (KeyCompare compare : compares) {
      Range range =
          ranges.computeIfAbsent(
              compare.column(), column -> new Range(column, Long.MIN_VALUE, Long.MAX_VALUE));
      ranges.put(
          compare.column(),
          narrowed(range, compare, compare.operands().getFirst().value(parameters)));
    }
    return List.copyOf(ranges.values());
  }

  private static Range narrowed(Range range, KeyCompare compare, KeyRange.@Nullable Value value) {
    if (value == null) {
      return range.and(Long.MAX_VALUE, Long.MIN_VALUE);
    }
    long raw = value.raw();
    return switch (compare.kind()) {
      case EQUAL -> range.and(raw, raw);
      case LOW -> {
        boolean none = !compare.included() && raw == Long.MAX_VALUE;
        yield none
            ? range.and(Long.MAX_VALUE, Long.MIN_VALUE)
            : range.and(compare.included() ? raw : raw + 1, Long.MAX_VALUE);
      }
      case HIGH -> {
        boolean none = !compare.included() && raw == Long.MIN_VALUE;
        yield none
            ? range.and(Long.MAX_VALUE, Long.MIN_VALUE)
            : range.and(Long.MIN_VALUE, compare.included() ? raw : raw - 1);
      }
      case PRESENT -> range;
    };
  }
}
