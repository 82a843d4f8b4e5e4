package io.gpdb.jdbc.changes;

import static io.gpdb.jdbc.changes.ModelTable.A;
import static io.gpdb.jdbc.changes.ModelTable.B;
import static io.gpdb.jdbc.changes.ModelTable.C;
import static io.gpdb.jdbc.changes.ModelTable.ID;

import io.gpdb.jdbc.changes.ModelChange.Assignment;
import io.gpdb.jdbc.changes.ModelChange.OnConflict;
import io.gpdb.jdbc.changes.Scope.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A statement with parameters, and rows for them. */
record BatchedChange(
    String sql, List<@Nullable Object[]> rows, BiConsumer<ModelChange, @Nullable Object[]> effect) {

  boolean inserts() {
    return !sql.startsWith("UPDATE") && !sql.startsWith("DELETE");
  }

  private record Shape(
      String sql, int[] parameters, BiConsumer<ModelChange, @Nullable Object[]> effect) {}

  static BatchedChange of(Random random, int domain, ModelTable table) {
    Shape shape = shape(random, table);
    Scope.Maker maker = new Scope.Maker(random, domain, null, null, List.of());
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0, n = 1 + random.nextInt(domain > 100 ? 200 : 5); i < n; i++) {
      @Nullable Object[] row = new @Nullable Object[shape.parameters.length];
      for (int p = 0; p < row.length; p++) {
        row[p] = maker.value(shape.parameters[p]);
      }
      rows.add(row);
    }
    return new BatchedChange(shape.sql, rows, shape.effect);
  }

  private static Shape shape(Random random, ModelTable table) {
    int[] key = table.keys.get(random.nextInt(table.keys.size()));
    int[] all = {ID, A, B, C};
    String insert = "INSERT INTO t AS u VALUES (?, ?, ?, ?)";
    String on = " ON CONFLICT (" + ModelChange.names(key) + ")";
    return switch (random.nextInt(10)) {
      case 0 -> new Shape(insert, all, (m, row) -> m.insert(row.clone(), new OnConflict.Fail()));
      case 1 ->
          new Shape(
              insert + on + " DO NOTHING",
              all,
              (m, row) -> m.insert(row.clone(), new OnConflict.Skip(key)));
      case 2 ->
          new Shape(
              insert + on + " DO UPDATE SET c = COALESCE(u.c, 0) + 1, a = excluded.a",
              all,
              (m, row) -> m.insert(row.clone(), new OnConflict.Update(key, counted(), null)));
      case 3 ->
          new Shape(
              "INSERT OR REPLACE INTO t VALUES (?, ?, ?, ?)",
              all,
              (m, row) -> m.insert(row.clone(), new OnConflict.Replace()));
      case 4 ->
          new Shape(
              "MERGE INTO t KEY (id) VALUES (?, ?, ?, ?)",
              all,
              (m, row) ->
                  m.insert(row.clone(), new OnConflict.Update(new int[] {ID}, rest(), null)));
      case 5 -> update("UPDATE t SET a = ? WHERE id = ?", A, ID);
      case 6 -> update("UPDATE t SET c = ? WHERE b = ?", C, B);
      case 7 -> counting(random.nextBoolean() ? ID : A);
      case 8 -> deleting(random.nextBoolean() ? ID : B);
      default ->
          new Shape(
              "INSERT OR IGNORE INTO t VALUES (?, ?, ?, ?)",
              all,
              (m, row) -> m.insert(row.clone(), new OnConflict.Skip(null)));
    };
  }

  private static List<Assignment> counted() {
    return List.of(
        new Assignment(
            C,
            new Expression(
                "", s -> Objects.requireNonNull(s.target())[C] instanceof Integer i ? i + 1 : 1)),
        new Assignment(A, new Expression("", s -> Objects.requireNonNull(s.source())[A])));
  }

  private static List<Assignment> rest() {
    List<Assignment> set = new ArrayList<>();
    for (int c : new int[] {A, B, C}) {
      set.add(new Assignment(c, new Expression("", s -> Objects.requireNonNull(s.source())[c])));
    }
    return set;
  }

  private static Shape update(String sql, int column, int by) {
    return new Shape(
        sql,
        new int[] {column, by},
        (m, values) -> {
          for (@Nullable Object[] row : m.table.rows) {
            if (row[by] != null && row[by].equals(values[1])) {
              row[column] = values[0];
              m.count++;
            }
          }
        });
  }

  private static Shape counting(int by) {
    return new Shape(
        "UPDATE t SET c = c + 1 WHERE " + ModelTable.COLUMNS.get(by) + " = ?",
        new int[] {by},
        (m, values) -> {
          for (@Nullable Object[] row : m.table.rows) {
            if (row[by] != null && row[by].equals(values[0])) {
              row[C] = row[C] instanceof Integer i ? (Object) (i + 1) : null;
              m.count++;
            }
          }
        });
  }

  private static Shape deleting(int by) {
    return new Shape(
        "DELETE FROM t WHERE " + ModelTable.COLUMNS.get(by) + " = ?",
        new int[] {by},
        (m, values) ->
            new ArrayList<>(m.table.rows)
                .stream()
                    .filter(row -> row[by] != null && row[by].equals(values[0]))
                    .forEach(m::delete));
  }
}
