package io.gpdb.planner.function;

import io.gpdb.planner.text.TextLimit;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;

/**
 * Functions of strings that count bytes: of binary strings, and of texts, which are their UTF-8
 * bytes, USING OCTETS; no argument is NULL. A result that begins or ends within a character raises
 * 22021.
 */
@Strict
public final class OctetFunctions {
  private OctetFunctions() {}

  public static ByteString octetsFrom(ByteString bytes, long from) {
    return octetsFrom(bytes, from, Long.MAX_VALUE - Math.max(from, 0));
  }

  /** Places before the first byte count towards the length, as with characters. */
  public static ByteString octetsFrom(ByteString bytes, long from, long count) {
    if (count < 0) {
      throw new GpdbException(
          SqlCondition.SUBSTRING_ERROR, "SUBSTRING with negative length " + count);
    }
    long end = from > Long.MAX_VALUE - count ? Long.MAX_VALUE : from + count;
    int begin = within(from - 1 < from ? from - 1 : from, bytes);
    return bytes.substring(begin, Math.max(begin, within(end - 1, bytes)));
  }

  private static int within(long place, ByteString bytes) {
    return Math.clamp(place, 0, bytes.length());
  }

  /** Where bytes are found first; 0 where they are not. */
  public static int octetPosition(ByteString search, ByteString bytes) {
    return octetPosition(search, bytes, 1);
  }

  public static int octetPosition(ByteString search, ByteString bytes, long from) {
    if (from < 1 || from > bytes.length() + 1L) {
      return 0;
    }
    return bytes.indexOf(search, (int) from - 1) + 1;
  }

  public static ByteString octetsOverlaid(ByteString bytes, ByteString by, long from) {
    return octetsOverlaid(bytes, by, from, by.length());
  }

  public static ByteString octetsOverlaid(ByteString bytes, ByteString by, long from, long count) {
    if (from < 1) {
      throw new GpdbException(SqlCondition.SUBSTRING_ERROR, "OVERLAY from " + from);
    }
    long rest = from > Long.MAX_VALUE - Math.max(count, 0) ? Long.MAX_VALUE : from + count;
    ByteString begin = octetsFrom(bytes, 1, from - 1);
    ByteString end = octetsFrom(bytes, rest);
    TextLimit.check("OVERLAY", (long) begin.length() + by.length() + end.length());
    return begin.concat(by).concat(end);
  }

  public static String textFrom(String text, long from) {
    return text(octetsFrom(bytes(text), from));
  }

  public static String textFrom(String text, long from, long count) {
    return text(octetsFrom(bytes(text), from, count));
  }

  public static int textPosition(String search, String text) {
    return octetPosition(bytes(search), bytes(text));
  }

  public static int textPosition(String search, String text, long from) {
    return octetPosition(bytes(search), bytes(text), from);
  }

  public static String textOverlaid(String text, String by, long from) {
    return text(octetsOverlaid(bytes(text), bytes(by), from));
  }

  public static String textOverlaid(String text, String by, long from, long count) {
    return text(octetsOverlaid(bytes(text), bytes(by), from, count));
  }

  private static ByteString bytes(String text) {
    return new ByteString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteString bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.getBytes()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new GpdbException(
          SqlCondition.NOT_A_CHARACTER, "USING OCTETS cuts a character of a text", e);
    }
  }
}
