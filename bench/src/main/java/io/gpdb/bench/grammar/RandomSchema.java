package io.gpdb.bench.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Tables of a few rows with columns of all types. */
final class RandomSchema {
  /** A column; its kind is one that productions ask for. */
  record Column(String name, String type, String kind, List<String> values) {}

  record Table(String name, List<Column> columns) {}

  private static final List<Column> COLUMNS =
      List.of(
          column("b", "BOOLEAN", "boolean", "TRUE", "FALSE"),
          column("t", "TINYINT", "number", "0", "-128", "127"),
          column("s", "SMALLINT", "number", "0", "-32768", "7"),
          column("i", "INTEGER", "number", "1", "2147483647", "-5"),
          column("l", "BIGINT", "number", "0", "9223372036854775807"),
          column("r", "REAL", "number", "0.5", "-0.0", "1E30", "CAST('NaN' AS REAL)"),
          column("f", "DOUBLE", "number", "2.5", "1E300", "-1", "CAST('NaN' AS DOUBLE)"),
          column("n", "DECIMAL(8, 2)", "number", "1.25", "-999999.99"),
          column("q", "DECIMAL(30, 4)", "number", "1.25", "-99999999999999999999999999.9999"),
          column("m", "DECIMAL(18, 0)", "number", "999999999999999999", "3"),
          column("d", "DATE", "time", "DATE '2020-02-29'", "DATE '0001-01-01'"),
          column("o", "TIME", "time", "TIME '00:00:00'", "TIME '23:59:59.999999'"),
          column(
              "z",
              "TIMESTAMP",
              "time",
              "TIMESTAMP '1970-01-01 00:00:00'",
              "TIMESTAMP '9999-12-31 23:59:59'"),
          column(
              "k",
              "TIMESTAMP WITH TIME ZONE",
              "instant",
              "TIMESTAMP WITH TIME ZONE '2020-02-29 12:00:00.5+05:30'",
              "'2000-01-01 00:00:00Z'"),
          column("c", "CHAR(4)", "string", "'ab'", "''"),
          column("v", "VARCHAR(20)", "string", "'abc'", "'12'", "'👍'"),
          column("w", "VARCHAR", "string", "'2020-01-01'", "'x y z'"),
          column("e", "CLOB(1K)", "string", "'abc'", "''"),
          column("y", "VARBINARY", "binary", "X'00ff'", "X''"),
          column(
              "u",
              "UUID",
              "uuid",
              "'550e8400-e29b-41d4-a716-446655440000'",
              "UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff'"));

  private final Random random;
  private final List<Table> tables = new ArrayList<>();

  RandomSchema(Random random) {
    this.random = random;
    for (int i = 0; i < 3; i++) {
      List<Column> columns = new ArrayList<>();
      for (Column column : COLUMNS) {
        if (random.nextInt(5) < 3) {
          columns.add(column);
        }
      }
      columns.add(COLUMNS.get(2 + random.nextInt(2)));
      tables.add(new Table("t" + i, columns.stream().distinct().toList()));
    }
  }

  private static Column column(String name, String type, String kind, String... values) {
    return new Column(name, type, kind, List.of(values));
  }

  List<Table> tables() {
    return tables;
  }

  /** What makes the tables and their rows, less than a number of rows for each. */
  List<String> statements(int rowsEnd) {
    List<String> statements = new ArrayList<>();
    for (Table table : tables) {
      statements.add(create(table));
      for (int rows = random.nextInt(rowsEnd); rows > 0; rows--) {
        statements.add(insert(table));
      }
    }
    return statements;
  }

  private String create(Table table) {
    List<String> columns = new ArrayList<>();
    for (Column column : table.columns) {
      String clause =
          switch (random.nextInt(8)) {
            case 0 -> " NOT NULL";
            case 1 -> " DEFAULT " + column.values.getFirst();
            default -> "";
          };
      columns.add(column.name + " " + column.type + clause);
    }
    String key = random.nextBoolean() ? ", UNIQUE (" + table.columns.getLast().name + ")" : "";
    return "CREATE TABLE " + table.name + " (" + String.join(", ", columns) + key + ")";
  }

  String insert(Table table) {
    List<String> values = new ArrayList<>();
    for (Column column : table.columns) {
      values.add(value(random, column));
    }
    return "INSERT INTO " + table.name + " VALUES (" + String.join(", ", values) + ")";
  }

  /** One of the column's values, or NULL. */
  static String value(Random random, Column column) {
    return random.nextInt(5) == 0
        ? "NULL"
        : column.values.get(random.nextInt(column.values.size()));
  }
}
