package io.gpdb.sql.text;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteException;
import org.jspecify.annotations.Nullable;

/**
 * The error that a statement's user gets when Calcite fails without an error of SQL: assertions,
 * missing cases, casts of its own classes. Whatever Calcite cannot take gpDB does not support; a
 * failure of gpDB's own code stays an internal error.
 */
public final class CalciteFaults {
  private static final String OWN_FAULT =
      "gpDB itself failed at this statement, which changed nothing: this is a fault of gpDB; please"
          + " report the statement and the stack trace";

  private static final Pattern OF_THE_RUNTIME =
      Pattern.compile(
          "(?:java|javax|jdk|sun|(?:io\\.gpdb\\.shaded\\.)?com\\.google\\.common)\\..*");

  /**
   * Calcite, by the name that it has in the packed driver, too, what it makes, and its compiler.
   */
  private static final Pattern OF_CALCITE =
      Pattern.compile(
          "(?:(?:io\\.gpdb\\.shaded\\.)?org\\.apache\\.calcite|org\\.codehaus|Baz|Expression)\\b.*");

  private static final Pattern INTERNAL_NAMES =
      Pattern.compile(
          "org\\.apache|calcite|io\\.gpdb|java\\.|Logical[A-Z]|Enumerable[A-Z]|\\$f\\d|\\$\\d"
              + "|\\$cor|\\bRex[A-Z]|\\bRel[A-Z]|SqlKind|\\bSql[A-Z]|Exception\\b|RecordType|\\bnull\\b");

  private CalciteFaults() {}

  /** The error to raise; a fatal error of the virtual machine is thrown on. */
  public static GpdbException of(Throwable thrown) {
    Throwable root = thrown;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof GpdbException own) {
        return own;
      }
      root = t;
    }
    if (root instanceof StackOverflowError) {
      return new GpdbException(ErrorCode.TOO_COMPLEX, "the statement is nested too deeply", thrown);
    }
    if (root instanceof InternalError unreadable) { // so a mapping ends whose file was cut
      return new GpdbException(
          ErrorCode.IO_ERROR, "a file of the database cannot be read any more", unreadable);
    }
    if (root instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    if (isOfValues(root)) {
      return new GpdbException(
          ErrorCode.INVALID_ARGUMENT, String.valueOf(root.getMessage()), thrown);
    }
    return isCalcites(root)
        ? new GpdbException(ErrorCode.NOT_SUPPORTED, words(root), thrown)
        : new GpdbException(ErrorCode.INTERNAL, OWN_FAULT, thrown);
  }

  /**
   * Whether the innermost method with a say is Calcite's. Compiled code throws without a trace what
   * it has thrown thousands of times before: a fault of gpDB would have shown its trace then.
   */
  public static boolean isCalcites(Throwable root) {
    if (root.getStackTrace().length == 0) {
      return true;
    }
    for (StackTraceElement frame : root.getStackTrace()) {
      if (!OF_THE_RUNTIME.matcher(frame.getClassName()).matches()) {
        return OF_CALCITE.matcher(frame.getClassName()).matches();
      }
    }
    return false;
  }

  /** Whether a function of Calcite says which of its values it cannot take. */
  private static boolean isOfValues(Throwable root) {
    boolean plain = root instanceof CalciteException || root.getClass() == RuntimeException.class;
    return plain && isCalcites(root) && isReadable(root.getMessage());
  }

  private static String words(Throwable root) {
    String message = root.getMessage();
    boolean readable = root instanceof UnsupportedOperationException && isReadable(message);
    return readable
        ? "not supported: " + message
        : "not supported: these expressions or clauses cannot be planned together";
  }

  /** Whether a message may be shown: it is one line without names of classes or fields. */
  public static boolean isReadable(@Nullable String message) {
    return message != null
        && !message.isBlank()
        && message.indexOf('\n') < 0
        && !INTERNAL_NAMES.matcher(message).find();
  }
}
