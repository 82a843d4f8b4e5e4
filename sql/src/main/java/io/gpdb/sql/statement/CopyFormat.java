package io.gpdb.sql.statement;

/**
 * How a file of COPY is written: CSV with its delimiter, header line and text for NULL.
 *
 * @param exact whether a number with a fraction is refused for an integer column, instead of
 *     rounded
 */
public record CopyFormat(
    boolean header, char delimiter, char quote, String nullText, boolean exact) {
  public static final CopyFormat CSV = new CopyFormat(false, ',', '"', "", false);

  public CopyFormat withHeader(boolean wanted) {
    return new CopyFormat(wanted, delimiter, quote, nullText, exact);
  }

  public CopyFormat withDelimiter(char wanted) {
    return new CopyFormat(header, wanted, quote, nullText, exact);
  }

  public CopyFormat withQuote(char wanted) {
    return new CopyFormat(header, delimiter, wanted, nullText, exact);
  }

  public CopyFormat withNullText(String wanted) {
    return new CopyFormat(header, delimiter, quote, wanted, exact);
  }

  public CopyFormat withExact(boolean wanted) {
    return new CopyFormat(header, delimiter, quote, nullText, wanted);
  }
}
