package io.gpdb.sql.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words and signs of a text of SQL, without comments. */
public final class Words {
  /**
   * A word or sign.
   *
   * @param name what it names: upper case unless in quotes; of a string or sign its characters
   * @param isName whether it may be a name
   */
  public record Word(String name, boolean isName, int start, int end) {
    public boolean is(String other) {
      return name.equals(other);
    }
  }

  private Words() {}

  public static List<Word> of(String text) {
    List<Word> words = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int after = SkippedText.afterComment(text, at);
      if (after == at && !Character.isWhitespace(text.charAt(at))) {
        Word word = word(text, at);
        words.add(word);
        after = word.end;
      }
      at = Math.max(after, at + 1);
    }
    return words;
  }

  private static Word word(String text, int at) {
    if (Character.isJavaIdentifierStart(text.charAt(at))) {
      int end = at;
      while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
        end++;
      }
      return new Word(text.substring(at, end).toUpperCase(Locale.ROOT), true, at, end);
    }
    int end = SkippedText.afterQuotes(text, at);
    if (text.charAt(at) != '"') {
      end = Math.max(end, at + 1);
      return new Word(text.substring(at, end), false, at, end);
    }
    while (end < text.length() && text.charAt(end) == '"') { // a doubled quote
      end = SkippedText.afterQuotes(text, end);
    }
    String quoted = text.substring(at + 1, Math.max(at + 1, end - 1));
    return new Word(quoted.replace("\"\"", "\""), true, at, end);
  }
}
