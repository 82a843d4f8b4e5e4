package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.RoutineTraits;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.FieldReader;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;

/**
 * Definitions of routines as bytes: format version, schema, name, specific name, parameters (name,
 * mode, type), whether it is a function and then its type, what it is besides, its body, the names
 * that this uses, the schema of names, privileges. Numbers and text are as in {@link
 * TableDefCodec}.
 */
final class RoutineDefCodec {
  static final int FORMAT = 1;

  private RoutineDefCodec() {}

  static RoutineDef decode(int routineId, byte[] encoded) {
    try {
      return decode(routineId, new FieldReader(encoded));
    } catch (RuntimeException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "definition of routine " + routineId + " cannot be read", e);
    }
  }

  private static RoutineDef decode(int routineId, FieldReader in) {
    long format = in.readStopBit();
    if (format != FORMAT) {
      throw new IllegalStateException("format " + format + ", expected " + FORMAT);
    }
    ObjectName name = TableAdditions.name(in);
    String specific = TableDefCodec.text(in);
    List<RoutineParameter> parameters = new ArrayList<>();
    int count = TableDefCodec.length(in);
    for (int i = 0; i < count; i++) {
      parameters.add(
          new RoutineParameter(
              TableDefCodec.text(in),
              RoutineParameter.Mode.valueOf(TableDefCodec.text(in)),
              type(in)));
    }
    SqlTypeSpec returns = in.readBoolean() ? type(in) : null;
    RoutineTraits traits =
        new RoutineTraits(
            in.readBoolean(),
            RoutineTraits.Access.valueOf(TableDefCodec.text(in)),
            in.readBoolean(),
            in.readBoolean());
    return new RoutineDef(
        routineId,
        name,
        specific,
        parameters,
        returns,
        traits,
        TableDefCodec.texts(in),
        TableAdditions.names(in),
        TableAdditions.names(in),
        TableDefCodec.text(in),
        TableAdditions.privilegesIn(in));
  }

  private static SqlTypeSpec type(FieldReader in) {
    SqlTypeSpec.Kind kind = SqlTypeSpec.Kind.valueOf(TableDefCodec.text(in));
    return new SqlTypeSpec(kind, (int) in.readStopBit(), (int) in.readStopBit());
  }
}
