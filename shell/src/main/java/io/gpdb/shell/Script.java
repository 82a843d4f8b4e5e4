package io.gpdb.shell;

import io.gpdb.sql.text.AtomicBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * Text cut into SQL statements, which end at a semicolon, and dot-commands, which begin with a dot
 * where a statement could begin and end with their line.
 *
 * @param items what is complete, in order; statements without their semicolon
 * @param rest what follows the last complete item: blank, or a statement not yet ended
 * @param open what the rest is inside of, for the prompt
 */
record Script(List<String> items, String rest, Open open) {
  /** The thing that is not yet closed at the end of the text. */
  enum Open {
    NOTHING,
    STATEMENT,
    STRING,
    NAME,
    COMMENT
  }

  static Script parse(String text) {
    List<String> items = new ArrayList<>();
    int start = 0;
    while (true) {
      int begin = skipBlankAndComments(text, start);
      if (begin == text.length()) {
        return new Script(items, "", Open.NOTHING);
      }
      if (text.charAt(begin) == ';') {
        start = begin + 1;
      } else if (text.charAt(begin) == '.') {
        int end = text.indexOf('\n', begin);
        end = end < 0 ? text.length() : end;
        items.add(text.substring(begin, end).strip());
        start = end;
      } else {
        Scan scan = scan(text, begin);
        if (scan.open != Open.NOTHING) {
          return new Script(items, text.substring(begin), scan.open);
        }
        items.add(text.substring(begin, scan.end).strip());
        start = scan.end + 1;
      }
    }
  }

  static boolean isDotCommand(String item) {
    return item.startsWith(".");
  }

  private record Scan(int end, Open open) {}

  /** Finds the semicolon that ends the statement, outside of BEGIN ATOMIC … END. */
  private static Scan scan(String text, int begin) {
    AtomicBlocks blocks = new AtomicBlocks();
    int at = begin;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == ';' && !blocks.isInside()) {
        return new Scan(at, Open.NOTHING);
      }
      if (c == '\'' || c == '"') {
        at = text.indexOf(c, at + 1);
        if (at < 0) {
          return new Scan(text.length(), c == '"' ? Open.NAME : Open.STRING);
        }
        at++;
      } else {
        int after = skipComment(text, at);
        if (after < 0) {
          return new Scan(text.length(), Open.COMMENT);
        }
        at = after == at ? blocks.afterWord(text, at) : after;
      }
    }
    return new Scan(at, Open.STATEMENT);
  }

  private static int skipBlankAndComments(String text, int start) {
    int at = start;
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else {
        int after = skipComment(text, at);
        if (after == at || after < 0) {
          return at;
        }
        at = after;
      }
    }
    return at;
  }

  /** The place behind the comment that begins here; the same when none does, -1 when it is open. */
  private static int skipComment(String text, int at) {
    if (text.startsWith("--", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }
    if (text.startsWith("/*", at)) {
      int end = text.indexOf("*/", at + 2);
      return end < 0 ? -1 : end + 2;
    }
    return at;
  }
}
