package io.gpdb.bench.harness;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes of an option, as in 512MB (2^20 each) or 2GB (2^30 each). */
public final class MemorySize implements ITypeConverter<Long> {
  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,9})(MB|GB)");
  private static final int BITS_OF_MB = 20;
  private static final int BITS_OF_GB = 30;

  @Override
  public Long convert(String text) {
    Matcher size = TEXT.matcher(text.toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      throw new TypeConversionException("'" + text + "' is not a number of MB or GB, as in 512MB");
    }
    return Long.parseLong(size.group(1)) << (size.group(2).equals("MB") ? BITS_OF_MB : BITS_OF_GB);
  }
}
