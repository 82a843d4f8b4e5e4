package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/**
 * Definitions of sequences as bytes: format version, schema, name, type (kind, precision, scale),
 * start, increment, minimum, maximum, whether it cycles, cache, state, first number, whether an
 * identity column owns it. Encoded as {@link TableDefCodec} says; written by {@link
 * TableDefWriter}.
 */
final class SequenceDefCodec {
  static final int FORMAT = 1;

  private SequenceDefCodec() {}

  static SequenceDef decode(int sequenceId, byte[] encoded) {
    try {
      return decode(sequenceId, new FieldReader(encoded));
    } catch (GpdbException own) {
      throw own;
    } catch (RuntimeException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "definition of sequence " + sequenceId + " cannot be read", e);
    }
  }

  private static SequenceDef decode(int sequenceId, FieldReader in) {
    long format = in.readStopBit();
    if (format != FORMAT) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "definition of sequence "
              + sequenceId
              + " has format "
              + format
              + ", expected "
              + FORMAT);
    }
    return new SequenceDef(
        sequenceId,
        TableDefCodec.text(in),
        TableDefCodec.text(in),
        new SqlTypeSpec(
            SqlTypeSpec.Kind.valueOf(TableDefCodec.text(in)),
            (int) in.readStopBit(),
            (int) in.readStopBit()),
        in.readStopBit(),
        in.readStopBit(),
        in.readStopBit(),
        in.readStopBit(),
        in.readBoolean(),
        (int) in.readStopBit(),
        (int) in.readStopBit(),
        in.readStopBit(),
        in.readBoolean());
  }
}
