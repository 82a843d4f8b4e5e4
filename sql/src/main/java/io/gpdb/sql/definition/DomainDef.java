package io.gpdb.sql.definition;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A domain: a type with a default and constraints, which columns declared with it get. Or a
 * distinct type: values of another type, its source, that compare with each other alone.
 *
 * @param value a table of its name with its checks, whose only column VALUE has the rest
 * @param casts those of a distinct type; null for a domain
 */
public record DomainDef(TableDef value, @Nullable Casts casts) {
  /** What a condition calls the value. */
  public static final String VALUE = "VALUE";

  /** Strings, comments and names in quotes, which stay; the word. */
  private static final Pattern WORD =
      Pattern.compile("(?is)'[^']*'|\"[^\"]*\"|--[^\\n]*|/\\*.*?\\*/|(?<![\\w.])(VALUE)(?!\\w)");

  /** A domain. */
  public DomainDef(TableDef value) {
    this(value, null);
  }

  /**
   * The names of the functions that cast between a distinct type and its source.
   *
   * @param toDistinct null where it is that of the type
   * @param toSource null where there is none
   */
  public record Casts(@Nullable String toDistinct, @Nullable String toSource) {}

  public boolean isDistinct() {
    return casts != null;
  }

  /** The name of the function that makes values of a distinct type; null for a domain. */
  public @Nullable String toDistinct() {
    String given = casts == null ? null : casts.toDistinct();
    return casts == null || given != null ? given : fullName().name();
  }

  /** The name of the function that makes values of a distinct type's source, where it has one. */
  public @Nullable String toSource() {
    return casts == null ? null : casts.toSource();
  }

  /** What it is called in messages: "domain" or "type". */
  public String kind() {
    return isDistinct() ? "type" : "domain";
  }

  public DomainDef withValue(TableDef other) {
    return new DomainDef(other, casts);
  }

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
