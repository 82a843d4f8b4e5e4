package io.gpdb.storage.column;

/** The distinct strings of one column, as UTF-8, by their codes. Thread-safe. */
public interface CodedStrings {
  /** The code of the string, assigned now if it is new. */
  int intern(byte[] b, int off, int len);

  /** The code of the string, or -1. */
  int find(byte[] b, int off, int len);

  /** Codes below this exist, or are free. */
  int size();

  /**
   * Rises whenever a code is assigned to a string: while it is the same, so are all codes in use.
   */
  long version();

  /** The string's bytes; none where the code is free. */
  byte[] bytes(int code);

  String string(int code);
}
