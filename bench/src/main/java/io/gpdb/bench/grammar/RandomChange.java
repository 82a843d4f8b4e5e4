package io.gpdb.bench.grammar;

import io.gpdb.bench.grammar.RandomSchema.Column;
import io.gpdb.bench.grammar.RandomSchema.Table;
import io.gpdb.bench.grammar.RandomStatement.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes of rows beyond the plain ones: by other tables, upserts, MERGE, and their RETURNING. */
final class RandomChange {
  private static final int DEPTH = 2;
  private static final String TARGET = "q";
  private static final String OTHER = "p";

  private final Random random;
  private final RandomSchema schema;
  private final RandomStatement statement;

  RandomChange(Random random, RandomSchema schema, RandomStatement statement) {
    this.random = random;
    this.schema = schema;
    this.statement = statement;
  }

  String text() {
    Table target = table();
    Table other = table();
    return switch (random.nextInt(12)) {
      case 0 -> updateFrom(target, other) + returning(target);
      case 1 -> updateByQuery(target, other) + returning(target);
      case 2 -> deleteUsing(target, other) + returning(target);
      case 3 -> sortedChange(target);
      case 4, 5, 6 -> upsert(target, other) + returning(target);
      case 7 -> mergeByKey(target) + returning(target);
      case 8 -> locked(target, other);
      case 9 -> statement.select() + (random.nextBoolean() ? " FOR UPDATE" : " FOR SHARE NOWAIT");
      default -> merge(target, other) + returning(target);
    };
  }

  private Table table() {
    return schema.tables().get(random.nextInt(schema.tables().size()));
  }

  private Column column(Table table) {
    return table.columns().get(random.nextInt(table.columns().size()));
  }

  private static Scope scope(String alias, Table table) {
    return new Scope(alias, table.columns());
  }

  private String expression(String kind, Scope... scopes) {
    return statement.text(random.nextInt(12) == 0 ? "any" : kind, DEPTH, List.of(scopes));
  }

  /** What fits a column: mostly a value of its own, or a column of its name, which has its type. */
  private String fitting(Column column, Scope... scopes) {
    Scope scope = scopes[random.nextInt(scopes.length)];
    boolean named = scope.columns().contains(column);
    return switch (random.nextInt(4)) {
      case 0 -> RandomSchema.value(random, column);
      case 1 -> named ? scope.alias() + "." + column.name() : RandomSchema.value(random, column);
      default -> expression(column.kind(), scopes);
    };
  }

  private String returning(Table target) {
    return switch (random.nextInt(6)) {
      case 0 -> " RETURNING *";
      case 1 -> " RETURNING " + expression("any", scope(TARGET, target)) + " AS x";
      default -> "";
    };
  }

