package io.gpdb.bench.calls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.UUID;

/** Streams that fail, calendars out of order, classes that nothing can become. */
final class OddObjects {
  private static final List<Class<?>> CLASSES =
      List.of(
          String.class,
          int.class,
          Integer.class,
          Long.class,
          double.class,
          boolean.class,
          char.class,
          void.class,
          byte[].class,
          Object.class,
          Runnable.class,
          Date.class,
          Timestamp.class,
          LocalDate.class,
          LocalDateTime.class,
          UUID.class,
          java.math.BigInteger.class,
          Connection.class,
          ResultSet.class,
          Enum.class);

  private OddObjects() {}

  static Class<?> aClass(Random random) {
    return CLASSES.get(random.nextInt(CLASSES.size()));
  }

  static Calendar calendar(Random random) {
    Calendar calendar =
        switch (random.nextInt(3)) {
          case 0 -> new GregorianCalendar(TimeZone.getTimeZone("Asia/Kathmandu"), Locale.ROOT);
          case 1 -> new GregorianCalendar(new SimpleTimeZone(12345, "no zone"), Locale.ROOT);
          default -> Calendar.getInstance(Locale.ROOT);
        };
    if (random.nextInt(3) == 0) {
      calendar.setLenient(false);
      calendar.set(Calendar.MONTH, 77);
    }
    return calendar;
  }

  static InputStream stream(Random random) {
    int way = random.nextInt(4);
    return way > 1
        ? new ByteArrayInputStream(new byte[way])
        : new InputStream() {
          @Override
          public int read() throws IOException {
            if (way == 0) {
              throw new IOException("the stream failed");
            }
            throw new IllegalStateException("the stream broke");
          }

          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            return read();
          }

          @Override
          public String toString() {
            return "a stream that fails";
          }
        };
  }

  static Reader reader(Random random) {
    int way = random.nextInt(4);
    return way > 1
        ? new StringReader("12")
        : new Reader() {
          @Override
          public int read(char[] target, int at, int length) throws IOException {
            if (way == 0) {
              throw new IOException("the reader failed");
            }
            throw new IllegalStateException("the reader broke");
          }

          @Override
          public void close() {}

          @Override
          public String toString() {
            return "a reader that fails";
          }
        };
  }
}
