package io.gpdb.session.copy;

import io.gpdb.sql.statement.CopyFormat;
import java.io.IOException;
import java.util.Arrays;

/**
 * Cuts a CSV stream into records and fields without making objects of them. After {@link #next()}
 * field i is {@code buffer()[start(i), end(i))}, with quotes taken off, until the next call.
 *
 * <p>Records end at LF or CR LF. A field that begins with a quote ends at the closing quote, two
 * quotes in it mean one; a quote anywhere else is an error.
 */
final class CsvTokenizer {
  static final int RECORD_BYTES_MAX = 16 << 20;

  private static final int PLAIN = 0;
  private static final int QUOTED = 1;
  private static final int QUOTED_WITH_QUOTES = 2;

  private final ReadAhead input;
  private final byte delimiter;
  private final byte quote;
  private byte[] buffer = new byte[ReadAhead.CHUNK_BYTES * 2];
  private int recordStart;
  private int limit;
  private boolean atEnd;
  private boolean started;

  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private byte[] kinds = new byte[32];
  private int fields;

  private long line;
  private long nextLine = 1;

  CsvTokenizer(ReadAhead input, CopyFormat format) {
    this.input = input;
    this.delimiter = (byte) format.delimiter();
    this.quote = (byte) format.quote();
  }

  byte[] buffer() {
    return buffer;
  }

  int fieldCount() {
    return fields;
  }

  int start(int field) {
    return starts[field];
  }

  int end(int field) {
    return ends[field];
  }

  boolean isQuoted(int field) {
    return kinds[field] != PLAIN;
  }

  /** The number of the record's first line, from 1. */
  long line() {
    return line;
  }

  /** A line with nothing on it is a record of one plain empty field. */
  boolean isBlank() {
    return fields == 1 && kinds[0] == PLAIN && starts[0] == ends[0];
  }

  /** Moves to the next record; false at the end of the stream. */
  boolean next() throws IOException {
    if (!started) {
      started = true;
      fill();
      skipByteOrderMark();
    }
    line = nextLine;
    int end = scan();
    while (end < 0) {
      if (!fill() && recordStart == limit) {
        return false;
      }
      // The whole record is scanned again; that happens once in a chunk.
      end = scan();
    }
    recordStart = end;
    for (int i = 0; i < fields; i++) {
      if (kinds[i] == QUOTED_WITH_QUOTES) {
        undouble(i);
      }
    }
    return true;
  }

  private void skipByteOrderMark() {
    if (limit >= 3
        && buffer[0] == (byte) 0xEF
        && buffer[1] == (byte) 0xBB
        && buffer[2] == (byte) 0xBF) {
      recordStart = 3;
    }
  }

  /** Reads one chunk behind what is there; false when there is none. */
  private boolean fill() throws IOException {
    if (atEnd) {
      return false;
    }
    int kept = limit - recordStart;
    System.arraycopy(buffer, recordStart, buffer, 0, kept);
    recordStart = 0;
    limit = kept;
    if (buffer.length - limit < ReadAhead.CHUNK_BYTES) {
      if (buffer.length >= RECORD_BYTES_MAX) {
        throw error(
            "the record is longer than " + RECORD_BYTES_MAX + " bytes; is a quote not closed?");
      }
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int length = input.take(buffer, limit);
    if (length < 0) {
      atEnd = true;
      return false;
    }
    limit += length;
    return true;
  }

  /** Finds the fields of the record at recordStart; returns the place behind it, or -1 for more. */
  private int scan() {
    fields = 0;
    nextLine = line;
    if (recordStart == limit) {
      return -1;
    }
    int at = recordStart;
    while (true) {
      at = at < limit && buffer[at] == quote ? scanQuoted(at) : scanPlain(at);
      if (at < 0) {
        return -1;
      }
      if (at == limit) {
        return at;
      }
      byte ended = buffer[at];
      if (ended == delimiter) {
        at++;
        if (at == limit && !atEnd) {
          return -1;
        }
      } else {
        nextLine++;
        return ended == '\r' ? at + 2 : at + 1;
      }
    }
  }

  /** Returns the place of what ended the field: delimiter, CR of CR LF, LF, or the stream's end. */
  private int scanPlain(int start) {
    byte[] bytes = buffer;
    int end = limit;
    byte separator = delimiter;
    byte quoteByte = quote;
    int at = start;
    while (at < end) {
      byte b = bytes[at];
      if (b == separator) {
        return add(start, at, PLAIN, at);
      }
      if (b == '\n') {
        return at > start && bytes[at - 1] == '\r'
            ? add(start, at - 1, PLAIN, at - 1)
            : add(start, at, PLAIN, at);
      }
      if (b == quoteByte) {
        throw error("a quote inside a field that does not begin with one");
      }
      at++;
    }
    return atEnd ? add(start, at, PLAIN, at) : -1;
  }

  private int scanQuoted(int start) {
    byte[] bytes = buffer;
    int kind = QUOTED;
    long lines = 0;
    int at = start + 1;
    while (at < limit) {
      byte b = bytes[at];
      if (b == '\n') {
        lines++;
      } else if (b == quote) {
        if (at + 1 == limit && !atEnd) {
          return -1;
        }
        if (at + 1 < limit && bytes[at + 1] == quote) {
          kind = QUOTED_WITH_QUOTES;
          at++;
        } else {
          nextLine += lines;
          return closed(start + 1, at, kind);
        }
      }
      at++;
    }
    if (atEnd) {
      throw error("a quote is not closed before the end of the file");
    }
    return -1;
  }

  private int closed(int start, int end, int kind) {
    int after = end + 1;
    if (after == limit) {
      return add(start, end, kind, after);
    }
    byte b = buffer[after];
    if (b == delimiter || b == '\n') {
      return add(start, end, kind, after);
    }
    if (b == '\r') {
      if (after + 1 == limit && !atEnd) {
        return -1;
      }
      if (after + 1 < limit && buffer[after + 1] == '\n') {
        return add(start, end, kind, after);
      }
    }
    throw error("something other than the delimiter follows a closing quote");
  }

  private int add(int start, int end, int kind, int at) {
    if (fields == starts.length) {
      starts = Arrays.copyOf(starts, fields * 2);
      ends = Arrays.copyOf(ends, fields * 2);
      kinds = Arrays.copyOf(kinds, fields * 2);
    }
    starts[fields] = start;
    ends[fields] = end;
    kinds[fields] = (byte) kind;
    fields++;
    return at;
  }

  private void undouble(int field) {
    int to = starts[field];
    for (int from = starts[field]; from < ends[field]; from++) {
      byte b = buffer[from];
      buffer[to++] = b;
      if (b == quote) {
        from++;
      }
    }
    ends[field] = to;
  }

  /** Says the column by its number; the caller knows names. */
  private CsvSyntaxError error(String message) {
    return new CsvSyntaxError(line, fields, message);
  }

  /** A record that is no CSV; columns count from 0. */
  static final class CsvSyntaxError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final long line;
    private final int column;

    CsvSyntaxError(long line, int column, String message) {
      super(message, null, false, false);
      this.line = line;
      this.column = column;
    }

    long line() {
      return line;
    }

    int column() {
      return column;
    }
  }
}
