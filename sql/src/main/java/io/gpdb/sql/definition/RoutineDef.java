package io.gpdb.sql.definition;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function or procedure whose body is SQL.
 *
 * @param specific a name that no other routine of the schema has
 * @param returns the type of a function's value; null for a procedure
 * @param body of a function the expression that it returns, of a procedure its statements
 * @param uses the tables and views that the body names
 * @param routines the functions that the body calls
 * @param namesFrom the schema of names that the body writes without one
 */
public record RoutineDef(
    int routineId,
    ObjectName fullName,
    String specific,
    List<RoutineParameter> parameters,
    @Nullable SqlTypeSpec returns,
    RoutineTraits traits,
    List<String> body,
    List<ObjectName> uses,
    List<ObjectName> routines,
    String namesFrom,
    List<PrivilegeDef> privileges) {
  public RoutineDef {
    parameters = List.copyOf(parameters);
    body = List.copyOf(body);
    uses = List.copyOf(uses);
    routines = List.copyOf(routines);
    privileges = List.copyOf(privileges);
  }

  public boolean isFunction() {
    return returns != null;
  }

  /** FUNCTION or PROCEDURE. */
  public String kind() {
    return isFunction() ? "FUNCTION" : "PROCEDURE";
  }

  /** The body as CREATE writes it. */
  public String definition() {
    if (isFunction()) {
      return "RETURN " + body.getFirst();
    }
    if (!traits.atomic()) {
      return body.getFirst();
    }
    StringBuilder text = new StringBuilder("BEGIN ATOMIC\n");
    body.forEach(statement -> text.append("  ").append(statement).append(";\n"));
    return text.append("END").toString();
  }

  public RoutineDef withRoutineId(int id) {
    return new RoutineDef(
        id,
        fullName,
        specific,
        parameters,
        returns,
        traits,
        body,
        uses,
        routines,
        namesFrom,
        privileges);
  }

  public RoutineDef withPrivileges(List<PrivilegeDef> others) {
    return new RoutineDef(
        routineId,
        fullName,
        specific,
        parameters,
        returns,
        traits,
        body,
        uses,
        routines,
        namesFrom,
        others);
  }
}
