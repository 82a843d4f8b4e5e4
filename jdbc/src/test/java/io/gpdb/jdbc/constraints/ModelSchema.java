package io.gpdb.jdbc.constraints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tables that refer to each other, as lists of rows; constraints are judged by looking at all rows.
 * Each table has the columns id, a primary key, k1 and k2, together a unique key, and r1, r2 and s,
 * which refer.
 */
final class ModelSchema {
  static final List<String> COLUMNS = List.of("id", "k1", "k2", "r1", "r2", "s");
  static final int ID = 0;
  static final int S = 5;
  static final int[] PRIMARY = {0};
  static final int[] UNIQUE = {1, 2};
  static final int[] PAIR = {3, 4};
  static final int[] SINGLE = {5};

  /** CHECK (s &lt; limit). */
  static final int S_LIMIT = 5;

  private static final int ROUNDS_MAX = 60;

  enum Action {
    NO_ACTION,
    RESTRICT,
    CASCADE,
    SET_NULL,
    SET_DEFAULT;

    String sql() {
      return name().replace('_', ' ');
    }
  }

  record ForeignKey(
      String name,
      int child,
      int[] columns,
      int parent,
      int[] parentColumns,
      Action onDelete,
      Action onUpdate,
      boolean deferrable,
      boolean deferred,
      boolean matchesFull) {
    /** Whether the row may not be what it is, whatever parents there are. */
    boolean isNullInPart(@Nullable Integer[] row) {
      return matchesFull
          && key(row, columns) == null
          && Arrays.stream(columns).anyMatch(c -> row[c] != null);
    }
  }

  final List<ForeignKey> foreignKeys;
  final List<List<@Nullable Integer[]>> tables = new ArrayList<>();

  ModelSchema(int tables, List<ForeignKey> foreignKeys) {
    this.foreignKeys = foreignKeys;
    for (int t = 0; t < tables; t++) {
      this.tables.add(new ArrayList<>());
    }
  }

  ModelSchema copy() {
    ModelSchema copy = new ModelSchema(tables.size(), foreignKeys);
    for (int t = 0; t < tables.size(); t++) {
      for (@Nullable Integer[] row : tables.get(t)) {
        copy.tables.get(t).add(row.clone());
      }
    }
    return copy;
  }

  List<String> texts(int table) {
    return tables.get(table).stream()
        .map(row -> String.join("|", Arrays.stream(row).map(String::valueOf).toList()))
        .sorted()
        .toList();
  }

  static @Nullable Integer defaultOf(int column) {
    return column == S || column == 3 ? (Integer) 1 : column == 4 ? 2 : null;
  }

  static @Nullable List<Integer> key(@Nullable Integer[] row, int[] columns) {
    List<Integer> key = new ArrayList<>();
    for (int c : columns) {
      if (row[c] == null) {
        return null;
      }
      key.add(row[c]);
    }
    return key;
  }

  List<@Nullable Integer[]> having(int table, int[] columns, List<Integer> key) {
    return tables.get(table).stream().filter(r -> key.equals(key(r, columns))).toList();
  }

  /** The names of foreign keys that some row breaks. */
  Set<String> broken(java.util.function.Predicate<ForeignKey> which) {
    Set<String> names = new LinkedHashSet<>();
    for (ForeignKey fk : foreignKeys) {
      if (which.test(fk)) {
        for (@Nullable Integer[] row : tables.get(fk.child)) {
          List<Integer> key = key(row, fk.columns);
          if (fk.isNullInPart(row)
              || (key != null && having(fk.parent, fk.parentColumns, key).isEmpty())) {
            names.add(fk.name);
          }
        }
      }
    }
    return names;
  }

  boolean repeats(int table) {
    for (int[] columns : List.of(PRIMARY, UNIQUE)) {
      for (@Nullable Integer[] row : tables.get(table)) {
        List<Integer> key = key(row, columns);
        if (key != null && having(table, columns, key).size() > 1) {
          return true;
        }
      }
    }
    return false;
  }

  /** One statement: what it changes, what follows, and what is wrong with it. */
  final class Change {
    final Set<String> mustFail = new LinkedHashSet<>();
    final Set<String> mayFail = new LinkedHashSet<>();
    final Set<String> broken = new LinkedHashSet<>();
    boolean endless;
    long count;
    private Map<@Nullable Integer[], @Nullable Integer[]> old = new IdentityHashMap<>();
    private Map<@Nullable Integer[], Integer> tableOf = new IdentityHashMap<>();

    void insert(int table, @Nullable Integer[] row) {
      if (row[ID] == null) {
        mustFail.add("23502");
      }
      tables.get(table).add(row);
      count++;
      lookForRepeats(table);
    }

    void replace(int table, @Nullable Integer[] row) {
      for (int[] columns : List.of(PRIMARY, UNIQUE)) {
        List<Integer> key = key(row, columns);
        if (key != null) {
          having(table, columns, key).forEach(r -> delete(table, r));
        }
      }
      insert(table, row);
    }

