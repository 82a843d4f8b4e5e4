package io.gpdb.sql.text;

import java.util.ArrayList;
import java.util.List;

/** Finds the semicolons of a script that end statements: those outside of BEGIN ATOMIC … END. */
public final class StatementSplitter {
  private final String script;
  private final AtomicBlocks blocks = new AtomicBlocks();
  private int at;

  private StatementSplitter(String script) {
    this.script = script;
  }

  public static List<String> split(String script) {
    return new StatementSplitter(script).statements();
  }

  private List<String> statements() {
    List<String> statements = new ArrayList<>();
    int start = 0;
    boolean blank = true;
    while (at < script.length()) {
      char c = script.charAt(at);
      if (c == ';' && !blocks.isInside()) {
        add(statements, start, blank);
        blocks.begin();
        at++;
        start = at;
        blank = true;
      } else if (!skipComment()) {
        blank &= Character.isWhitespace(c);
        skipToken();
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
    int start = at;
    at = SkippedText.afterComment(script, at);
    return at > start;
  }

  /** Skips one character or word, or all of a string or quoted name. */
  private void skipToken() {
    int after = SkippedText.afterQuotes(script, at);
    at = after > at ? after : blocks.afterWord(script, at);
  }
}
