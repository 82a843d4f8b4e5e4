package io.gpdb.planner;

import io.gpdb.sql.text.SqlTokens;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text with parameters in the places of literals, so that statements that differ in
 * those alone share a plan. Only plain numbers and strings are taken out, and only where a
 * parameter means the same: {@code column op literal}, {@code column BETWEEN literal AND literal}
 * and {@code column IN (literal, …)} in the WHERE clause, {@code column = literal} in SET, values
 * of INSERT, and few rows of LIMIT and OFFSET. All others (ordinals, patterns, select lists) stay.
 *
 * @param text the statement with question marks
 * @param literals the values taken out, in order: BigDecimal or String
 */
record SharedText(String text, List<Object> literals) {
  private static final int TEXT_LENGTH_MAX = 4096;
  private static final int LITERALS_MAX = 64;
  private static final int DIGITS_MAX = 18;

  /** Longer lists stay, so that the other literals of their statement can be taken. */
  private static final int LIST_MAX = 16;

  /** How many digits a limit has: plans for the first rows keep them in memory. */
  private static final int LIMIT_DIGITS_MAX = 4;

  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");
  private static final Set<String> BEFORE_COLUMN = Set.of("WHERE", "AND", "OR", "NOT", "(");
  private static final Set<String> AFTER_CONDITION = Set.of("", ";", ")", "AND", "OR");
  private static final Set<String> AFTER_ASSIGNMENT = Set.of("", ";", ",", "WHERE");
  private static final Set<String> AFTER_LIMIT = Set.of("", ";");
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

    /** Where the literals of a list or of BETWEEN end that has been found to have no other. */
    private int literalsEnd;

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
        case OTHER -> isLimit(first, last);
        case VALUES ->
            depth == 1
                && (before.equals("(") || before.equals(","))
                && (after.equals(")") || after.equals(","));
        case WHERE ->
            last < literalsEnd
                || isInRange(first, last)
                || isInList(first)
                || (COMPARISONS.contains(before)
                    && isAfterCondition(after)
                    && BEFORE_COLUMN.contains(beforeColumn(first - 2)));
        case SET -> {
          String start = beforeColumn(first - 2);
          yield depth == 0
              && before.equals("=")
              && AFTER_ASSIGNMENT.contains(after)
              && (start.equals("SET") || start.equals(","));
        }
      };
    }

    private static boolean isAfterCondition(String word) {
      return AFTER_CONDITION.contains(word) || ENDS_WHERE.contains(word);
    }

    private boolean isLimit(int first, int last) {
      String before = tokens.word(first - 1);
      String after = tokens.word(last + 1);
      return depth == 0
          && tokens.isNumber(last)
          && tokens.end(last) - tokens.start(last) <= LIMIT_DIGITS_MAX
          && ((before.equals("LIMIT") && (after.equals("OFFSET") || AFTER_LIMIT.contains(after)))
              || (before.equals("OFFSET") && AFTER_LIMIT.contains(after)));
    }

    /** Whether two literals follow BETWEEN, of which this is the first. */
    private boolean isInRange(int first, int last) {
      if (!tokens.word(first - 1).equals("BETWEEN")
          || !tokens.word(last + 1).equals("AND")
          || !BEFORE_COLUMN.contains(beforeColumn(withoutNot(first - 2)))) {
        return false;
      }
      int end = literalEnd(last + 2);
      if (end < 0 || !isAfterCondition(tokens.word(end))) {
        return false;
      }
      literalsEnd = end;
      return true;
    }

    /** Whether this is the first of the literals that are all of an IN list. */
    private boolean isInList(int first) {
      if (!tokens.word(first - 1).equals("(")
          || !tokens.word(first - 2).equals("IN")
          || !BEFORE_COLUMN.contains(beforeColumn(withoutNot(first - 3)))) {
        return false;
      }
      int end = literalEnd(first);
      for (int count = 1; end >= 0 && count <= LIST_MAX; count++) {
        if (tokens.word(end).equals(")")) {
          literalsEnd = end;
          return true;
        }
        end = tokens.word(end).equals(",") ? literalEnd(end + 1) : -1;
      }
      return false;
    }

    private int withoutNot(int token) {
      return tokens.word(token).equals("NOT") ? token - 1 : token;
    }

    /** The token after the literal that begins here, which may have a sign; -1 where none does. */
    private int literalEnd(int token) {
      int literal =
          tokens.word(token).equals("-") && tokens.isNumber(token + 1) ? token + 1 : token;
      return tokens.isLiteral(literal) ? literal + 1 : -1;
    }

    /** The word before a column that ends at a token; a word that nobody writes if it is none. */
    private String beforeColumn(int last) {
      int at = last;
      while (tokens.isName(at) && tokens.word(at - 1).equals(".")) {
        at -= 2;
      }
      boolean column = tokens.isName(at) && !tokens.word(at).equals("NULL");
      return column ? tokens.word(at - 1) : "?";
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
}
