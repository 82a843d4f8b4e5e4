package io.gpdb.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The words of a dot-command, and names as SQL writes them. */
final class Words {
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");

  private Words() {}

  /** Splits at blanks; a word may be in single quotes, where two mean one. */
  static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'') {
        if (quoted && i + 1 < text.length() && text.charAt(i + 1) == '\'') {
          word.append(c);
          i++;
        } else {
          quoted = !quoted;
          inWord = true;
        }
      } else if (Character.isWhitespace(c) && !quoted) {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
          inWord = false;
        }
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (quoted) {
      throw new ShellError("a quote is not closed: " + text);
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }

  /** The name that a word of SQL means: folded to upper case unless it is in double quotes. */
  static String nameOf(String word) {
    if (word.length() >= 2 && word.startsWith("\"") && word.endsWith("\"")) {
      return word.substring(1, word.length() - 1).replace("\"\"", "\"");
    }
    return word.toUpperCase(java.util.Locale.ROOT);
  }

  /** The name, quoted so that SQL takes it as it is. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The name as short as SQL allows, for people to read. */
  static String readable(String name) {
    boolean plain =
        PLAIN_NAME.matcher(name).matches() && name.equals(name.toUpperCase(java.util.Locale.ROOT));
    return plain && !Keywords.RESERVED.contains(name) ? name : quoted(name);
  }

  static boolean isPlainName(String text) {
    return PLAIN_NAME.matcher(text).matches();
  }

  static String literal(String text) {
    return '\'' + text.replace("'", "''") + '\'';
  }
}
