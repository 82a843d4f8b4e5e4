package io.gpdb.sql.type;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;

/**
 * Text as it is stored: UTF-8 of Unicode's characters. Half of a surrogate pair is no character,
 * and Java would store a question mark for it.
 */
public final class Utf8 {
  private Utf8() {}

  /** The bytes of a text; raises 22021 where it holds half of a surrogate pair. */
  public static byte[] bytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length != text.length() || hasQuestionMark(bytes)) {
      requireCharacters(text);
    }
    return bytes;
  }

  /** Without one, as many bytes as UTF-16 units are ASCII: a half of a pair would be one. */
  private static boolean hasQuestionMark(byte[] bytes) {
    for (byte b : bytes) {
      if (b == '?') {
        return true;
      }
    }
    return false;
  }

  public static void requireCharacters(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        requirePairs(text, i);
        return;
      }
    }
  }

  private static void requirePairs(String text, int from) {
    int at = from;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        throw new GpdbException(
            SqlCondition.NOT_A_CHARACTER,
            "U+%04X is half of a surrogate pair and no character: UTF-16 unit %d of a text of %d"
                .formatted(c, at + 1, text.length()));
      }
      at += Character.charCount(c);
    }
  }
}
