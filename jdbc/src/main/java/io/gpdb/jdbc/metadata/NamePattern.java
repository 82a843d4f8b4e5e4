package io.gpdb.jdbc.metadata;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A name pattern of JDBC: % any text, _ one character, a backslash takes their meaning away. */
public final class NamePattern {
  static final String ESCAPE = "\\";

  private final @Nullable Pattern pattern;

  /** A null pattern matches every name. */
  public NamePattern(@Nullable String text) {
    this.pattern = text == null || text.equals("%") ? null : compile(text);
  }

  private static Pattern compile(String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean escapes = c == '\\' && i + 1 < text.length();
      if (escapes) {
        i++;
        regex.append(Pattern.quote(text.substring(i, i + 1)));
      } else {
        regex.append(
            switch (c) {
              case '%' -> ".*";
              case '_' -> ".";
              default -> Pattern.quote(String.valueOf(c));
            });
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  public boolean matches(String name) {
    return pattern == null || pattern.matcher(name).matches();
  }
}
