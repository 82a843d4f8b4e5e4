package io.gpdb.sql.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class SkippedTextTest {
  @Test
  void aCommentEndsWithItsLineOrItsSign() {
    assertEquals(5, SkippedText.afterComment("--;a\nb", 0));
    assertEquals(6, SkippedText.afterComment("a/*;*/b", 1));
    assertEquals(5, SkippedText.afterComment("/*/*/*/", 0));
  }

  @Test
  void aStringOrNameEndsWithItsQuote() {
    assertEquals(4, SkippedText.afterQuotes("'\"`'b", 0));
    assertEquals(5, SkippedText.afterQuotes("a\"--\"", 1));
    assertEquals(4, SkippedText.afterQuotes("a`'`", 1));
  }

  @Test
  void aDoubledQuoteEndsOneStringAndBeginsTheNext() {
    assertEquals(3, SkippedText.afterQuotes("'a''b'", 0));
    assertEquals(6, SkippedText.afterQuotes("'a''b'", 3));
  }

  @Test
  void whatIsNotClosedEndsWithTheText() {
    assertEquals(3, SkippedText.afterComment("--a", 0));
    assertEquals(3, SkippedText.afterComment("/*/", 0));
    assertEquals(2, SkippedText.afterQuotes("'a", 0));
  }

  @Test
  void nothingIsSkippedElsewhere() {
    assertEquals(0, SkippedText.afterComment("- -/ *", 0));
    assertEquals(1, SkippedText.afterComment("a/", 1));
    assertEquals(0, SkippedText.afterQuotes("a'", 0));
  }
}
