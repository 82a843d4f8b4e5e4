package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of the tables of INFORMATION_SCHEMA about functions and procedures. */
final class RoutineRows {
  private RoutineRows() {}

  static List<@Nullable Object[]> of(HostTable table, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(table, rows);
    for (RoutineDef routine : catalog.routines()) {
      switch (table.name()) {
        case "ROUTINES" -> routine(row, routine);
        case "PARAMETERS" -> parameters(row, routine);
        case "ROUTINE_PRIVILEGES", "ROLE_ROUTINE_GRANTS" -> privileges(row, routine);
        case "ROUTINE_TABLE_USAGE" -> {
          for (ObjectName used : routine.uses()) {
            named(specific(row.begin(), routine), routine)
                .name("TABLE", used.schema(), used.name());
          }
        }
        case "ROUTINE_ROUTINE_USAGE" -> called(row, routine, catalog);
        default -> {
          // about views
        }
      }
    }
    if (table.name().equals("VIEW_ROUTINE_USAGE")) {
      catalog.views().forEach(view -> called(row, view, catalog));
    }
    return rows;
  }

  private static HostRow specific(HostRow row, RoutineDef routine) {
    return row.name("SPECIFIC", routine.fullName().schema(), routine.specific());
  }

  private static HostRow named(HostRow row, RoutineDef routine) {
    return row.name("ROUTINE", routine.fullName().schema(), routine.fullName().name());
  }

  private static void routine(HostRow row, RoutineDef routine) {
    named(specific(row.begin(), routine), routine)
        .put("ROUTINE_TYPE", routine.kind())
        .put("ROUTINE_BODY", "SQL")
        .put("ROUTINE_DEFINITION", routine.definition())
        .yes("IS_DETERMINISTIC", routine.traits().deterministic())
        .put("SQL_DATA_ACCESS", routine.traits().access().informationWords())
        .yes("SCHEMA_LEVEL_ROUTINE", true)
        .put("MAX_DYNAMIC_RESULT_SETS", 0)
        .yes("IS_USER_DEFINED_CAST", false)
        .yes("IS_IMPLICITLY_INVOCABLE", false)
        .put("SECURITY_TYPE", "INVOKER");
    SqlTypeSpec returns = routine.returns();
    if (returns != null) {
      row.yes("IS_NULL_CALL", routine.traits().nullOnNull());
      TableRows.type(row, returns);
    }
  }

  private static void parameters(HostRow row, RoutineDef routine) {
    int position = 0;
    for (RoutineParameter parameter : routine.parameters()) {
      specific(row.begin(), routine)
          .put("ORDINAL_POSITION", ++position)
          .put("PARAMETER_MODE", parameter.mode().name())
          .yes("IS_RESULT", false)
          .yes("AS_LOCATOR", false)
          .put("PARAMETER_NAME", parameter.name());
      TableRows.type(row, parameter.type());
    }
  }

  private static void privileges(HostRow row, RoutineDef routine) {
    named(specific(UsageRows.privilege(row, "EXECUTE"), routine), routine);
    for (PrivilegeDef granted : routine.privileges()) {
      named(specific(UsageRows.granted(row, granted), routine), routine);
    }
  }

  private static void called(HostRow row, RoutineDef routine, CatalogSnapshot catalog) {
    for (ObjectName name : routine.routines()) {
      RoutineDef called = catalog.routine(name);
      if (called != null) {
        named(specific(row.begin(), routine), called);
      }
    }
  }

  private static void called(HostRow row, ViewDef view, CatalogSnapshot catalog) {
    for (ObjectName name : view.routines()) {
      RoutineDef called = catalog.routine(name);
      if (called != null) {
        specific(row.begin().name("TABLE", view.schema(), view.name()), called);
      }
    }
  }
}
