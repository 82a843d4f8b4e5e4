package io.gpdb.txn.log;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** What a section of a log record holds. The numbers are part of the file format. */
public enum SectionKind {
  /** payload: the table's shape, encoded. */
  CREATE_TABLE(1),
  DROP_TABLE(2),
  /** n strings from code {@code extra} on; payload: per string i32 length, bytes. Read only. */
  DICTIONARY(3),
  /**
   * Rows {@code extra} to {@code extra+n}, in one tablet, for {@code tablet} columns from {@code
   * column} on; payload: per column an i64 (1 = bitmap follows), bitmap words, values, each padded.
   */
  INSERT(4),
  /** n entries of a log region for {@code column} of {@code tablet}. */
  UPDATE(5),
  /** n entries, rows of {@code tablet} that ceased to be live. */
  DELETE(6),
  /** Rows {@code extra} to {@code extra+n} became live; their values are in place. */
  INSERT_IN_PLACE(7),
  /** A chunk's home extent: {@code column}, {@code n} = chunk kind, {@code extra} = offset. */
  EXTENT(8),
  /** n keys of index {@code column}; payload: per key i64 hash, i64 row. */
  HINTS(9),
  /** The table has {@code extra} row numbers at least. */
  ROW_LIMIT(10),
  /**
   * As INSERT, with the values of each column in an extent beside the home image: per column an i64
   * (1 = bitmap follows), bitmap words padded, {@link ExtentReference}.
   */
  INSERT_BESIDE(11),
  /**
   * A new version of the n values of {@code column} of {@code tablet}; payload: {@link
   * ExtentReference}, bitmap of the rows that are taken from there (with flag 4), validity bitmap
   * (with flag 2), each padded.
   */
  VERSION(12),
  /**
   * n events of the dictionary of {@code column} from number {@code extra} on; payload: per event
   * i32 code, i32 length, bytes; {@code LoggedStrings.FREED} in place of a length where it was
   * freed.
   */
  STRINGS(13);

  private static final SectionKind[] BY_CODE = new SectionKind[14];
  private final int code;

  static {
    for (SectionKind kind : values()) {
      BY_CODE[kind.code] = kind;
    }
  }

  SectionKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  public static SectionKind of(int code, long position) {
    if (code < 1 || code >= BY_CODE.length) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "unknown log section: kind=" + code + ", position=" + position);
    }
    return BY_CODE[code];
  }
}
