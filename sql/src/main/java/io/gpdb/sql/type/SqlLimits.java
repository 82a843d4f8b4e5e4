package io.gpdb.sql.type;

/** How long statements and names may be, and how wide tables. */
public final class SqlLimits {
  /** Characters that a name may have. */
  public static final int NAME_LENGTH_MAX = 128;

  /** Characters that a statement may have. */
  public static final int STATEMENT_LENGTH_MAX = 64 * 1024 * 1024;

  public static final int COLUMNS_MAX = 1000;

  /** PRIMARY KEY and UNIQUE constraints that a table may have. */
  public static final int KEYS_MAX = 32;

  /** Indexes made by CREATE INDEX that a table may have. */
  public static final int INDEXES_MAX = 32;

  /** CHECK and FOREIGN KEY constraints that a table may have. */
  public static final int CONSTRAINTS_MAX = 256;

  private SqlLimits() {}
}
