package io.gpdb.planner.function;

import io.gpdb.planner.text.TextLimit;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HexFormat;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;

/** Digests, digits and normal forms of texts, which are their UTF-8 bytes; no argument is NULL. */
@Strict
public final class DigestFunctions {
  private DigestFunctions() {}

  public static String md5(String text) {
    return digest("MD5", text);
  }

  public static String sha1(String text) {
    return digest("SHA-1", text);
  }

  public static String sha256(String text) {
    return digest("SHA-256", text);
  }

  public static String sha512(String text) {
    return digest("SHA-512", text);
  }

  /** Two hexadecimal digits, in capital letters, for each byte. */
  public static String hexOfText(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }

  public static String hexOfBinary(ByteString bytes) {
    return hex(bytes.getBytes());
  }

  private static String hex(byte[] bytes) {
    TextLimit.check("HEX", 2L * bytes.length);
    return HexFormat.of().withUpperCase().formatHex(bytes);
  }

  /**
   * Returns the text in a normal form.
   *
   * @param form one of the four forms of Unicode, as NFC
   */
  public static String normalized(String text, String form) {
    try {
      String normal = Normalizer.normalize(text, Normalizer.Form.valueOf(form));
      TextLimit.check("NORMALIZE", normal.length());
      return normal;
    } catch (IllegalArgumentException e) {
      throw new GpdbException(
          ErrorCode.INVALID_ARGUMENT, "'" + form + "' is no normal form of texts", e);
    }
  }

  private static String digest(String algorithm, String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has " + algorithm, e);
    }
  }
}
