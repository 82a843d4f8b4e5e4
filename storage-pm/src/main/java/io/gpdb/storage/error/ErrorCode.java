package io.gpdb.storage.error;

/** What may go wrong whoever asks: names of tables, transactions, files, memory, limits. */
public enum ErrorCode implements ErrorCondition {
  TABLE_NOT_FOUND(Kind.USER, "42S02"),
  TABLE_EXISTS(Kind.USER, "42S01"),
  NOT_SUPPORTED(Kind.USER, "0A000"),
  NUMERIC_OUT_OF_RANGE(Kind.USER, "22003"),
  INVALID_ARGUMENT(Kind.USER, "22023"),
  TRANSACTION_STATE(Kind.USER, "25000"),
  READ_ONLY(Kind.USER, "25006"),
  SAVEPOINT_UNKNOWN(Kind.USER, "3B001"),
  SERIALIZATION_CONFLICT(Kind.USER, "40001"),
  DEADLOCK(Kind.USER, "40P01"),
  LOCK_TIMEOUT(Kind.USER, "55P03"),
  CANCELLED(Kind.USER, "57014"),
  CLOSED(Kind.USER, "08003"),
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

  private final Kind kind;
  private final String sqlState;

  ErrorCode(Kind kind, String sqlState) {
    this.kind = kind;
    this.sqlState = sqlState;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String sqlState() {
    return sqlState;
  }
}
