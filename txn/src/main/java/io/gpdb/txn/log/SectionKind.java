package io.gpdb.txn.log;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** What a {@link Section} is of. The numbers are part of the file format. */
public enum SectionKind {
  CREATE_TABLE(1),
  DROP_TABLE(2),
  DICTIONARY(3),
  INSERT(4),
  UPDATE(5),
  DELETE(6),
  INSERT_IN_PLACE(7),
  EXTENT(8),
  HINTS(9),
  ROW_LIMIT(10),
  INSERT_IN_EXTENTS(11),
  VERSION(12),
  STRINGS(13),
  GROW_TABLE(14);

  private static final SectionKind[] BY_CODE = new SectionKind[15];
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
