package io.gpdb.jdbc.changes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A table as a list of rows, with unique keys that are found by looking at all rows. */
final class ModelTable {
  static final int ID = 0;
  static final int A = 1;
  static final int B = 2;
  static final int C = 3;
  static final List<String> COLUMNS = List.of("id", "a", "b", "c");
  static final int DEFAULT_OF_C = 7;

  /** Columns of the unique keys, the primary key first. */
  final List<int[]> keys;

  /** CHECK (c &lt;= limit). */
  final int limit;

  final List<@Nullable Object[]> rows = new ArrayList<>();

  ModelTable(List<int[]> keys, int limit) {
    this.keys = keys;
    this.limit = limit;
  }

  ModelTable copy() {
    ModelTable copy = new ModelTable(keys, limit);
    for (@Nullable Object[] row : rows) {
      copy.rows.add(row.clone());
    }
    return copy;
  }

  /** The rows that have the key of a row, which may be in the table itself. */
  List<@Nullable Object[]> withKeyOf(@Nullable Object[] row, int[] key) {
    List<@Nullable Object[]> found = new ArrayList<>();
    for (@Nullable Object[] other : rows) {
      if (other != row && sameKey(other, row, key)) {
        found.add(other);
      }
    }
    return found;
  }

  private static boolean sameKey(@Nullable Object[] one, @Nullable Object[] other, int[] key) {
    for (int c : key) {
      if (one[c] == null || !Objects.equals(one[c], other[c])) {
        return false;
      }
    }
    return true;
  }

  boolean hasKeyOf(@Nullable Object[] row) {
    return keys.stream().anyMatch(key -> !withKeyOf(row, key).isEmpty());
  }

  boolean repeatsKeys() {
    for (int[] key : keys) {
      Set<List<@Nullable Object>> seen = new HashSet<>();
      for (@Nullable Object[] row : rows) {
        List<@Nullable Object> values = valuesOf(row, key);
        if (!values.contains(null) && !seen.add(values)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<@Nullable Object> valuesOf(@Nullable Object[] row, int[] key) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int c : key) {
      values.add(row[c]);
    }
    return values;
  }

  boolean breaksCheck() {
    return rows.stream().anyMatch(row -> row[C] instanceof Integer c && c > limit);
  }

  boolean lacksId() {
    return rows.stream().anyMatch(row -> row[ID] == null);
  }

  List<String> texts() {
    return texts(rows);
  }

  static List<String> texts(List<@Nullable Object[]> rows) {
    return rows.stream()
        .map(row -> String.join("|", Arrays.stream(row).map(String::valueOf).toList()))
        .sorted()
        .toList();
  }
}
