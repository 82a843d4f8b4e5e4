package io.gpdb.exec.ir;

import io.gpdb.exec.ir.InvalidKernel.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts kernel text into tokens and hands them out one after the other. */
final class KernelLexer {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<space>\\s+|//[^\\n]*)"
              + "|(?<word>[A-Za-z_][A-Za-z0-9_.$]*)"
              + "|(?<register>%[0-9]+)"
              + "|(?<number>0x[0-9a-fA-F]+|-?[0-9]+(?:\\.[0-9]+)?(?:E-?[0-9]+)?)"
              + "|(?<mark>[{}\\[\\]():,=])");

  private record Token(String text, int start) {}

  private final String source;
  private final List<Token> tokens = new ArrayList<>();
  private int next;
  private String kernelName = "?";

  KernelLexer(String source) {
    this.source = source;
    Matcher matcher = TOKEN.matcher(source);
    int at = 0;
    while (at < source.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw error(at, "unexpected character '" + source.charAt(at) + "'");
      }
      if (matcher.group("space") == null) {
        tokens.add(new Token(matcher.group(), at));
      }
      at = matcher.end();
    }
  }

  /** Names the kernel in later errors. */
  void inKernel(String name) {
    kernelName = name;
  }

  boolean atEnd() {
    return next == tokens.size();
  }

  /** The next token's text, or the empty string at the end; stays there. */
  String peek() {
    return atEnd() ? "" : tokens.get(next).text();
  }

  String take() {
    if (atEnd()) {
      throw error(source.length(), "the text ends too early");
    }
    return tokens.get(next++).text();
  }

  boolean takeIf(String text) {
    if (peek().equals(text)) {
      next++;
      return true;
    }
    return false;
  }

  void expect(String text) {
    if (!takeIf(text)) {
      throw atNext("expected '" + text + "'");
    }
  }

  String word() {
    String text = peek();
    if (text.isEmpty() || (!Character.isLetter(text.charAt(0)) && text.charAt(0) != '_')) {
      throw atNext("expected a word");
    }
    return take();
  }

  int wholeNumber() {
    try {
      int number = Integer.parseInt(peek());
      next++;
      return number;
    } catch (NumberFormatException noNumber) {
      throw atNext("expected a whole number");
    }
  }

  /** The number of a register token. */
  int register() {
    String text = peek();
    if (!text.startsWith("%")) {
      throw atNext("expected a register");
    }
    try {
      int id = Integer.parseInt(text.substring(1));
      next++;
      return id;
    } catch (NumberFormatException tooLong) {
      throw atNext("no such register");
    }
  }

  /** An error at the next token. */
  InvalidKernel atNext(String message) {
    int at = atEnd() ? source.length() : tokens.get(next).start();
    return error(at, message + ", found " + (atEnd() ? "the end" : "'" + peek() + "'"));
  }

  /** An error at the token taken last. */
  InvalidKernel atLast(String message) {
    return error(next == 0 ? 0 : tokens.get(next - 1).start(), message);
  }

  private InvalidKernel error(int at, String message) {
    String before = source.substring(0, at);
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    int column = at - before.lastIndexOf('\n');
    String place = "line " + line + ", column " + column;
    return new InvalidKernel(Rule.SYNTAX, kernelName, place, message);
  }
}
