package io.gpdb.planner.mapping;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one execution has found out about its subqueries, for each combination of outer values that
 * they read. Forgets everything when it has grown to its limit. For one thread.
 */
final class SubQueryMemo {
  /** Values, keys included; about 32 MiB. */
  private static final int VALUES_MAX = 1 << 19;

  private final Map<Object, Answer> answers = new HashMap<>();
  private final Map<Object, GroupedValues.Found> groups = new HashMap<>();
  private int values;

  /** The rows of a query, each with the bits, the bytes or null of each field. */
  record Answer(List<@Nullable Object[]> rows) {}

  /** What a query returns for some outer values. */
  record Key(Object query, List<@Nullable Object> outer) {}

  static Key key(Object query, @Nullable Object[] outer) {
    return new Key(query, Arrays.asList(outer));
  }

  /** What a query has returned for all outer values at once. */
  GroupedValues.Found groups(Object query) {
    return groups.computeIfAbsent(query, _ -> new GroupedValues.Found());
  }

  @Nullable Answer find(Key key) {
    return answers.get(key);
  }

  void add(Key key, Answer answer) {
    int size = 1 + key.outer.size();
    for (Object[] row : answer.rows) {
      size += 1 + row.length;
    }
    if (values + size > VALUES_MAX) {
      answers.clear();
      values = 0;
    }
    values += size;
    answers.put(key, answer);
  }
}
