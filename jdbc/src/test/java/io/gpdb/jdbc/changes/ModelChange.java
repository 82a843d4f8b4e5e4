package io.gpdb.jdbc.changes;

import io.gpdb.jdbc.changes.Scope.Condition;
import io.gpdb.jdbc.changes.Scope.Expression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a statement does to a {@link ModelTable}, row by row. {@code mayFail} has the states of what
 * is wrong in between alone, {@code mustFail} of what is wrong when the statement has ended.
 */
final class ModelChange {
  final ModelTable table;
  final Set<String> mustFail = new HashSet<>();
  final Set<String> mayFail = new HashSet<>();

  /** Rows that were stored, or deleted. */
  final List<@Nullable Object[]> returned = new ArrayList<>();

  long count;

  ModelChange(ModelTable table) {
    this.table = table.copy();
  }

  /** Values for columns, by position. */
  record Assignment(int column, Expression value) {}

  /** What happens to a new row whose key exists. */
  sealed interface OnConflict {
    record Fail() implements OnConflict {}

    /**
     * @param key null for any
     */
    record Skip(int @Nullable [] key) implements OnConflict {}

    record Replace() implements OnConflict {}

    record Update(int[] key, List<Assignment> assignments, @Nullable Condition where)
        implements OnConflict {}
  }

  void insert(@Nullable Object[] row, OnConflict action) {
    if (row[ModelTable.ID] == null) {
      mustFail.add("23502");
      return;
    }
    switch (action) {
      case OnConflict.Fail() -> add(row);
      case OnConflict.Skip(int @Nullable [] key) -> {
        if (key == null ? !table.hasKeyOf(row) : table.withKeyOf(row, key).isEmpty()) {
          add(row);
        } else if (breaksCheck(row)) {
          mayFail.add("23514");
        }
      }
      case OnConflict.Replace() -> {
        for (int[] key : table.keys) {
          table.rows.removeAll(table.withKeyOf(row, key));
        }
        add(row);
      }
      case OnConflict.Update(
              int[] key,
              List<Assignment> assignments,
              @Nullable Condition where) -> {
        List<@Nullable Object[]> old = table.withKeyOf(row, key);
        if (old.isEmpty()) {
          add(row);
        } else {
          if (breaksCheck(row)) {
            mayFail.add("23514");
          }
          Scope scope = new Scope(old.getFirst(), row);
          if (where == null || where.isTrue(scope)) {
            store(old.getFirst(), assigned(scope, assignments));
          }
        }
      }
    }
    if (table.repeatsKeys()) {
      mayFail.add("23505");
    }
  }

  private boolean breaksCheck(@Nullable Object[] row) {
    return row[ModelTable.C] instanceof Integer c && c > table.limit;
  }

  private void add(@Nullable Object[] row) {
    table.rows.add(row);
    returned.add(row.clone());
    count++;
  }

  @Nullable Object[] assigned(Scope scope, List<Assignment> assignments) {
    @Nullable Object[] row = java.util.Objects.requireNonNull(scope.target()).clone();
    for (Assignment a : assignments) {
      row[a.column()] = a.value().value().apply(scope);
    }
    return row;
  }

  void store(@Nullable Object[] old, @Nullable Object[] row) {
    System.arraycopy(row, 0, old, 0, row.length);
    returned.add(row);
    count++;
  }

  void delete(@Nullable Object[] row) {
    table.rows.removeIf(r -> r == row);
    returned.add(row);
    count++;
  }

  /** Each change with the row that it changes, all computed before any of them is done. */
  void change(Map<@Nullable Object[], @Nullable Object @Nullable []> changes) {
    changes.forEach(
        (old, row) -> {
          if (row == null) {
            delete(old);
          } else {
            store(old, row);
          }
        });
  }

  static Map<@Nullable Object[], @Nullable Object @Nullable []> changes() {
    return new IdentityHashMap<>();
  }

  /** Notes what is wrong between two rows of a batch. */
  void step() {
    if (table.repeatsKeys()) {
      mayFail.add("23505");
    }
    if (table.breaksCheck()) {
      mayFail.add("23514");
    }
  }

  void end() {
    if (table.repeatsKeys()) {
      mustFail.add("23505");
    }
    if (table.breaksCheck()) {
      mustFail.add("23514");
    }
    if (table.lacksId()) {
      mustFail.add("23502");
    }
  }

  static String names(int[] columns) {
    return String.join(", ", Arrays.stream(columns).mapToObj(ModelTable.COLUMNS::get).toList());
  }
}
