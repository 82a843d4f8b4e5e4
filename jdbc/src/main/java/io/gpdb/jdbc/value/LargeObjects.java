package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.sql.SQLException;

/** Positions, lengths and streams of CLOBs and BLOBs. */
final class LargeObjects {
  private LargeObjects() {}

  /** The offset of a position, which may be the one behind the end. */
  static int offset(long position, int length) throws SQLException {
    if (position < 1 || position > length + 1L) {
      throw invalid("position " + position + " is not between 1 and " + (length + 1L));
    }
    return (int) (position - 1);
  }

  static int count(int length) throws SQLException {
    if (length < 0) {
      throw invalid("length " + length + " is negative");
    }
    return length;
  }

  /** The offset of a part, all of which must be there. */
  static int part(long position, long partLength, int length) throws SQLException {
    int from = offset(position, length);
    if (partLength < 0 || partLength > length - from) {
      throw invalid("length " + partLength + " from position " + position + " is beyond " + length);
    }
    return from;
  }

  static void requireWithin(int offset, int length, int given) throws SQLException {
    if (offset < 0 || length < 0 || offset > given - length) {
      throw invalid("offset " + offset + " and length " + length + " are beyond " + given);
    }
  }

  /** The length that is left by a truncation. */
  static int kept(long wanted, int length) throws SQLException {
    if (wanted < 0 || wanted > length) {
      throw invalid("length " + wanted + " is not between 0 and " + length);
    }
    return (int) wanted;
  }

  private static SQLException invalid(String message) {
    return SqlErrors.of(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** Stores bytes at an offset from where a stream began. */
  interface BytesTarget {
    int store(long at, byte[] bytes, int offset, int length) throws SQLException;
  }

  /** A stream whose bytes are stored as they are flushed or the stream is closed. */
  static OutputStream bytesTo(BytesTarget target) {
    return new ByteArrayOutputStream() {
      private long stored;

      @Override
      public void flush() throws IOException {
        try {
          stored += target.store(stored, buf, 0, count);
          count = 0;
        } catch (SQLException e) {
          throw new IOException(e);
        }
      }

      @Override
      public void close() throws IOException {
        flush();
      }
    };
  }

  /** Stores characters at an offset from where a writer began. */
  interface TextTarget {
    int store(long at, String text) throws SQLException;
  }

  /** A writer whose characters are stored as it is flushed or closed. */
  static Writer charactersTo(TextTarget target) {
    return new StringWriter() {
      private long stored;

      @Override
      public void flush() {
        try {
          stored += target.store(stored, toString());
          getBuffer().setLength(0);
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public void close() {
        flush();
      }
    };
  }
}
