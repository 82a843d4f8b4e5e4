package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DomainDef;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.column.FieldWriter;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Objects;

/**
 * Definitions of distinct types as bytes: the names of the functions that cast to the type and to
 * its source, -1 where one has no name of its own, and what a domain of that type and name has.
 */
final class DistinctTypeCodec {
  private DistinctTypeCodec() {}

  static byte[] encode(DomainDef type) {
    DomainDef.Casts casts = Objects.requireNonNull(type.casts(), "a distinct type");
    FieldWriter out = new FieldWriter(256);
    TableDefWriter.writeText(out, casts.toDistinct());
    TableDefWriter.writeText(out, casts.toSource());
    out.write(TableDefCodec.encode(type.value()));
    return out.toByteArray();
  }

  static DomainDef decode(int typeId, byte[] encoded) {
    try {
      FieldReader in = new FieldReader(encoded);
      DomainDef.Casts casts =
          new DomainDef.Casts(TableDefCodec.optionalText(in), TableDefCodec.optionalText(in));
      byte[] rest = new byte[in.remaining()];
      in.read(rest);
      return new DomainDef(TableDefCodec.decode(typeId, rest), casts);
    } catch (RuntimeException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "definition of type " + typeId + " cannot be read", e);
    }
  }
}
