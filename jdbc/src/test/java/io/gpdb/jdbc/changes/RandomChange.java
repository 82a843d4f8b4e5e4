package io.gpdb.jdbc.changes;

import io.gpdb.jdbc.changes.ModelChange.Assignment;
import io.gpdb.jdbc.changes.ModelChange.OnConflict;
import io.gpdb.jdbc.changes.Scope.Condition;
import io.gpdb.jdbc.changes.Scope.Expression;
import io.gpdb.jdbc.changes.Scope.Maker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A random statement over table {@code t}, and table {@code s (k, x, y, z, n)}, whose rows n
 * numbers.
 *
 * @param effect what it does to the model
 */
record RandomChange(String sql, Consumer<ModelChange> effect) {
  private static final List<String> SOURCE = List.of("k", "x", "y", "z");

  static RandomChange of(
      Random random, int domain, ModelTable table, List<@Nullable Object[]> source) {
    return new Generator(random, domain, table, source).any();
  }

  private record Generator(
      Random random, int domain, ModelTable table, List<@Nullable Object[]> source) {

    RandomChange any() {
      return switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> insert();
        case 4 -> update();
        case 5 -> updateFrom();
        case 6 -> updateByQuery();
        case 7 -> delete();
        case 8 -> deleteUsing();
        default -> merge();
      };
    }

    private Maker maker(@Nullable String target, @Nullable String other, List<String> columns) {
      return new Maker(random, domain, target, other, columns);
    }

    private RandomChange insert() {
      OnConflict action = action();
      String prefix =
          action instanceof OnConflict.Replace
              ? random.nextBoolean() ? "REPLACE INTO t " : "INSERT OR REPLACE INTO t "
              : action instanceof OnConflict.Skip(int[] key) && key == null && random.nextBoolean()
                  ? "INSERT OR IGNORE INTO t "
                  : "INSERT INTO t AS u ";
      String end = prefix.contains(" OR ") ? "" : end(action);
      return random.nextInt(3) == 0
          ? insertQuery(prefix, end, action)
          : insertValues(prefix, end, action);
    }

    private RandomChange insertValues(String prefix, String end, OnConflict action) {
      int[] columns = columns();
      List<List<Expression>> rows = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      for (int i = 0, n = 1 + random.nextInt(4); i < n; i++) {
        List<Expression> row = new ArrayList<>();
        for (int c : columns) {
          row.add(
              random.nextInt(8) == 0 && c != ModelTable.ID
                  ? byDefault(c)
                  : maker(null, null, SOURCE).literal(c));
        }
        rows.add(row);
        texts.add("(" + String.join(", ", row.stream().map(Expression::sql).toList()) + ")");
      }
      String sql =
          prefix + "(" + ModelChange.names(columns) + ") VALUES " + String.join(", ", texts) + end;
      return new RandomChange(
          sql,
          change ->
              rows.forEach(row -> change.insert(row(columns, row, new Scope(null, null)), action)));
    }

    private RandomChange insertQuery(String prefix, String end, OnConflict action) {
      int[] columns = columns();
      Maker maker = maker(null, "s", SOURCE);
      List<Expression> values = new ArrayList<>();
      for (int c : columns) {
        values.add(random.nextInt(3) == 0 ? maker.of(c) : maker.sourceColumn(c));
      }
      @Nullable Condition where = random.nextBoolean() ? maker.condition() : null;
      boolean down = random.nextBoolean();
      String sql =
          prefix
              + "("
              + ModelChange.names(columns)
              + ") SELECT "
              + String.join(", ", values.stream().map(Expression::sql).toList())
              + " FROM s"
              + (where == null ? "" : " WHERE " + where.sql())
              + " ORDER BY n"
              + (down ? " DESC" : "")
              + end;
      return new RandomChange(
          sql,
          change -> {
            List<@Nullable Object[]> ordered = new ArrayList<>(source);
            if (down) {
              Collections.reverse(ordered);
            }
            for (@Nullable Object[] row : ordered) {
              Scope scope = new Scope(null, row);
              if (where == null || where.isTrue(scope)) {
                change.insert(row(columns, values, scope), action);
              }
            }
          });
    }

