package io.gpdb.txn.log;

import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a checkpoint keeps of the transactions.
 *
 * @param sequence of the last commit in it
 * @param transactionId not less than that of any transaction before it
 * @param epoch of the log at that time
 */
public record CheckpointState(long sequence, long transactionId, int epoch) {
  private static final int VERSION = 1;
  private static final int BYTES = 24;

  public byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(VERSION).putInt(epoch).putLong(sequence).putLong(transactionId);
    return bytes.array();
  }

  public static CheckpointState decode(byte[] encoded) {
    if (encoded.length == 0) {
      return new CheckpointState(0, 0, 0);
    }
    FieldReader fields = new FieldReader(encoded);
    int version = encoded.length == BYTES ? fields.readInt() : 0;
    if (version != VERSION) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "checkpoint state: version=%d, bytes=%d, expected version=%d, bytes=%d"
              .formatted(version, encoded.length, VERSION, BYTES));
    }
    int epoch = fields.readInt();
    CheckpointState state = new CheckpointState(fields.readLong(), fields.readLong(), epoch);
    if (epoch < 0 || state.sequence < 0 || state.transactionId < 0) {
      throw new GpdbException(ErrorCode.CORRUPTION, "checkpoint state is damaged: " + state);
    }
    return state;
  }
}
