package io.gpdb.jdbc.metadata;

import io.gpdb.jdbc.value.JdbcTypes;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.type.SqlTypeSpec;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of functions and procedures and of their parameters, in the order of their names. */
public final class RoutineRows {
  private static final int DECIMAL_RADIX = 10;

  private final List<RoutineDef> routines = new ArrayList<>();
  private final boolean functions;

  /** Those whose schema and name match. */
  public RoutineRows(
      CatalogSnapshot catalog,
      boolean functions,
      @Nullable String catalogName,
      @Nullable String schemaPattern,
      @Nullable String namePattern) {
    this.functions = functions;
    NamePattern schema = new NamePattern(schemaPattern);
    NamePattern name = new NamePattern(namePattern);
    for (RoutineDef routine : catalog.routines()) {
      if ((catalogName == null || catalogName.isEmpty())
          && routine.isFunction() == functions
          && schema.matches(routine.fullName().schema())
          && name.matches(routine.fullName().name())) {
        routines.add(routine);
      }
    }
  }

  /** As getFunctions or getProcedures wants them. */
  public List<@Nullable Object[]> rows() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (RoutineDef routine : routines) {
      List<@Nullable Object> row = named(routine);
      if (functions) {
        row.add(null);
        row.add(DatabaseMetaData.functionNoTable);
      } else {
        row.addAll(Arrays.asList(null, null, null, null));
        row.add(DatabaseMetaData.procedureNoResult);
      }
      row.add(routine.specific());
      rows.add(row.toArray());
    }
    return rows;
  }

  private static List<@Nullable Object> named(RoutineDef routine) {
    return new ArrayList<>(
        Arrays.<@Nullable Object>asList(
            null, routine.fullName().schema(), routine.fullName().name()));
  }

  /** As getFunctionColumns or getProcedureColumns wants them. */
  public List<@Nullable Object[]> columns(@Nullable String columnPattern) {
    NamePattern wanted = new NamePattern(columnPattern);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (RoutineDef routine : routines) {
      SqlTypeSpec returns = routine.returns();
      if (returns != null && wanted.matches("")) {
        rows.add(column(routine, "", (short) DatabaseMetaData.functionReturn, returns, 0));
      }
      int position = 0;
      for (RoutineParameter parameter : routine.parameters()) {
        position++;
        if (wanted.matches(parameter.name())) {
          rows.add(column(routine, parameter.name(), kind(parameter), parameter.type(), position));
        }
      }
    }
    return rows;
  }

  private short kind(RoutineParameter parameter) {
    return (short)
        switch (parameter.mode()) {
          case IN ->
              functions ? DatabaseMetaData.functionColumnIn : DatabaseMetaData.procedureColumnIn;
          case OUT -> DatabaseMetaData.procedureColumnOut;
          case INOUT -> DatabaseMetaData.procedureColumnInOut;
        };
  }

  private @Nullable Object[] column(
      RoutineDef routine, String name, short kind, SqlTypeSpec type, int position) {
    List<@Nullable Object> row = named(routine);
    int precision = JdbcTypes.precision(type);
    Integer octets = MetaDataRows.octets(type);
    row.addAll(
        Arrays.<@Nullable Object>asList(
            name,
            kind,
            JdbcTypes.code(type),
            JdbcTypes.name(type),
            precision,
            octets == null ? (Integer) precision : octets,
            (short) JdbcTypes.scale(type),
            (short) DECIMAL_RADIX,
            (short) DatabaseMetaData.columnNullable,
            null));
    if (!functions) {
      row.addAll(Arrays.asList(null, null, null));
    }
    row.addAll(Arrays.<@Nullable Object>asList(octets, position, "YES", routine.specific()));
    return row.toArray();
  }
}
