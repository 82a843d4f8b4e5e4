package io.gpdb.storage.column;

/** What one chunk of a tablet holds. */
public enum ChunkKind {
  /** A column's values, fixed width, row after row. */
  VALUES,
  /** A column's validity bitmap in i32 words, bit set = value present. */
  VALIDITY,
  /** The tablet's bitmap of existing rows in i32 words, bit set = row exists. */
  LIVE
}
