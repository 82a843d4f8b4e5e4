package io.gpdb.planner.bridge;

import io.gpdb.planner.expression.TextLimit;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.runtime.SqlFunctions;

/**
 * Functions that make long strings of short ones, within {@link TextLimit}; no argument is NULL.
 */
@Strict
public final class BridgeStrings {
  private BridgeStrings() {}

  public static String concat(String a, String b) {
    TextLimit.check("||", (long) a.length() + b.length());
    return a.concat(b);
  }

  public static ByteString concatBinary(ByteString a, ByteString b) {
    TextLimit.check("||", (long) a.length() + b.length());
    return a.concat(b);
  }

  public static String repeat(String text, int times) {
    TextLimit.check("REPEAT", (long) text.length() * Math.max(times, 0));
    return SqlFunctions.repeat(text, times);
  }

  public static String lpad(String text, int length) {
    TextLimit.check("LPAD", length);
    return SqlFunctions.lpad(text, length);
  }

  public static String lpadWith(String text, int length, String pad) {
    TextLimit.check("LPAD", length);
    return SqlFunctions.lpad(text, length, pad);
  }

  public static String rpad(String text, int length) {
    TextLimit.check("RPAD", length);
    return SqlFunctions.rpad(text, length);
  }

  public static String rpadWith(String text, int length, String pad) {
    TextLimit.check("RPAD", length);
    return SqlFunctions.rpad(text, length, pad);
  }

  public static String replace(String text, String search, String by) {
    return search.isEmpty() ? text : TextLimit.replaced(text, search, by);
  }
}
