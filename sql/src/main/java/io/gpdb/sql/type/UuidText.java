package io.gpdb.sql.type;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;

/** UUIDs as their 16 bytes, in whose order they are sorted, and as texts. */
public final class UuidText {
  public static final int BYTES = 16;

  /** Characters of a UUID with its hyphens. */
  public static final int LENGTH = 36;

  private static final int DIGITS = 32;

  private UuidText() {}

  /**
   * The bytes of the UUID that a text spells: 32 hexadecimal digits, with four hyphens or none;
   * blanks around it do not count. Another text raises 22018.
   */
  public static byte[] parse(String text) {
    String stripped = text.strip();
    String digits = stripped.length() == LENGTH ? withoutHyphens(stripped) : stripped;
    if (digits.length() != DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      throw ScalarText.notA(text, "UUID");
    }
    return HexFormat.of().parseHex(digits);
  }

  private static String withoutHyphens(String text) {
    StringBuilder digits = new StringBuilder(DIGITS);
    for (int i = 0; i < LENGTH; i++) {
      boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
      if (hyphen != (text.charAt(i) == '-')) {
        return "";
      }
      if (!hyphen) {
        digits.append(text.charAt(i));
      }
    }
    return digits.toString();
  }

  public static String format(byte[] bytes) {
    return uuid(bytes).toString();
  }

  public static UUID uuid(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a UUID of " + bytes.length + " bytes");
    }
    ByteBuffer halves = ByteBuffer.wrap(bytes);
    return new UUID(halves.getLong(), halves.getLong());
  }

  public static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(BYTES)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }
}
