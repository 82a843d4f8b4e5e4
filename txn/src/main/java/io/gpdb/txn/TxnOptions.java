package io.gpdb.txn;

/**
 * How a database is opened.
 *
 * @param checkpointBytes a checkpoint starts when the log since the last one is longer than this
 */
public record TxnOptions(Protocol protocol, LogKind log, long checkpointBytes, boolean readOnly) {
  public static final long DEFAULT_CHECKPOINT_BYTES = 512L << 20;

  public TxnOptions {
    if (checkpointBytes < 1) {
      throw new IllegalArgumentException("checkpointBytes=" + checkpointBytes + " is below 1");
    }
  }

  public static TxnOptions standard() {
    return new TxnOptions(Protocol.REDO, LogKind.HCL, DEFAULT_CHECKPOINT_BYTES, false);
  }

  public TxnOptions withProtocol(Protocol other) {
    return new TxnOptions(other, log, checkpointBytes, readOnly);
  }

  public TxnOptions withLog(LogKind other) {
    return new TxnOptions(protocol, other, checkpointBytes, readOnly);
  }

  public TxnOptions withCheckpointBytes(long bytes) {
    return new TxnOptions(protocol, log, bytes, readOnly);
  }

  public TxnOptions withReadOnly(boolean only) {
    return new TxnOptions(protocol, log, checkpointBytes, only);
  }
}
