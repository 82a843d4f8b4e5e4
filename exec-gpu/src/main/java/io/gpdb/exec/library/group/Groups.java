package io.gpdb.exec.library.group;

import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.reduce.Aggregate;
import java.util.List;

/**
 * The result of a {@link GridGroupBy}, one row per group, ordered by the groups' first rows.
 *
 * @param count how many groups
 * @param keys each key in the element that was asked for, predicates as 0 or 1; -0.0 has become 0.0
 *     and every NaN the canonical one
 * @param aggregates in their order, see {@link Aggregate} for their types
 */
public record Groups(int count, List<DenseColumn> keys, List<DenseColumn> aggregates) {
  public Groups {
    keys = List.copyOf(keys);
    aggregates = List.copyOf(aggregates);
  }
}
