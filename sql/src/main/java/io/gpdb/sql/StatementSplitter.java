package io.gpdb.sql;

import java.util.ArrayList;
import java.util.List;

/** Finds the semicolons of a script that end statements. */
final class StatementSplitter {
  private final String script;
  private int at;

  private StatementSplitter(String script) {
    this.script = script;
  }

  static List<String> split(String script) {
    return new StatementSplitter(script).statements();
  }

  private List<String> statements() {
    List<String> statements = new ArrayList<>();
    int start = 0;
    boolean blank = true;
    while (at < script.length()) {
      char c = script.charAt(at);
      if (c == ';') {
        add(statements, start, blank);
        at++;
        start = at;
        blank = true;
      } else if (!skipComment()) {
        blank &= Character.isWhitespace(c);
        skipToken(c);
      }
    }
    add(statements, start, blank);
    return statements;
  }

  private void add(List<String> statements, int start, boolean blank) {
    if (!blank) {
      statements.add(script.substring(start, at).strip());
    }
  }

  private boolean skipComment() {
    if (script.startsWith("--", at)) {
      int end = script.indexOf('\n', at);
      at = end < 0 ? script.length() : end + 1;
      return true;
    }
    if (script.startsWith("/*", at)) {
      int end = script.indexOf("*/", at + 2);
      at = end < 0 ? script.length() : end + 2;
      return true;
    }
    return false;
  }

  /** Skips one character, or all of a string or quoted name; a doubled quote reopens by itself. */
  private void skipToken(char c) {
    at++;
    if (c == '\'' || c == '"' || c == '`') {
      int end = script.indexOf(c, at);
      at = end < 0 ? script.length() : end + 1;
    }
  }
}
