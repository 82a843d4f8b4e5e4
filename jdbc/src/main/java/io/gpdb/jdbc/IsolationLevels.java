package io.gpdb.jdbc;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.IsolationLevel;
import java.sql.Connection;

/** Isolation levels as JDBC numbers them. */
final class IsolationLevels {
  private IsolationLevels() {}

  static IsolationLevel of(int number) {
    return switch (number) {
      case Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED ->
          IsolationLevel.READ_COMMITTED;
      case Connection.TRANSACTION_REPEATABLE_READ -> IsolationLevel.SNAPSHOT;
      case Connection.TRANSACTION_SERIALIZABLE -> IsolationLevel.SERIALIZABLE;
      default ->
          throw new GpdbException(
              ErrorCode.INVALID_ARGUMENT, number + " is not an isolation level");
    };
  }

  static int number(IsolationLevel level) {
    return switch (level) {
      case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
      case SNAPSHOT -> Connection.TRANSACTION_REPEATABLE_READ;
      case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
    };
  }
}
