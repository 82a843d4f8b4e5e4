package io.gpdb.bench.compared;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the expressions of a query may name.
 *
 * @param own columns of its tables, or keys and aggregates of its groups
 * @param outer the scope of the query around it
 */
record Scope(List<Column> own, @Nullable Scope outer) {
  /** A value with a name, or an expression of keys and aggregates. */
  record Column(String sql, Kind kind) {
    boolean isName() {
      return sql.indexOf('(') < 0;
    }
  }

  static Scope within(@Nullable Scope outer) {
    return new Scope(new ArrayList<>(), outer);
  }

  /** The own columns alone, for what may not be correlated. */
  Scope alone() {
    return new Scope(own, null);
  }

  List<Column> own(Kind kind) {
    return own.stream().filter(column -> column.kind == kind).toList();
  }

  /** All that may be named, the own columns twice; of outer queries no aggregates. */
  List<Column> visible(Kind kind) {
    List<Column> all = new ArrayList<>(own(kind));
    all.addAll(all);
    for (Scope around = outer; around != null; around = around.outer) {
      around.own(kind).stream().filter(Column::isName).forEach(all::add);
    }
    return all;
  }
}
