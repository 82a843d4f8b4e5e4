package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowReader;
import io.gpdb.planner.batch.Source;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.tree.GroupedQuery;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/**
 * The plan that finds the values of a subquery for all outer values at once. It runs when a second
 * one is asked for; if it raises an error, each value is again found by itself, so that only an
 * error of a value that is asked for is raised.
 */
final class GroupedValues {
  /** Values that are found one by one before all are. */
  private static final int SINGLE_VALUES = 1;

  private static final int GROUPS_MAX = 1 << 19;

  private final Source source;
  private final List<Integer> arguments;

  private GroupedValues(Source source, List<Integer> arguments) {
    this.source = source;
    this.arguments = arguments;
  }

  /** For a function, or null where its values are not found so. */
  static @Nullable GroupedValues of(Function<RelNode, Source> mapper, SubQueryFunction function) {
    GroupedQuery query = GroupedQuery.of(function);
    return query == null ? null : new GroupedValues(mapper.apply(query.tree()), query.arguments());
  }

  /** What one statement has found. */
  static final class Found {
    private int asked;
    private boolean given;
    private @Nullable Map<List<@Nullable Object>, @Nullable Object> values;
  }

  /** Whether a value is now to be looked up, which {@link #find} then does. */
  boolean isRun(Found found, Execution x) {
    if (found.asked < SINGLE_VALUES) {
      found.asked++;
      return false;
    }
    if (!found.given) {
      found.given = true;
      found.values = all(x);
    }
    return found.values != null;
  }

  private @Nullable Map<List<@Nullable Object>, @Nullable Object> all(Execution x) {
    Map<List<@Nullable Object>, @Nullable Object> values = new HashMap<>();
    int keys = arguments.size();
    try (RowReader rows = new RowReader(source, x)) {
      while (rows.advance()) {
        List<@Nullable Object> key = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
          key.add(rows.value(i));
        }
        values.put(key, rows.value(keys));
        if (values.size() > GROUPS_MAX) {
          return null;
        }
      }
      return values;
    } catch (GpdbException e) {
      if (isOfSomeRow(e)) {
        return null;
      }
      throw e;
    }
  }

  /** An error in data: it may be one of a group that nobody asks for. */
  private static boolean isOfSomeRow(GpdbException e) {
    return e.sqlState().startsWith("22") || e.code() == SqlCondition.CARDINALITY;
  }

  /** The value for those arguments in an array of one; null where no row has them. */
  @Nullable Object @Nullable [] find(Found found, @Nullable Object[] values) {
    Map<List<@Nullable Object>, @Nullable Object> all = found.values;
    List<@Nullable Object> key = new ArrayList<>();
    for (int argument : arguments) {
      key.add(values[argument]);
    }
    if (all == null || key.contains(null) || !all.containsKey(key)) {
      return null;
    }
    return new @Nullable Object[] {all.get(key)};
  }

  void explain(Outline outline) {
    outline.line("  and for all of them at once, when a second one is asked for:");
    outline.below(source);
  }

  void kernels(List<Kernel> kernels) {
    source.kernels(kernels);
  }
}
