package io.gpdb.sql.parser.generated;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import org.apache.calcite.util.SourceStringReader;

/**
 * The characters of a statement as the generated scanner reads them. JavaCC takes this class in
 * place of its own of the same name, whose buffer grows by 2048 characters at a time: a token of n
 * characters cost n² copies. Here the whole text is in memory before the first character is asked
 * for, and a token is a part of it.
 *
 * <p>Lines end with {@code \n}, {@code \r} or both; a tab is one column wide. Names and signatures
 * are what the generated code calls.
 */
public final class SimpleCharStream {
  /** Whether the scanner is static; it is not. */
  public static final boolean staticFlag = false;

  private String text = "";

  /** The place of the character that was read last. */
  private int last = -1;

  private int tokenBegin;
  private Place begin = new Place();
  private Place end = new Place();

  /** A place in the text that mostly moves forward, so that its line need not be searched for. */
  private final class Place {
    private int at;
    private int line = 1;
    private int lineStart;

    int line(int place) {
      moveTo(place);
      return line;
    }

    int column(int place) {
      moveTo(place);
      return place - lineStart + 1;
    }

    private void moveTo(int place) {
      if (place < at) {
        at = 0;
        line = 1;
        lineStart = 0;
      }
      for (; at < place; at++) {
        char c = text.charAt(at);
        if (c == '\n' || (c == '\r' && text.charAt(at + 1) != '\n')) {
          line++;
          lineStart = at + 1;
        }
      }
    }
  }

  public SimpleCharStream(Reader reader, int startLine, int startColumn) {
    ReInit(reader, startLine, startColumn);
  }

  public SimpleCharStream(InputStream stream, String encoding, int startLine, int startColumn)
      throws UnsupportedEncodingException {
    ReInit(stream, encoding, startLine, startColumn);
  }

  public void ReInit(Reader reader, int startLine, int startColumn, int bufferSize) {
    ReInit(reader, startLine, startColumn);
  }

  public void ReInit(InputStream stream, String encoding, int startLine, int startColumn)
      throws UnsupportedEncodingException {
    ReInit(new InputStreamReader(stream, Charset.forName(encoding)), startLine, startColumn);
  }

  public void ReInit(Reader reader, int startLine, int startColumn) {
    if (startLine != 1 || startColumn != 1) {
      throw new IllegalArgumentException(
          "a statement begins at line 1, column 1, not " + startLine + ", " + startColumn);
    }
    text = reader instanceof SourceStringReader source ? source.getSourceString() : all(reader);
    last = -1;
    tokenBegin = 0;
    begin = new Place();
    end = new Place();
  }

  private static String all(Reader reader) {
    StringWriter written = new StringWriter();
    try {
      reader.transferTo(written);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return written.toString();
  }

  /** Calcite's wrapper of the parser asks for one column, which a tab has anyway. */
  public void setTabSize(int columns) {
    if (columns != 1) {
      throw new IllegalArgumentException("a tab is one column wide, not " + columns);
    }
  }

  public char BeginToken() throws IOException {
    char first = readChar();
    tokenBegin = last;
    return first;
  }

  public char readChar() throws IOException {
    if (last + 1 == text.length()) {
      if (tokenBegin > last) {
        tokenBegin = Math.max(last, 0);
      }
      throw new End();
    }
    return text.charAt(++last);
  }

  /** The end of the text, which the scanner meets at the end of its last token. */
  private static final class End extends IOException {
    private static final long serialVersionUID = 1;

    @Override
    public Throwable fillInStackTrace() {
      return this; // nobody reads it
    }
  }

  public void backup(int amount) {
    last -= amount;
  }

  public String GetImage() {
    return text.substring(tokenBegin, last + 1);
  }

  public char[] GetSuffix(int length) {
    return text.substring(last + 1 - length, last + 1).toCharArray();
  }

  public int getBeginLine() {
    return begin.line(tokenBegin);
  }

  public int getBeginColumn() {
    return begin.column(tokenBegin);
  }

  public int getEndLine() {
    return end.line(Math.max(last, 0));
  }

  public int getEndColumn() {
    return end.column(Math.max(last, 0));
  }
}
