package io.gpdb.sql.type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Decimals of 19 to 38 digits as bytes: 16 of them, the digits as a signed number of 128 bits, most
 * significant byte first and its sign bit flipped.
 *
 * <pre>
 *   byte   0        1 … 15
 *          s^1 …    value × 10^scale
 * </pre>
 *
 * <p>So two values of one scale are equal where their bytes are, and ordered as their bytes are
 * without signs: what groups, joins, sorts and finds byte strings does it with decimals.
 */
public final class WideDecimal {
  public static final int BYTES = 16;

  private static final int SIGN = 0x80;

  private WideDecimal() {}

  /** The bytes of a number without a digit beyond the scale. */
  public static byte[] bytes(BigDecimal number, int scale) {
    byte[] digits = number.setScale(scale).unscaledValue().toByteArray();
    if (digits.length > BYTES) {
      throw new IllegalArgumentException(number + " has more than 128 bits");
    }
    byte[] bytes = new byte[BYTES];
    if (digits[0] < 0) {
      Arrays.fill(bytes, (byte) -1);
    }
    System.arraycopy(digits, 0, bytes, BYTES - digits.length, digits.length);
    bytes[0] ^= (byte) SIGN;
    return bytes;
  }

  /** The number of those bytes. */
  public static BigDecimal number(byte[] bytes, int scale) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a decimal of " + bytes.length + " bytes");
    }
    byte[] digits = bytes.clone();
    digits[0] ^= (byte) SIGN;
    return new BigDecimal(new BigInteger(digits), scale);
  }
}
