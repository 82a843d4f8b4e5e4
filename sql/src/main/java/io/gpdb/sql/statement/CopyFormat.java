package io.gpdb.sql.statement;

/** How a file of COPY is written: CSV with its delimiter, header line and text for NULL. */
public record CopyFormat(boolean header, char delimiter, char quote, String nullText) {
  public static final CopyFormat CSV = new CopyFormat(false, ',', '"', "");
}
