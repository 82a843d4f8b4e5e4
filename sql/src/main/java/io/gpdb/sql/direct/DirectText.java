package io.gpdb.sql.direct;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.text.SqlTokens;
import org.jspecify.annotations.Nullable;

/** The words and signs of one statement, and the catalog that its names are of. */
final class DirectText {
  private static final int TEXT_LENGTH_MAX = 4096;
  private static final int WHOLE_DIGITS_MAX = 18;

  private final String sql;
  private final SqlTokens tokens;
  private final CatalogSnapshot catalog;
  private final int end;

  private DirectText(String sql, SqlTokens tokens, CatalogSnapshot catalog, int end) {
    this.sql = sql;
    this.tokens = tokens;
    this.catalog = catalog;
    this.end = end;
  }

  /** The text, or null where a character, or a name of the catalog, may mean more than it says. */
  static @Nullable DirectText of(String sql, CatalogSnapshot catalog) {
    if (!isPlain(sql) || !catalog.routines().isEmpty() || catalog.hasDistinctTypes()) {
      return null;
    }
    SqlTokens tokens = SqlTokens.withParameters(sql);
    if (tokens == null) {
      return null;
    }
    int end = tokens.count();
    while (tokens.word(end - 1).equals(";")) {
      end--;
    }
    return new DirectText(sql, tokens, catalog, end);
  }

  private static boolean isPlain(String sql) {
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (c != '\n' && c != '\r' && c != '\t' && (c < ' ' || c > '~' || c == '$')) {
        return false;
      }
    }
    return sql.length() <= TEXT_LENGTH_MAX;
  }

  CatalogSnapshot catalog() {
    return catalog;
  }

  /** How many words and signs there are but for semicolons at the end. */
  int end() {
    return end;
  }

  /** A word in upper case or a sign; empty for what is neither, and outside of the statement. */
  String word(int at) {
    return at < end ? tokens.word(at) : "";
  }

  boolean is(int at, String word) {
    return word(at).equals(word);
  }

  /** Whether the words are these from there on. */
  boolean are(int at, String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!is(at + i, words[i])) {
        return false;
      }
    }
    return true;
  }

  boolean isName(int at) {
    return DirectNames.isName(word(at)) && tokens.isName(at);
  }

  /** A whole number that is written without a sign and without zeros before it; -1: none. */
  int number(int at) {
    if (at >= end || !tokens.isNumber(at)) {
      return -1;
    }
    String digits = sql.substring(tokens.start(at), tokens.end(at));
    boolean whole = digits.length() <= 9 && digits.indexOf('.') < 0;
    return whole && (digits.length() == 1 || digits.charAt(0) != '0')
        ? Integer.parseInt(digits)
        : -1;
  }

  /** A whole number of up to 18 digits that is written without a sign; -1: none. */
  long wholeNumber(int at) {
    if (at >= end || !tokens.isNumber(at)) {
      return -1;
    }
    int from = tokens.start(at);
    int to = tokens.end(at);
    boolean whole = to - from <= WHOLE_DIGITS_MAX && sql.indexOf('.', from, to) < 0;
    return whole ? Long.parseLong(sql, from, to, 10) : -1;
  }

  /** Where the parenthesis ends that is open there; the end of the statement if it does not. */
  int closing(int at) {
    int open = 1;
    for (int i = at; i < end; i++) {
      open += is(i, "(") ? 1 : is(i, ")") ? -1 : 0;
      if (open == 0) {
        return i;
      }
    }
    return end;
  }

  /** How many parameters are before that word. */
  int parameter(int at) {
    int before = 0;
    for (int i = 0; i < at; i++) {
      before += is(i, "?") ? 1 : 0;
    }
    return before;
  }

  /** The text from the one word to the other, blanks and ends of lines as one blank. */
  String onOneLine(int from, int to) {
    StringBuilder line = new StringBuilder();
    boolean blank = false;
    for (int i = tokens.start(from); i < tokens.end(to); i++) {
      char c = sql.charAt(i);
      if (c > ' ' || !blank) {
        line.append(c > ' ' ? c : ' ');
      }
      blank = c <= ' ';
    }
    return line.toString();
  }

  /** The stored table that a name means, or null. */
  @Nullable TableDef table(int at) {
    return isName(at) ? table(word(at)) : null;
  }

  private @Nullable TableDef table(String name) {
    ObjectName meant = catalog.resolve(name);
    return catalog.view(meant) == null ? catalog.table(meant) : null;
  }

  /** As {@link #table}, where the name may be in quotes. */
  @Nullable TableDef changedTable(int at) {
    return isQuoted(at) ? table(unquoted(at)) : table(at);
  }

  /** As {@link #column}, where the name may be in quotes: its letters are those of the column. */
  int changedColumn(int at, TableDef table) {
    return isQuoted(at) ? table.indexOf(unquoted(at)) : column(at, table);
  }

  private boolean isQuoted(int at) {
    return at < end && tokens.isQuoted(at);
  }

  private String unquoted(int at) {
    return sql.substring(tokens.start(at) + 1, tokens.end(at) - 1).replace("\"\"", "\"");
  }

  /** The column of the table that a name means, or -1. */
  int column(int at, TableDef table) {
    return isName(at) ? table.indexOf(word(at)) : -1;
  }
}
