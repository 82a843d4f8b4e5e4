package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A CLOB in memory: of a value that was read, or empty and to be filled and bound. Changing it
 * changes no row. Positions and lengths count UTF-16 units from 1, as Java's strings do.
 */
public final class TextObject implements NClob {
  /** Null once freed. */
  private @Nullable StringBuilder text;

  public TextObject(String text) {
    this.text = new StringBuilder(text);
  }

  private StringBuilder text() throws SQLException {
    StringBuilder current = text;
    if (current == null) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "the CLOB was freed");
    }
    return current;
  }

  @Override
  public synchronized long length() throws SQLException {
    return text().length();
  }

  @Override
  public synchronized String getSubString(long position, int length) throws SQLException {
    StringBuilder all = text();
    int from = LargeObjects.offset(position, all.length());
    int count = Math.min(LargeObjects.count(length), all.length() - from);
    return all.substring(from, from + count);
  }

  @Override
  public synchronized Reader getCharacterStream() throws SQLException {
    return new StringReader(text().toString());
  }

  @Override
  public synchronized Reader getCharacterStream(long position, long length) throws SQLException {
    StringBuilder all = text();
    int from = LargeObjects.part(position, length, all.length());
    return new StringReader(all.substring(from, from + (int) length));
  }

  @Override
  public synchronized InputStream getAsciiStream() throws SQLException {
    return new ByteArrayInputStream(text().toString().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public synchronized long position(String searched, long start) throws SQLException {
    StringBuilder all = text();
    int from = LargeObjects.offset(start, all.length());
    int found = all.indexOf(SqlErrors.given("the text to find", searched), from);
    return found < 0 ? -1 : found + 1;
  }

  @Override
  public long position(Clob searched, long start) throws SQLException {
    Clob other = SqlErrors.given("the CLOB to find", searched);
    String part =
        Arguments.converted(
            "the CLOB to find", () -> other.getSubString(1, Arguments.length(other.length())));
    return position(part, start);
  }

  @Override
  public int setString(long position, String part) throws SQLException {
    return setString(position, part, 0, SqlErrors.given("the text", part).length());
  }

  @Override
  public synchronized int setString(long position, String part, int offset, int length)
      throws SQLException {
    StringBuilder all = text();
    int from = LargeObjects.offset(position, all.length());
    LargeObjects.requireWithin(offset, length, SqlErrors.given("the text", part).length());
    all.replace(
        from, Math.min(all.length(), from + length), part.substring(offset, offset + length));
    return length;
  }

  @Override
  public OutputStream setAsciiStream(long position) throws SQLException {
    return LargeObjects.bytesTo(
        (at, bytes, offset, length) ->
            setString(position + at, new String(bytes, offset, length, StandardCharsets.US_ASCII)));
  }

  @Override
  public Writer setCharacterStream(long position) throws SQLException {
    return LargeObjects.charactersTo((at, part) -> setString(position + at, part));
  }

  @Override
  public synchronized void truncate(long length) throws SQLException {
    StringBuilder all = text();
    all.setLength(LargeObjects.kept(length, all.length()));
  }

  @Override
  public synchronized void free() {
    text = null;
  }

  /** The text as tools show it. */
  @Override
  public synchronized String toString() {
    return text == null ? "a freed CLOB" : text.toString();
  }
}
