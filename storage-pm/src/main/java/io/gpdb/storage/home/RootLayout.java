package io.gpdb.storage.home;

/** Constants of the root directory, whose body is a sequence of variable-length fields. */
final class RootLayout {
  /** "gpDBroot" in ASCII. */
  static final long MAGIC = 0x746f_6f72_4244_7067L;

  static final int VERSION = 4;

  /** Indexes of roots up to this version have no runs. */
  static final int VERSION_WITHOUT_RUNS = 3;

  /** Dictionaries of roots up to this version have no events, and all of their pages. */
  static final int VERSION_WITHOUT_EVENTS = 2;

  /** Roots of this version have no ranges of columns. */
  static final int VERSION_WITHOUT_RANGES = 1;

  static final int MAGIC_OFFSET = 0;
  static final int VERSION_OFFSET = 8;
  static final int BODY_OFFSET = 12;

  /** Extents begin on this unit; references count in it. */
  static final int EXTENT_UNIT_BYTES = 4096;

  /** Bits of the flag byte of an extent reference. */
  static final int FLAG_PRESENT = 1;

  static final int FLAG_SEALED = 2;

  private RootLayout() {}
}