    private @Nullable Object[] row(int[] columns, List<Expression> values, Scope scope) {
      @Nullable Object[] row = new @Nullable Object[4];
      row[ModelTable.C] = ModelTable.DEFAULT_OF_C;
      for (int i = 0; i < columns.length; i++) {
        row[columns[i]] = values.get(i).value().apply(scope);
      }
      return row;
    }

    private static Expression byDefault(int c) {
      return new Expression("DEFAULT", s -> c == ModelTable.C ? ModelTable.DEFAULT_OF_C : null);
    }

    private int[] columns() {
      List<Integer> all = new ArrayList<>(List.of(1, 2, 3));
      Collections.shuffle(all, random);
      List<Integer> some = new ArrayList<>(all.subList(0, 3 - random.nextInt(2)));
      some.add(random.nextInt(some.size() + 1), 0);
      return some.stream().mapToInt(i -> i).toArray();
    }

    private OnConflict action() {
      int[] key = table.keys.get(random.nextInt(table.keys.size()));
      Maker maker = maker("u", "excluded", ModelTable.COLUMNS);
      return switch (random.nextInt(6)) {
        case 0 -> new OnConflict.Fail();
        case 1 -> new OnConflict.Skip(random.nextBoolean() ? null : key);
        case 2 -> new OnConflict.Replace();
        default ->
            new OnConflict.Update(
                key, assignments(maker), random.nextInt(3) == 0 ? maker.condition() : null);
      };
    }

    private String end(OnConflict action) {
      return switch (action) {
        case OnConflict.Fail() -> "";
        case OnConflict.Skip(int[] key) -> " ON CONFLICT" + columns(key) + " DO NOTHING";
        case OnConflict.Replace() -> "";
        case OnConflict.Update(int[] key, List<Assignment> set, @Nullable Condition where) ->
            " ON CONFLICT"
                + columns(key)
                + " DO UPDATE SET "
                + sql(set)
                + (where == null ? "" : " WHERE " + where.sql());
      };
    }

    private static String columns(int @Nullable [] key) {
      return key == null ? "" : " (" + ModelChange.names(key) + ")";
    }

