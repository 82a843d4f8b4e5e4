package io.gpdb.jdbc.value;

import io.gpdb.session.Cancellation;
import io.gpdb.sql.text.CalciteFaults;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.sql.BatchUpdateException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The one place where errors of the engine become those of JDBC. */
public final class SqlErrors {
  private SqlErrors() {}

  /** Whatever went wrong, as the exception that a caller of JDBC expects. */
  public static SQLException translate(Throwable failure) {
    return switch (failure) {
      case SQLException already -> already;
      case GpdbException known -> of(known.code(), text(known), known);
      case StackOverflowError deep ->
          of(ErrorCode.TOO_COMPLEX, "the statement is nested too deeply", deep);
      case OutOfMemoryError full -> of(ErrorCode.OUT_OF_MEMORY, text(full), full);
      default -> translate(CalciteFaults.of(failure));
    };
  }

  /** What ended a statement; a stop by its timeout is said as what it was. */
  public static SQLException translate(Throwable failure, Cancellation cancellation) {
    boolean stopped = failure instanceof GpdbException known && known.code() == ErrorCode.CANCELLED;
    return stopped && cancellation.isTimedOut()
        ? new SQLTimeoutException(
            "the statement ran longer than its timeout", ErrorCode.CANCELLED.sqlState(), failure)
        : translate(failure);
  }

  /** The argument, which callers of JDBC may leave out although it is needed. */
  public static <T> T given(String what, @Nullable T argument) throws SQLException {
    if (argument == null) {
      throw of(ErrorCode.INVALID_ARGUMENT, what + " is null");
    }
    return argument;
  }

  public static SQLException of(ErrorCondition code, String message) {
    return of(code, message, null);
  }

  public static SQLException of(ErrorCondition code, String message, @Nullable Throwable cause) {
    if (code == ErrorCode.DATABASE_IN_USE) {
      return new SQLTransientConnectionException(message, code.sqlState(), cause);
    }
    if (code == ErrorCode.PERMISSION_DENIED) {
      return new SQLNonTransientException(message, code.sqlState(), cause);
    }
    return ofState(code.sqlState(), message, cause);
  }

  public static SQLFeatureNotSupportedException notSupported(String what) {
    return new SQLFeatureNotSupportedException(
        what + " is not supported", ErrorCode.NOT_SUPPORTED.sqlState());
  }

  private static SQLException ofState(String state, String message, @Nullable Throwable cause) {
    return switch (state.substring(0, 2)) {
      case "0A" -> new SQLFeatureNotSupportedException(message, state, cause);
      case "08" -> new SQLNonTransientConnectionException(message, state, cause);
      case "22" -> new SQLDataException(message, state, cause);
      case "23" -> new SQLIntegrityConstraintViolationException(message, state, cause);
      case "40" -> new SQLTransactionRollbackException(message, state, cause);
      case "42" -> new SQLSyntaxErrorException(message, state, cause);
      case "53", "54", "58" -> new SQLNonTransientException(message, state, cause);
      default -> new SQLException(message, state, cause);
    };
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }

  /** Each of the statements of a batch has failed, as none of them has happened. */
  public static BatchUpdateException ofBatch(SQLException cause, int statements) {
    long[] counts = new long[statements];
    Arrays.fill(counts, Statement.EXECUTE_FAILED);
    return new BatchUpdateException(
        cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), counts, cause);
  }
}
