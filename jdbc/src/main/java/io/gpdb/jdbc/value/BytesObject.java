package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A BLOB in memory: of a value that was read, or empty and to be filled and bound. Changing it
 * changes no row. Positions count from 1.
 */
public final class BytesObject implements Blob {
  /** Null once freed. */
  private byte @Nullable [] bytes;

  /** The array becomes this object's own. */
  public BytesObject(byte[] bytes) {
    this.bytes = bytes;
  }

  private byte[] bytes() throws SQLException {
    byte[] current = bytes;
    if (current == null) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "the BLOB was freed");
    }
    return current;
  }

  @Override
  public synchronized long length() throws SQLException {
    return bytes().length;
  }

  @Override
  public synchronized byte[] getBytes(long position, int length) throws SQLException {
    byte[] all = bytes();
    int from = LargeObjects.offset(position, all.length);
    int count = Math.min(LargeObjects.count(length), all.length - from);
    return Arrays.copyOfRange(all, from, from + count);
  }

  @Override
  public synchronized InputStream getBinaryStream() throws SQLException {
    return new ByteArrayInputStream(bytes().clone());
  }

  @Override
  public synchronized InputStream getBinaryStream(long position, long length) throws SQLException {
    byte[] all = bytes();
    int from = LargeObjects.part(position, length, all.length);
    return new ByteArrayInputStream(Arrays.copyOfRange(all, from, from + (int) length));
  }

  @Override
  public synchronized long position(byte[] searched, long start) throws SQLException {
    byte[] all = bytes();
    byte[] part = SqlErrors.given("the bytes to find", searched);
    for (int at = LargeObjects.offset(start, all.length); at + part.length <= all.length; at++) {
      if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
        return at + 1L;
      }
    }
    return -1;
  }

  @Override
  public long position(Blob searched, long start) throws SQLException {
    Blob other = SqlErrors.given("the BLOB to find", searched);
    byte[] part =
        Arguments.converted(
            "the BLOB to find", () -> other.getBytes(1, Arguments.length(other.length())));
    return position(part, start);
  }

  @Override
  public int setBytes(long position, byte[] part) throws SQLException {
    return setBytes(position, part, 0, SqlErrors.given("the bytes", part).length);
  }

  @Override
  public synchronized int setBytes(long position, byte[] part, int offset, int length)
      throws SQLException {
    byte[] all = bytes();
    int from = LargeObjects.offset(position, all.length);
    LargeObjects.requireWithin(offset, length, SqlErrors.given("the bytes", part).length);
    byte[] changed = Arrays.copyOf(all, Math.max(all.length, Math.addExact(from, length)));
    System.arraycopy(part, offset, changed, from, length);
    bytes = changed;
    return length;
  }

  @Override
  public OutputStream setBinaryStream(long position) throws SQLException {
    return LargeObjects.bytesTo(
        (at, part, offset, length) -> setBytes(position + at, part, offset, length));
  }

  @Override
  public synchronized void truncate(long length) throws SQLException {
    byte[] all = bytes();
    bytes = Arrays.copyOf(all, LargeObjects.kept(length, all.length));
  }

  @Override
  public synchronized void free() {
    bytes = null;
  }

  /** Hexadecimal digits, as a cast to a text has them. */
  @Override
  public synchronized String toString() {
    return bytes == null ? "a freed BLOB" : HexFormat.of().formatHex(bytes);
  }
}
