package io.gpdb.bench.compared;

import java.util.List;
import java.util.Random;

/** The types of generated columns, whose operations gpDB and DuckDB have in common. */
enum Kind {
  INTEGER("INTEGER"),
  DECIMAL("DECIMAL(9, 2)"),
  DOUBLE("DOUBLE"),
  TEXT("VARCHAR(20)"),
  DATE("DATE"),
  BOOLEAN("BOOLEAN");

  private static final List<Kind> OFTEN =
      List.of(INTEGER, INTEGER, INTEGER, DECIMAL, DOUBLE, TEXT, TEXT, DATE, BOOLEAN);
  private static final List<String> TEXTS =
      List.of("", "a", "b", "ab", "B", "abc", "é", "a ", "%", "z");
  private static final List<String> PARTS = List.of("00", "25", "5", "75");

  /** Around a literal that a parameter may take the place of. */
  private static final String MARKED = "⟦%s⟧";

  final String sql;

  Kind(String sql) {
    this.sql = sql;
  }

  static Kind any(Random random) {
    return OFTEN.get(random.nextInt(OFTEN.size()));
  }

  boolean isNumber() {
    return this == INTEGER || this == DECIMAL || this == DOUBLE;
  }

  /** A kind whose values compare with those of this one. */
  Kind comparable(Random random) {
    return isNumber() && random.nextInt(3) == 0 ? values()[random.nextInt(3)] : this;
  }

  /** A literal; those of numbers and texts are marked. */
  String literal(Random random) {
    return switch (this) {
      case INTEGER -> MARKED.formatted(random.nextInt(10) - 3);
      case DECIMAL -> MARKED.formatted(random.nextInt(5) + "." + any(PARTS, random));
      case DOUBLE -> "CAST(" + random.nextInt(5) + "." + any(PARTS, random) + " AS DOUBLE)";
      case TEXT -> MARKED.formatted("'" + any(TEXTS, random) + "'");
      case DATE -> "DATE '2020-0" + (1 + random.nextInt(3)) + "-0" + (1 + random.nextInt(4)) + "'";
      case BOOLEAN -> random.nextBoolean() ? "TRUE" : "FALSE";
    };
  }

  /** A value of a column in which about {@code different} values occur. */
  String value(Random random, int different) {
    int number = random.nextInt(different + 1);
    return switch (this) {
      case INTEGER -> String.valueOf(random.nextInt(8) == 0 ? -number : number);
      case DECIMAL, DOUBLE -> number + "." + any(PARTS, random);
      default -> unmarked(literal(random));
    };
  }

  static String unmarked(String sql) {
    return sql.replace("⟦", "").replace("⟧", "");
  }

  /** A type whose columns hold the values of this kind; of texts one without padding. */
  String type(Random random) {
    return switch (this) {
      case INTEGER -> any(List.of("INTEGER", "INTEGER", "BIGINT", "SMALLINT"), random);
      case DECIMAL -> any(List.of("DECIMAL(9, 2)", "DECIMAL(4, 2)", "DECIMAL(25, 3)"), random);
      case DOUBLE -> any(List.of("DOUBLE", "REAL"), random);
      case TEXT -> any(List.of("VARCHAR(20)", "VARCHAR"), random);
      case DATE -> any(List.of("DATE", "DATE", "TIMESTAMP(0)"), random);
      case BOOLEAN -> sql;
    };
  }

  /** The same or, of texts, one whose values are padded. */
  String typeOrChar(Random random) {
    return this == TEXT && random.nextInt(2) == 0 ? "CHAR(20)" : type(random);
  }

  private static String any(List<String> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }
}
