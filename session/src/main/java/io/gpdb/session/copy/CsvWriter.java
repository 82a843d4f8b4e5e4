package io.gpdb.session.copy;

import io.gpdb.sql.statement.CopyFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes CSV fields and records to a stream through a buffer of its own. */
final class CsvWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final OutputStream stream;
  private final CopyFormat format;
  private final byte[] nullText;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;
  private boolean inRecord;

  CsvWriter(OutputStream stream, CopyFormat format) {
    this.stream = stream;
    this.format = format;
    this.nullText = format.nullText().getBytes(StandardCharsets.UTF_8);
  }

  void nullField() throws IOException {
    separate();
    raw(nullText);
  }

  void field(String text) throws IOException {
    field(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A field that is not NULL; quoted when it must be, also to differ from NULL's text. */
  void field(byte[] bytes) throws IOException {
    separate();
    if (!needsQuotes(bytes)) {
      raw(bytes);
      return;
    }
    put((byte) format.quote());
    for (byte b : bytes) {
      if (b == format.quote()) {
        put(b);
      }
      put(b);
    }
    put((byte) format.quote());
  }

  void endRecord() throws IOException {
    put((byte) '\n');
    inRecord = false;
  }

  private boolean needsQuotes(byte[] bytes) {
    if (java.util.Arrays.equals(bytes, nullText)) {
      return true;
    }
    for (byte b : bytes) {
      if (b == format.delimiter() || b == format.quote() || b == '\n' || b == '\r') {
        return true;
      }
    }
    return false;
  }

  private void separate() throws IOException {
    if (inRecord) {
      put((byte) format.delimiter());
    }
    inRecord = true;
  }

  private void put(byte b) throws IOException {
    if (used == buffer.length) {
      flush();
    }
    buffer[used++] = b;
  }

  private void raw(byte[] bytes) throws IOException {
    if (bytes.length > buffer.length - used) {
      flush();
      if (bytes.length > buffer.length) {
        stream.write(bytes);
        return;
      }
    }
    System.arraycopy(bytes, 0, buffer, used, bytes.length);
    used += bytes.length;
  }

  void flush() throws IOException {
    stream.write(buffer, 0, used);
    used = 0;
  }

  @Override
  public void close() throws IOException {
    flush();
    stream.close();
  }
}
