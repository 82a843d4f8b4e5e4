package io.gpdb.planner;

import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.type.TemporalText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A table with columns of several types and rows whose values often coincide. */
record RandomTable(String name, List<Column> columns, int rows) {
  /** Kinds of columns; an expression of one family may be used wherever another of it may. */
  enum Family {
    SMALLINT("SMALLINT"),
    INTEGER("INTEGER"),
    BIGINT("BIGINT"),
    DECIMAL("DECIMAL(9, 2)"),
    REAL("REAL"),
    DOUBLE("DOUBLE"),
    VARCHAR("VARCHAR(8)"),
    CHAR("CHAR(3)"),
    DATE("DATE"),
    TIMESTAMP("TIMESTAMP"),
    BOOLEAN("BOOLEAN");

    final String sql;

    Family(String sql) {
      this.sql = sql;
    }

    boolean isExact() {
      return compareTo(DECIMAL) < 0;
    }

    boolean isNumber() {
      return compareTo(DOUBLE) <= 0;
    }

    boolean isText() {
      return this == VARCHAR || this == CHAR;
    }
  }

  /** A column; a share of its values, of a hundred, is NULL. */
  record Column(String name, Family family, int nullShare) {}

  private static final String[] WORDS = {
    "", "a", "A", "b", "ab", "abc", "B a", "x_y", "100%", "ä", "日本", "zz", "Zebra", "a b c"
  };

  static RandomTable of(Random random, String name, int rows) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", Family.INTEGER, 0));
    int[] shares = {0, 0, 10, 50, 100};
    for (Family family : Family.values()) {
      int copies = family == Family.INTEGER ? 2 : random.nextInt(4) == 0 ? 0 : 1;
      for (int i = 0; i < copies; i++) {
        int share = shares[random.nextInt(random.nextInt(8) == 0 ? 5 : 4)];
        columns.add(new Column("c" + columns.size(), family, share));
      }
    }
    return new RandomTable(name, columns, rows);
  }

  String definition() {
    return columns.stream()
        .map(c -> c.name + " " + c.family.sql + (c.name.equals("id") ? " PRIMARY KEY" : ""))
        .collect(Collectors.joining(", ", "CREATE TABLE " + name + " (", ")"));
  }

  /** Creates the table, fills it, and deletes some rows of it. */
  void create(EndToEnd db, Random random) {
    db.run(definition());
    if (rows == 0) {
      return;
    }
    String marks =
        IntStream.range(0, columns.size()).mapToObj(i -> "?").collect(Collectors.joining(", "));
    db.inTransaction(
        tx -> {
          Prepared insert =
              db.engine.prepare("INSERT INTO " + name + " VALUES (" + marks + ")", tx);
          ParameterColumns batch = new ParameterColumns(insert.parameters());
          for (int row = 0; row < rows; row++) {
            for (int i = 0; i < columns.size(); i++) {
              Object value = i == 0 ? (Object) row : value(random, columns.get(i));
              EndToEnd.bind(batch, i, value);
            }
            batch.addRow();
          }
          return insert.executeBatch(tx, batch);
        });
    if (random.nextBoolean()) {
      db.run("DELETE FROM " + name + " WHERE MOD(id, " + (2 + random.nextInt(40)) + ") = 1");
    }
  }

  private static @Nullable Object value(Random random, Column column) {
    if (random.nextInt(100) < column.nullShare) {
      return null;
    }
    boolean wide = random.nextInt(20) == 0;
    return switch (column.family) {
      case SMALLINT -> random.nextInt(wide ? 150 : 12) - 5;
      case INTEGER -> random.nextInt(wide ? 2_000_000 : 50) - 20;
      case BIGINT -> wide ? random.nextLong() >> 20 : (long) random.nextInt(30) - 10;
      case DECIMAL -> BigDecimal.valueOf(random.nextInt(wide ? 900_000 : 2000) - 500, 2);
      case REAL -> random.nextInt(60) == 0 ? Float.NaN : (float) (random.nextInt(40) - 10) / 4;
      case DOUBLE -> number(random, wide);
      case VARCHAR -> WORDS[random.nextInt(WORDS.length)];
      case CHAR -> String.valueOf((char) ('a' + random.nextInt(5))).repeat(random.nextInt(4));
      case DATE -> TemporalText.formatDate(random.nextInt(wide ? 30_000 : 90) - 40);
      case TIMESTAMP ->
          TemporalText.formatTimestamp(
              (random.nextInt(400) - 100) * 3_600_000_000L + random.nextInt(3) * 500_000L);
      case BOOLEAN -> random.nextBoolean();
    };
  }

  /** A literal such as the columns of a family hold. */
  static String literal(Random random, Family family) {
    return switch (family) {
      case SMALLINT, INTEGER, BIGINT -> Integer.toString(random.nextInt(40) - 12);
      case DECIMAL -> BigDecimal.valueOf(random.nextInt(2000) - 500, 2).toPlainString();
      case REAL, DOUBLE -> (random.nextInt(60) - 20) / 4.0 + "E0";
      case VARCHAR, CHAR -> "'" + WORDS[random.nextInt(WORDS.length)] + "'";
      case DATE -> "DATE '" + value(random, new Column("", family, 0)) + "'";
      case TIMESTAMP -> "TIMESTAMP '" + value(random, new Column("", family, 0)) + "'";
      case BOOLEAN -> random.nextBoolean() ? "TRUE" : "FALSE";
    };
  }

  private static double number(Random random, boolean wide) {
    return switch (random.nextInt(90)) {
      case 0 -> Double.NaN;
      case 1 -> random.nextBoolean() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> (double) (random.nextInt(wide ? 100_000 : 60) - 20) / 8;
    };
  }
}
