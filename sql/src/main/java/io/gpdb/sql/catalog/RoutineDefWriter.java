package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.FieldWriter;

/** Writes what {@link RoutineDefCodec} describes. */
final class RoutineDefWriter {
  private RoutineDefWriter() {}

  static byte[] encode(RoutineDef routine) {
    FieldWriter out = new FieldWriter(256);
    out.writeStopBit(RoutineDefCodec.FORMAT);
    TableDefWriter.writeName(out, routine.fullName());
    TableDefWriter.writeText(out, routine.specific());
    out.writeStopBit(routine.parameters().size());
    for (RoutineParameter parameter : routine.parameters()) {
      TableDefWriter.writeText(out, parameter.name());
      TableDefWriter.writeText(out, parameter.mode().name());
      writeType(out, parameter.type());
    }
    SqlTypeSpec returns = routine.returns();
    out.writeBoolean(returns != null);
    if (returns != null) {
      writeType(out, returns);
    }
    out.writeBoolean(routine.traits().deterministic());
    TableDefWriter.writeText(out, routine.traits().access().name());
    out.writeBoolean(routine.traits().nullOnNull());
    out.writeBoolean(routine.traits().atomic());
    TableDefWriter.writeTexts(out, routine.body());
    TableDefWriter.writeNames(out, routine.uses());
    TableDefWriter.writeNames(out, routine.routines());
    TableDefWriter.writeText(out, routine.namesFrom());
    out.writeStopBit(routine.privileges().size());
    for (PrivilegeDef privilege : routine.privileges()) {
      TableDefWriter.writePrivilege(out, privilege);
    }
    return out.toByteArray();
  }

  private static void writeType(FieldWriter out, SqlTypeSpec type) {
    TableDefWriter.writeText(out, type.kind().name());
    out.writeStopBit(type.precision());
    out.writeStopBit(type.scale());
  }
}
