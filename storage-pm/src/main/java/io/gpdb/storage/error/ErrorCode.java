package io.gpdb.storage.error;

/** What went wrong, as a kind for the engine and an SQLSTATE for the user. */
public enum ErrorCode {
  SYNTAX(Kind.USER, "42601"),
  TABLE_NOT_FOUND(Kind.USER, "42S02"),
  TABLE_EXISTS(Kind.USER, "42S01"),
  COLUMN_NOT_FOUND(Kind.USER, "42S22"),
  COLUMN_EXISTS(Kind.USER, "42S21"),
  INDEX_NOT_FOUND(Kind.USER, "42S12"),
  INVALID_STATEMENT(Kind.USER, "42000"),
  TYPE_MISMATCH(Kind.USER, "42804"),
  NOT_SUPPORTED(Kind.USER, "0A000"),
  PARAMETER_COUNT(Kind.USER, "07001"),
  CARDINALITY(Kind.USER, "21000"),
  STRING_TOO_LONG(Kind.USER, "22001"),
  NUMERIC_OUT_OF_RANGE(Kind.USER, "22003"),
  INVALID_DATETIME(Kind.USER, "22007"),
  DATETIME_OVERFLOW(Kind.USER, "22008"),
  DIVISION_BY_ZERO(Kind.USER, "22012"),
  INVALID_CAST(Kind.USER, "22018"),
  NOT_A_CHARACTER(Kind.USER, "22021"),
  INVALID_ARGUMENT(Kind.USER, "22023"),
  INVALID_ESCAPE(Kind.USER, "22025"),
  BAD_CSV(Kind.USER, "22P04"),
  NOT_NULL_VIOLATION(Kind.USER, "23502"),
  DUPLICATE_KEY(Kind.USER, "23505"),
  CHECK_VIOLATION(Kind.USER, "23514"),
  CURSOR_STATE(Kind.USER, "24000"),
  TRANSACTION_STATE(Kind.USER, "25000"),
  READ_ONLY(Kind.USER, "25006"),
  SAVEPOINT_UNKNOWN(Kind.USER, "3B001"),
  SERIALIZATION_CONFLICT(Kind.USER, "40001"),
  DEADLOCK(Kind.USER, "40P01"),
  LOCK_TIMEOUT(Kind.USER, "55P03"),
  CANCELLED(Kind.USER, "57014"),
  CLOSED(Kind.USER, "08003"),
  STATEMENT_CLOSED(Kind.USER, "HY010"),
  CANNOT_OPEN(Kind.USER, "08001"),
  PERMISSION_DENIED(Kind.USER, "42501"),
  FILE_NOT_FOUND(Kind.USER, "58P01"),
  FILE_EXISTS(Kind.USER, "58P02"),
  DATABASE_IN_USE(Kind.RESOURCE, "55006"),
  TOO_MANY_FILES(Kind.RESOURCE, "53000"),
  DISK_FULL(Kind.RESOURCE, "53100"),
  OUT_OF_MEMORY(Kind.RESOURCE, "53200"),
  LIMIT_EXCEEDED(Kind.RESOURCE, "54000"),
  TOO_COMPLEX(Kind.RESOURCE, "54001"),
  IO_ERROR(Kind.RESOURCE, "58030"),
  POISONED(Kind.RESOURCE, "58000"),
  CORRUPTION(Kind.CORRUPTION, "XX001"),
  INTERNAL(Kind.INTERNAL, "XX000");

  /** Whose doing an error is. */
  public enum Kind {
    USER,
    RESOURCE,
    CORRUPTION,
    INTERNAL
  }

  private final Kind kind;
  private final String sqlState;

  ErrorCode(Kind kind, String sqlState) {
    this.kind = kind;
    this.sqlState = sqlState;
  }

  public Kind kind() {
    return kind;
  }

  public String sqlState() {
    return sqlState;
  }
}
