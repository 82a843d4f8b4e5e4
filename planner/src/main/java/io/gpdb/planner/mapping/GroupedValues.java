package io.gpdb.planner.mapping;

import static java.util.Objects.requireNonNull;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowReader;
import io.gpdb.planner.batch.Source;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.tree.GroupedQuery;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
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

  /** With keys that are not words; about 100 MiB, as those below. */
  private static final int GROUPS_MAX = 1 << 19;

  private static final int WORD_GROUPS_MAX = 1 << 21;
  private static final int WORDS_OF_A_KEY_MAX = 2;

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
    private @Nullable Values values;
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

  /** What has been found, by the values of the arguments; no key has a NULL in it. */
  private sealed interface Values {
    /** Whether there was room for it. */
    boolean add(@Nullable Object[] key, @Nullable Object value);

    /** In an array of one; null where there is none. */
    @Nullable Object @Nullable [] find(@Nullable Object[] key);
  }

  private record OfWords(WordKeyedValues map) implements Values {
    private void seek(@Nullable Object[] key) {
      for (int i = 0; i < key.length; i++) {
        map.seek(i, (Long) requireNonNull(key[i]));
      }
    }

    @Override
    public boolean add(@Nullable Object[] key, @Nullable Object value) {
      seek(key);
      map.put(value);
      return map.size() <= WORD_GROUPS_MAX;
    }

    @Override
    public @Nullable Object @Nullable [] find(@Nullable Object[] key) {
      seek(key);
      return map.find();
    }
  }

  private record OfAny(Map<List<@Nullable Object>, @Nullable Object> map) implements Values {
    @Override
    public boolean add(@Nullable Object[] key, @Nullable Object value) {
      map.put(Arrays.asList(key), value);
      return map.size() <= GROUPS_MAX;
    }

    @Override
    public @Nullable Object @Nullable [] find(@Nullable Object[] key) {
      List<@Nullable Object> sought = Arrays.asList(key);
      return map.containsKey(sought) ? new @Nullable Object[] {map.get(sought)} : null;
    }
  }

  private Values empty() {
    int keys = arguments.size();
    boolean words =
        keys <= WORDS_OF_A_KEY_MAX
            && source.columns().subList(0, keys).stream()
                .noneMatch(column -> column.type().kind().isString());
    return words ? new OfWords(new WordKeyedValues(keys)) : new OfAny(new HashMap<>());
  }

  /** Null where there are too many, or one of them raises an error. */
  private @Nullable Values all(Execution x) {
    Values values = empty();
    int keys = arguments.size();
    try (RowReader rows = new RowReader(source, x)) {
      while (rows.advance()) {
        @Nullable Object[] key = new Object[keys];
        for (int i = 0; i < keys; i++) {
          key[i] = rows.value(i);
        }
        if (!hasNull(key) && !values.add(key, rows.value(keys))) {
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

  private static boolean hasNull(@Nullable Object[] key) {
    return Arrays.asList(key).contains(null);
  }

  /** An error in data: it may be one of a group that nobody asks for. */
  private static boolean isOfSomeRow(GpdbException e) {
    return e.sqlState().startsWith("22") || e.code() == SqlCondition.CARDINALITY;
  }

  /** The value for those arguments in an array of one; null where no row has them. */
  @Nullable Object @Nullable [] find(Found found, @Nullable Object[] values) {
    Values all = found.values;
    @Nullable Object[] key = new Object[arguments.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = values[arguments.get(i)];
    }
    return all == null || hasNull(key) ? null : all.find(key);
  }

  void explain(Outline outline) {
    outline.line("  and for all of them at once, when a second one is asked for:");
    outline.below(source);
  }

  void kernels(List<Kernel> kernels) {
    source.kernels(kernels);
  }
}