    private List<Assignment> assignments(Maker maker) {
      List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3));
      Collections.shuffle(all, random);
      List<Assignment> set = new ArrayList<>();
      for (int c : all.subList(0, 1 + random.nextInt(3))) {
        if (c != ModelTable.ID || random.nextInt(3) == 0) {
          set.add(new Assignment(c, random.nextInt(8) == 0 && c > 0 ? byDefault(c) : maker.of(c)));
        }
      }
      return set.isEmpty() ? List.of(new Assignment(3, maker.of(3))) : set;
    }

    private String sql(List<Assignment> set) {
      int together = random.nextInt(3) == 0 ? set.size() : 0;
      List<String> parts = new ArrayList<>();
      if (together > 0) {
        parts.add(
            "("
                + ModelChange.names(set.stream().mapToInt(Assignment::column).toArray())
                + ") = "
                + (random.nextBoolean() ? "ROW " : "")
                + "("
                + String.join(", ", set.stream().map(a -> a.value().sql()).toList())
                + ")");
      }
      for (Assignment a : set.subList(together, set.size())) {
        parts.add(ModelTable.COLUMNS.get(a.column()) + " = " + a.value().sql());
      }
      return String.join(", ", parts);
    }

    private RandomChange update() {
      Maker maker = maker("t", null, SOURCE);
      List<Assignment> set = assignments(maker);
      Condition where = maker.condition();
      return new RandomChange(
          "UPDATE t SET " + sql(set) + " WHERE " + where.sql(),
          change -> {
            var changes = ModelChange.changes();
            for (@Nullable Object[] row : change.table.rows) {
              Scope scope = new Scope(row, null);
              if (where.isTrue(scope)) {
                changes.put(row, change.assigned(scope, set));
              }
            }
            change.change(changes);
          });
    }

    private RandomChange updateFrom() {
      Maker maker = maker("u", "s", SOURCE);
      List<Assignment> set = assignments(maker);
      Condition join = maker.join();
      return new RandomChange(
          "UPDATE t AS u SET " + sql(set) + " FROM s WHERE " + join.sql(),
          change -> {
            var changes = ModelChange.changes();
            joined(change, join, scope -> put(change, changes, scope, change.assigned(scope, set)));
            change.change(changes);
          });
    }

    private static void put(
        ModelChange change,
        Map<@Nullable Object[], @Nullable Object @Nullable []> changes,
        Scope scope,
        @Nullable Object @Nullable [] row) {
      if (changes.containsKey(scope.target())) {
        change.mustFail.add("21000");
      }
      changes.put(java.util.Objects.requireNonNull(scope.target()), row);
    }

    private void joined(ModelChange change, Condition join, Consumer<Scope> each) {
      for (@Nullable Object[] row : change.table.rows) {
        for (@Nullable Object[] other : source) {
          Scope scope = new Scope(row, other);
          if (join.isTrue(scope)) {
            each.accept(scope);
          }
        }
      }
    }

    private RandomChange updateByQuery() {
      Maker maker = maker("t", "s", SOURCE);
      Condition join = maker.join();
      Condition where = maker.without(false, true).condition();
      return new RandomChange(
          "UPDATE t SET (a, b) = (SELECT s.x, s.y FROM s WHERE "
              + join.sql()
              + ") WHERE "
              + where.sql(),
          change -> {
            var changes = ModelChange.changes();
            for (@Nullable Object[] row : change.table.rows) {
              if (where.isTrue(new Scope(row, null))) {
                @Nullable Object[] now = row.clone();
                List<@Nullable Object[]> found =
                    source.stream().filter(s -> join.isTrue(new Scope(row, s))).toList();
                now[ModelTable.A] = found.isEmpty() ? null : found.getFirst()[1];
                now[ModelTable.B] = found.isEmpty() ? null : found.getFirst()[2];
                if (found.size() > 1) {
                  change.mustFail.add("21000");
                }
                changes.put(row, now);
              }
            }
            change.change(changes);
          });
    }

    private RandomChange delete() {
      Condition where = maker("t", null, SOURCE).condition();
      int limit = random.nextInt(3);
      boolean limited = random.nextBoolean();
      return new RandomChange(
          "DELETE FROM t WHERE "
              + where.sql()
              + (limited ? " ORDER BY id DESC LIMIT " + limit : ""),
          change -> {
            List<@Nullable Object[]> found =
                change.table.rows.stream()
                    .filter(row -> where.isTrue(new Scope(row, null)))
                    .sorted((p, q) -> ((Integer) q[0]).compareTo((Integer) p[0]))
                    .toList();
            found.stream().limit(limited ? limit : found.size()).forEach(change::delete);
          });
    }

    private RandomChange deleteUsing() {
      Condition join = maker("u", "s", SOURCE).join();
      return new RandomChange(
          "DELETE FROM t u USING s WHERE " + join.sql(),
          change -> {
            var changes = ModelChange.changes();
            joined(change, join, scope -> changes.put(scope.target(), null));
            change.change(changes);
          });
    }

    private enum Fits {
      MATCHED,
      NOT_MATCHED,
      NOT_BY_SOURCE
    }

    /**
     * @param deletes deletes, where there are no assignments
     */
    private record Branch(
        Fits fits,
        @Nullable Condition condition,
        @Nullable List<Assignment> set,
        int @Nullable [] columns,
        @Nullable List<Expression> values,
        boolean deletes,
        String sql) {}

    private RandomChange merge() {
      Maker maker = maker("u", "s", SOURCE);
      Condition join = maker.join();
      List<Branch> branches = new ArrayList<>();
      for (int i = 0, n = 1 + random.nextInt(4); i < n; i++) {
        branches.add(branch(maker));
      }
      String sql =
          "MERGE INTO t AS u USING s ON "
              + join.sql()
              + " "
              + String.join(" ", branches.stream().map(Branch::sql).toList());
      return new RandomChange(sql, change -> merge(change, join, branches));
    }

    private void merge(ModelChange change, Condition join, List<Branch> branches) {
      var changes = ModelChange.changes();
      List<@Nullable Object[]> inserted = new ArrayList<>();
      List<@Nullable Object[]> rows = change.table.rows;
      joined(change, join, scope -> take(change, changes, inserted, branches, Fits.MATCHED, scope));
      for (@Nullable Object[] row : rows) {
        if (source.stream().noneMatch(s -> join.isTrue(new Scope(row, s)))) {
          Scope scope = new Scope(row, null);
          take(change, changes, inserted, branches, Fits.NOT_BY_SOURCE, scope);
        }
      }
      for (@Nullable Object[] other : source) {
        if (rows.stream().noneMatch(t -> join.isTrue(new Scope(t, other)))) {
          Scope scope = new Scope(null, other);
          take(change, changes, inserted, branches, Fits.NOT_MATCHED, scope);
        }
      }
      change.change(changes);
      inserted.forEach(
          row -> {
            change.table.rows.add(row);
            change.returned.add(row);
            change.count++;
          });
    }

    private void take(
        ModelChange change,
        Map<@Nullable Object[], @Nullable Object @Nullable []> changes,
        List<@Nullable Object[]> inserted,
        List<Branch> branches,
        Fits fits,
        Scope scope) {
      for (Branch branch : branches) {
        if (branch.fits == fits && (branch.condition == null || branch.condition.isTrue(scope))) {
          if (branch.values != null && branch.columns != null) {
            inserted.add(row(branch.columns, branch.values, scope));
          } else if (branch.set != null) {
            put(change, changes, scope, change.assigned(scope, branch.set));
          } else if (branch.deletes) {
            put(change, changes, scope, null);
          }
          return;
        }
      }
    }

    private Branch branch(Maker both) {
      Fits fits = Fits.values()[random.nextInt(3)];
      Maker maker = both.without(fits == Fits.NOT_MATCHED, fits == Fits.NOT_BY_SOURCE);
      String when =
          switch (fits) {
            case MATCHED -> "WHEN MATCHED";
            case NOT_MATCHED ->
                random.nextBoolean() ? "WHEN NOT MATCHED" : "WHEN NOT MATCHED BY TARGET";
            case NOT_BY_SOURCE -> "WHEN NOT MATCHED BY SOURCE";
          };
      @Nullable Condition condition = random.nextInt(3) > 0 ? maker.condition() : null;
      String head = when + (condition == null ? "" : " AND " + condition.sql()) + " THEN ";
      if (random.nextInt(6) == 0) {
        return new Branch(fits, condition, null, null, null, false, head + "DO NOTHING");
      }
      if (fits == Fits.NOT_MATCHED) {
        int[] columns = columns();
        List<Expression> values = new ArrayList<>();
        for (int c : columns) {
          values.add(random.nextInt(8) == 0 && c > 0 ? byDefault(c) : maker.of(c));
        }
        String sql =
            "INSERT (%s) VALUES (%s)"
                .formatted(
                    ModelChange.names(columns),
                    String.join(", ", values.stream().map(Expression::sql).toList()));
        return new Branch(fits, condition, null, columns, values, false, head + sql);
      }
      if (random.nextInt(3) == 0) {
        return new Branch(fits, condition, null, null, null, true, head + "DELETE");
      }
      List<Assignment> set = assignments(maker);
      return new Branch(fits, condition, set, null, null, false, head + "UPDATE SET " + sql(set));
    }
  }
}