    void delete(int table, @Nullable Integer[] row) {
      changing(table, row);
      tables.get(table).removeIf(r -> r == row);
    }

    void update(int table, @Nullable Integer[] row, int column, @Nullable Integer value) {
      changing(table, row);
      row[column] = value;
      if (column == ID && value == null) {
        mustFail.add("23502");
      }
    }

    void lookForRepeats(int table) {
      if (repeats(table)) {
        mayFail.add("23505");
      }
    }

    private void changing(int table, @Nullable Integer[] row) {
      old.putIfAbsent(row, row.clone());
      tableOf.put(row, table);
    }

    void end(Set<String> deferred) {
      int rounds = 0;
      while (!old.isEmpty() && rounds++ < ROUNDS_MAX) {
        follow();
      }
      endless = !old.isEmpty();
      broken.addAll(ModelSchema.this.broken(fk -> !deferred.contains(fk.name)));
      if (!broken.isEmpty()) {
        mustFail.add("23503");
      }
      for (int t = 0; t < tables.size(); t++) {
        if (repeats(t)) {
          mustFail.add("23505");
        }
        for (@Nullable Integer[] row : tables.get(t)) {
          if (row[S] != null && row[S] >= S_LIMIT) {
            mustFail.add("23514");
          }
        }
      }
    }

    /**
     * @param newKey null where the parent is gone
     */
    private record Lost(List<Integer> key, @Nullable Integer @Nullable [] newKey) {}

    private void follow() {
      Map<@Nullable Integer[], @Nullable Integer[]> taken = old;
      Map<@Nullable Integer[], Integer> tableOfTaken = tableOf;
      old = new IdentityHashMap<>();
      tableOf = new IdentityHashMap<>();
      List<List<Lost>> all = new ArrayList<>();
      for (ForeignKey fk : foreignKeys) {
        all.add(lost(fk, taken, tableOfTaken));
      }
      for (int f = 0; f < all.size(); f++) {
        for (Lost lost : all.get(f)) {
          ForeignKey fk = foreignKeys.get(f);
          if (action(fk, lost) == Action.RESTRICT
              && !having(fk.child, fk.columns, lost.key).isEmpty()) {
            mustFail.add("23503");
            broken.add(fk.name);
          }
        }
      }
      for (int f = 0; f < all.size(); f++) {
        act(foreignKeys.get(f), all.get(f));
      }
    }

    private static Action action(ForeignKey fk, Lost lost) {
      return lost.newKey == null ? fk.onDelete : fk.onUpdate;
    }

    private List<Lost> lost(
        ForeignKey fk,
        Map<@Nullable Integer[], @Nullable Integer[]> taken,
        Map<@Nullable Integer[], Integer> tableOfTaken) {
      List<Lost> lost = new ArrayList<>();
      taken.forEach(
          (row, before) -> {
            List<Integer> key = key(before, fk.parentColumns);
            boolean live = tables.get(fk.parent).stream().anyMatch(r -> r == row);
            if (Objects.equals(tableOfTaken.get(row), fk.parent) && key != null) {
              if (!live) {
                lost.add(new Lost(key, null));
              } else if (!key.equals(key(row, fk.parentColumns))) {
                @Nullable Integer[] now = new @Nullable Integer[fk.parentColumns.length];
                for (int i = 0; i < now.length; i++) {
                  now[i] = row[fk.parentColumns[i]];
                }
                lost.add(new Lost(key, now));
              }
            }
          });
      return lost;
    }

    /** Children are found before any of them is changed. */
    private void act(ForeignKey fk, List<Lost> all) {
      Map<@Nullable Integer[], Lost> children = new IdentityHashMap<>();
      for (Lost lost : all) {
        having(fk.child, fk.columns, lost.key).forEach(row -> children.put(row, lost));
      }
      children.forEach(
          (row, lost) -> {
            switch (action(fk, lost)) {
              case NO_ACTION, RESTRICT -> {}
              case CASCADE -> {
                if (lost.newKey == null) {
                  delete(fk.child, row);
                } else {
                  set(fk, row, lost.newKey);
                }
              }
              case SET_NULL -> set(fk, row, new @Nullable Integer[fk.columns.length]);
              case SET_DEFAULT -> {
                @Nullable Integer[] values = new @Nullable Integer[fk.columns.length];
                for (int i = 0; i < values.length; i++) {
                  values[i] = defaultOf(fk.columns[i]);
                }
                set(fk, row, values);
              }
            }
          });
      lookForRepeats(fk.child);
    }

    private void set(ForeignKey fk, @Nullable Integer[] row, @Nullable Integer[] values) {
      for (int i = 0; i < values.length; i++) {
        update(fk.child, row, fk.columns[i], values[i]);
      }
    }
  }
}
