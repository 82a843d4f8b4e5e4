package io.gpdb.txn.api;

/**
 * How a database is opened.
 *
 * @param checkpointBytes a checkpoint starts when the log since the last one is longer than this
 * @param logFileBytes the size of the log's first files; a multiple of 4096
 * @param logFilesAhead who makes the next of them before it is needed
 * @param commitsInFlight batches of commits that are written and synced at once, at most
 */
public record TxnOptions(
    Protocol protocol,
    LogKind log,
    long checkpointBytes,
    long logFileBytes,
    LogFilesAhead logFilesAhead,
    int commitsInFlight,
    boolean readOnly) {
  public static final long DEFAULT_CHECKPOINT_BYTES = 512L << 20;
  public static final long DEFAULT_LOG_FILE_BYTES = 1L << 20;
  public static final int DEFAULT_COMMITS_IN_FLIGHT = 2;
  public static final int COMMITS_IN_FLIGHT_MAX = 64;
  private static final long LOG_FILE_UNIT_BYTES = 4096;

  public TxnOptions {
    if (checkpointBytes < 1) {
      throw new IllegalArgumentException("checkpointBytes=" + checkpointBytes + " is below 1");
    }
    if (commitsInFlight < 1 || commitsInFlight > COMMITS_IN_FLIGHT_MAX) {
      throw new IllegalArgumentException(
          "commitsInFlight=%d is not between 1 and %d"
              .formatted(commitsInFlight, COMMITS_IN_FLIGHT_MAX));
    }
    if (logFileBytes < 2 * LOG_FILE_UNIT_BYTES || logFileBytes % LOG_FILE_UNIT_BYTES != 0) {
      throw new IllegalArgumentException(
          "logFileBytes=%d is below %d or no multiple of %d"
              .formatted(logFileBytes, 2 * LOG_FILE_UNIT_BYTES, LOG_FILE_UNIT_BYTES));
    }
  }

  public static TxnOptions standard() {
    return new TxnOptions(
        Protocol.REDO,
        LogKind.HCL,
        DEFAULT_CHECKPOINT_BYTES,
        DEFAULT_LOG_FILE_BYTES,
        LogFilesAhead.IN_BACKGROUND,
        DEFAULT_COMMITS_IN_FLIGHT,
        false);
  }

  public TxnOptions withProtocol(Protocol other) {
    return new TxnOptions(
        other, log, checkpointBytes, logFileBytes, logFilesAhead, commitsInFlight, readOnly);
  }

  public TxnOptions withLog(LogKind other) {
    return new TxnOptions(
        protocol, other, checkpointBytes, logFileBytes, logFilesAhead, commitsInFlight, readOnly);
  }

  public TxnOptions withCheckpointBytes(long bytes) {
    return new TxnOptions(
        protocol, log, bytes, logFileBytes, logFilesAhead, commitsInFlight, readOnly);
  }

  public TxnOptions withReadOnly(boolean only) {
    return new TxnOptions(
        protocol, log, checkpointBytes, logFileBytes, logFilesAhead, commitsInFlight, only);
  }

  public TxnOptions withLogFileBytes(long bytes) {
    return new TxnOptions(
        protocol, log, checkpointBytes, bytes, logFilesAhead, commitsInFlight, readOnly);
  }

  public TxnOptions withCommitsInFlight(int batches) {
    return new TxnOptions(
        protocol, log, checkpointBytes, logFileBytes, logFilesAhead, batches, readOnly);
  }

  public TxnOptions withLogFilesAhead(LogFilesAhead who) {
    return new TxnOptions(
        protocol, log, checkpointBytes, logFileBytes, who, commitsInFlight, readOnly);
  }
}