  private String assignments(Table target, Scope... scopes) {
    List<String> set = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      Column column = column(target);
      set.add(
          column.name() + " = " + (random.nextInt(10) == 0 ? "DEFAULT" : fitting(column, scopes)));
    }
    if (random.nextInt(5) > 0) {
      return String.join(", ", set);
    }
    Column a = column(target);
    Column b = column(target);
    return "(%s, %s) = %s(%s, %s)"
        .formatted(
            a.name(),
            b.name(),
            random.nextBoolean() ? "ROW " : "",
            fitting(a, scopes),
            fitting(b, scopes));
  }

  private String joined(Table target, Table other) {
    Column column = column(target);
    return random.nextBoolean()
        ? expression("boolean", scope(TARGET, target), scope(OTHER, other))
        : TARGET + "." + column.name() + " = " + fitting(column, scope(OTHER, other));
  }

  private String updateFrom(Table target, Table other) {
    return "UPDATE %s AS q SET %s FROM %s AS p WHERE %s"
        .formatted(
            target.name(),
            assignments(target, scope(TARGET, target), scope(OTHER, other)),
            other.name(),
            joined(target, other));
  }

  private String updateByQuery(Table target, Table other) {
    Column a = column(target);
    Column b = column(target);
    return "UPDATE %s AS q SET (%s, %s) = (SELECT %s, %s FROM %s AS p WHERE %s)"
        .formatted(
            target.name(),
            a.name(),
            b.name(),
            fitting(a, scope(OTHER, other)),
            random.nextBoolean()
                ? "MAX(p." + column(other).name() + ")"
                : fitting(b, scope(OTHER, other)),
            other.name(),
            joined(target, other));
  }

  private String deleteUsing(Table target, Table other) {
    return "DELETE FROM %s AS q USING %s AS p WHERE %s"
        .formatted(target.name(), other.name(), joined(target, other));
  }

  private String sortedChange(Table target) {
    String head =
        random.nextBoolean()
            ? "DELETE FROM " + target.name() + " AS q"
            : "UPDATE " + target.name() + " AS q SET " + assignments(target, scope(TARGET, target));
    return head
        + (random.nextBoolean() ? " WHERE " + expression("boolean", scope(TARGET, target)) : "")
        + " ORDER BY "
        + expression("any", scope(TARGET, target))
        + " LIMIT "
        + random.nextInt(3);
  }

  private String upsert(Table target, Table other) {
    String into =
        switch (random.nextInt(6)) {
          case 0 -> "REPLACE INTO ";
          case 1 -> "INSERT OR REPLACE INTO ";
          case 2 -> "INSERT OR IGNORE INTO ";
          default -> "INSERT INTO ";
        };
    String rows = rows(target, other);
    return into
        + target.name()
        + (into.equals("INSERT INTO ") ? " AS q" : "")
        + rows
        + (into.equals("INSERT INTO ") ? conflict(target) : "");
  }

  private String rows(Table target, Table other) {
    List<Column> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Column column : target.columns()) {
      if (random.nextInt(4) > 0) {
        columns.add(column);
        names.add(column.name());
      }
    }
    if (columns.isEmpty()) {
      return " DEFAULT VALUES";
    }
    boolean query = random.nextInt(3) == 0;
    List<String> rows = new ArrayList<>();
    for (int i = query ? 1 : 1 + random.nextInt(3); i > 0; i--) {
      List<String> values = new ArrayList<>();
      for (Column column : columns) {
        values.add(
            query ? fitting(column, scope(OTHER, other)) : RandomSchema.value(random, column));
      }
      rows.add(String.join(", ", values));
    }
    String list = " (" + String.join(", ", names) + ") ";
    return query
        ? list + "SELECT " + rows.getFirst() + " FROM " + other.name() + " AS p"
        : list + "VALUES (" + String.join("), (", rows) + ")";
  }

  private String conflict(Table target) {
    String key = target.columns().getLast().name();
    String on =
        switch (random.nextInt(5)) {
          case 0 -> " ON CONFLICT";
          case 1 -> " ON CONFLICT ON CONSTRAINT " + target.name() + "_" + key + "_key";
          default -> " ON CONFLICT (" + key + ")";
        };
    Scope excluded = scope("EXCLUDED", target);
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> on + " DO NOTHING";
      default ->
          on
              + " DO UPDATE SET "
              + assignments(target, scope(TARGET, target), excluded)
              + (random.nextInt(3) == 0
                  ? " WHERE " + expression("boolean", scope(TARGET, target), excluded)
                  : "");
    };
  }

  private String mergeByKey(Table target) {
    String key = random.nextBoolean() ? " KEY (" + target.columns().getLast().name() + ")" : "";
    String insert = schema.insert(target);
    return "MERGE INTO " + target.name() + key + insert.substring(insert.indexOf(" VALUES"));
  }

  private String merge(Table target, Table other) {
    StringBuilder text = new StringBuilder("MERGE INTO ");
    text.append(target.name()).append(" AS q USING ");
    text.append(random.nextInt(4) > 0 ? other.name() : "(SELECT * FROM " + other.name() + ")");
    text.append(" AS p ON ").append(joined(target, other));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      text.append(branch(target, other));
    }
    return text.toString();
  }

  private String branch(Table target, Table other) {
    return switch (random.nextInt(5)) {
      case 0 -> " WHEN MATCHED" + and(scope(TARGET, target), scope(OTHER, other)) + " DELETE";
      case 1 ->
          " WHEN NOT MATCHED BY SOURCE"
              + and(scope(TARGET, target))
              + (random.nextBoolean()
                  ? " DELETE"
                  : " UPDATE SET " + assignments(target, scope(TARGET, target)));
      case 2 -> " WHEN NOT MATCHED" + and(scope(OTHER, other)) + inserted(target, other);
      case 3 -> " WHEN MATCHED" + and(scope(TARGET, target), scope(OTHER, other)) + " DO NOTHING";
      default ->
          " WHEN MATCHED"
              + and(scope(TARGET, target), scope(OTHER, other))
              + " UPDATE SET "
              + assignments(target, scope(TARGET, target), scope(OTHER, other));
    };
  }

  private String inserted(Table target, Table other) {
    if (random.nextInt(6) == 0) {
      return " INSERT DEFAULT VALUES";
    }
    List<String> values = new ArrayList<>();
    for (Column column : target.columns()) {
      values.add(
          random.nextInt(3) == 0
              ? fitting(column, scope(OTHER, other))
              : RandomSchema.value(random, column));
    }
    return " INSERT VALUES (" + String.join(", ", values) + ")";
  }

  private String and(Scope... scopes) {
    return (random.nextInt(3) == 0 ? " AND " + expression("boolean", scopes) : "") + " THEN";
  }

  private String locked(Table target, Table other) {
    String[] ends = {"", " NOWAIT", " SKIP LOCKED", " WAIT 1"};
    String from =
        random.nextBoolean()
            ? target.name() + " AS q"
            : target.name() + " AS q JOIN " + other.name() + " AS p ON " + joined(target, other);
    return "SELECT * FROM "
        + from
        + (random.nextBoolean() ? " WHERE " + expression("boolean", scope(TARGET, target)) : "")
        + (random.nextInt(3) == 0 ? " ORDER BY 1 LIMIT 2" : "")
        + (random.nextBoolean() ? " FOR UPDATE" : " FOR SHARE")
        + (random.nextInt(4) == 0 ? " OF q" : "")
        + ends[random.nextInt(ends.length)];
  }
}
