package io.gpdb.sql.definition;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A domain: a type with a default and constraints, which columns declared with it get.
 *
 * @param value a table of its name with its checks, whose only column VALUE has the rest
 */
public record DomainDef(TableDef value) {
  /** What a condition calls the value. */
  public static final String VALUE = "VALUE";

  /** Strings, comments and names in quotes, which stay; the word. */
  private static final Pattern WORD =
      Pattern.compile("(?is)'[^']*'|\"[^\"]*\"|--[^\\n]*|/\\*.*?\\*/|(?<![\\w.])(VALUE)(?!\\w)");

  public int domainId() {
    return value.tableId();
  }

  public ObjectName fullName() {
    return value.fullName();
  }

  /** The type, the default and whether NULL is a value. */
  public ColumnDef column() {
    return value.column(0);
  }

  /** The condition of one of its checks for the values of a column. */
  public static String condition(CheckDef check, String column) {
    String name = '"' + column.replace("\"", "\"\"") + '"';
    return WORD.matcher(check.condition())
        .replaceAll(
            found -> Matcher.quoteReplacement(found.group(1) == null ? found.group() : name));
  }
}
