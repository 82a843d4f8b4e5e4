package io.gpdb.planner;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text with parameters in the places of literals, so that statements that differ in
 * those alone share a plan. Only plain numbers and strings are taken out, and only where a
 * parameter means the same: {@code column op literal} in the WHERE clause, {@code column = literal}
 * in SET, and values of INSERT. All others (LIMIT, ordinals, patterns, lists, select lists) stay.
 *
 * @param text the statement with question marks
 * @param literals the values taken out, in order: BigDecimal or String
 */
record SharedText(String text, List<Object> literals) {
  private static final int TEXT_LENGTH_MAX = 4096;
  private static final int LITERALS_MAX = 64;
  private static final int DIGITS_MAX = 18;

  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");
  private static final Set<String> BEFORE_COLUMN = Set.of("WHERE", "AND", "OR", "NOT", "(");
  private static final Set<String> AFTER_CONDITION = Set.of("", ";", ")", "AND", "OR");
  private static final Set<String> AFTER_ASSIGNMENT = Set.of("", ";", ",", "WHERE");
  private static final Set<String> ENDS_WHERE =
      Set.of(
          "GROUP",
          "ORDER",
          "HAVING",
          "LIMIT",
          "OFFSET",
          "FETCH",
          "UNION",
          "INTERSECT",
          "EXCEPT",
          "MINUS",
          "WINDOW",
          "QUALIFY");

  /** The statement with its literals taken out, or null where it has none to take. */
  static @Nullable SharedText of(String sql) {
    if (sql.length() > TEXT_LENGTH_MAX) {
      return null;
    }
    SqlTokens tokens = SqlTokens.of(sql);
    return tokens == null ? null : new Search(sql, tokens).found();
  }

  /** What a statement's clause makes of its literals. */
  private enum Clause {
    OTHER,
    SET,
    WHERE,
    VALUES
  }

  /** One pass over a statement. */
  private static final class Search {
    private final String sql;
    private final SqlTokens tokens;
    private final StringBuilder text = new StringBuilder();
    private final List<Object> literals = new ArrayList<>();
    private Clause clause = Clause.OTHER;
    private int depth;
    private int copied;

    Search(String sql, SqlTokens tokens) {
      this.sql = sql;
      this.tokens = tokens;
    }

    @Nullable SharedText found() {
      switch (tokens.word(0)) {
        case "SELECT", "UPDATE", "DELETE", "INSERT" -> {}
        default -> {
          return null;
        }
      }
      for (int i = 0; i < tokens.count(); i++) {
        step(i);
      }
      if (literals.isEmpty() || literals.size() > LITERALS_MAX) {
        return null;
      }
      text.append(sql, copied, sql.length());
      return new SharedText(text.toString(), List.copyOf(literals));
    }

    private void step(int i) {
      String word = tokens.word(i);
      if (word.equals("(")) {
        depth++;
      } else if (word.equals(")")) {
        depth--;
      } else if (tokens.isLiteral(i)) {
        boolean signed =
            tokens.isNumber(i) && tokens.word(i - 1).equals("-") && !tokens.isLiteral(i - 2);
        int first = signed ? i - 1 : i;
        if (isTaken(first, i)) {
          take(first, i);
        }
      } else if (depth == 0) {
        clause = clause(word);
      }
    }

    private Clause clause(String word) {
      boolean insert = tokens.word(0).equals("INSERT");
      return switch (word) {
        case "WHERE" -> insert ? Clause.OTHER : Clause.WHERE;
        case "SET" -> tokens.word(0).equals("UPDATE") ? Clause.SET : Clause.OTHER;
        case "VALUES" -> insert ? Clause.VALUES : Clause.OTHER;
        case "SELECT" -> Clause.OTHER;
        default -> ENDS_WHERE.contains(word) ? Clause.OTHER : clause;
      };
    }

    private boolean isTaken(int first, int last) {
      String before = tokens.word(first - 1);
      String after = tokens.word(last + 1);
      return switch (clause) {
        case OTHER -> false;
        case VALUES ->
            depth == 1
                && (before.equals("(") || before.equals(","))
                && (after.equals(")") || after.equals(","));
        case WHERE ->
            COMPARISONS.contains(before)
                && (AFTER_CONDITION.contains(after) || ENDS_WHERE.contains(after))
                && BEFORE_COLUMN.contains(beforeColumn(first - 2));
        case SET -> {
          String start = beforeColumn(first - 2);
          yield depth == 0
              && before.equals("=")
              && AFTER_ASSIGNMENT.contains(after)
              && (start.equals("SET") || start.equals(","));
        }
      };
    }

    /** The word before a column that ends at a token; a word that nobody writes if it is none. */
    private String beforeColumn(int last) {
      int at = last;
      while (tokens.isName(at) && tokens.word(at - 1).equals(".")) {
        at -= 2;
      }
      return tokens.isName(at) ? tokens.word(at - 1) : "?";
    }

    private void take(int first, int last) {
      String literal = sql.substring(tokens.start(last), tokens.end(last));
      Object value;
      if (tokens.isNumber(last)) {
        BigDecimal number = new BigDecimal(literal);
        if (number.precision() > DIGITS_MAX || number.scale() > DIGITS_MAX) {
          return;
        }
        value = first < last ? number.negate() : number;
      } else {
        value = literal.substring(1, literal.length() - 1).replace("''", "'");
      }
      literals.add(value);
      text.append(sql, copied, tokens.start(first)).append('?');
      copied = tokens.end(last);
    }
  }

  static String folded(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
