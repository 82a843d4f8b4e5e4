package io.gpdb.sql.definition;

import static io.gpdb.sql.definition.HostColumns.maybe;
import static io.gpdb.sql.definition.HostColumns.number;
import static io.gpdb.sql.definition.HostColumns.optional;
import static io.gpdb.sql.definition.HostColumns.table;
import static io.gpdb.sql.definition.HostColumns.text;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

/** Tables of INFORMATION_SCHEMA about functions and procedures. */
final class RoutineTables {
  private static final HostTable ROUTINES =
      table(
          "ROUTINES",
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"),
          text("ROUTINE_CATALOG"),
          text("ROUTINE_SCHEMA"),
          text("ROUTINE_NAME"),
          text("ROUTINE_TYPE"),
          maybe("DATA_TYPE"),
          optional("CHARACTER_MAXIMUM_LENGTH", SqlTypeSpec.BIGINT),
          optional("CHARACTER_OCTET_LENGTH", SqlTypeSpec.BIGINT),
          maybe("CHARACTER_SET_NAME"),
          optional("NUMERIC_PRECISION", SqlTypeSpec.INTEGER),
          optional("NUMERIC_PRECISION_RADIX", SqlTypeSpec.INTEGER),
          optional("NUMERIC_SCALE", SqlTypeSpec.INTEGER),
          optional("DATETIME_PRECISION", SqlTypeSpec.INTEGER),
          maybe("INTERVAL_TYPE"),
          optional("INTERVAL_PRECISION", SqlTypeSpec.INTEGER),
          text("ROUTINE_BODY"),
          text("ROUTINE_DEFINITION"),
          maybe("EXTERNAL_NAME"),
          maybe("EXTERNAL_LANGUAGE"),
          maybe("PARAMETER_STYLE"),
          text("IS_DETERMINISTIC"),
          text("SQL_DATA_ACCESS"),
          maybe("IS_NULL_CALL"),
          text("SCHEMA_LEVEL_ROUTINE"),
          number("MAX_DYNAMIC_RESULT_SETS"),
          text("IS_USER_DEFINED_CAST"),
          text("IS_IMPLICITLY_INVOCABLE"),
          text("SECURITY_TYPE"));

  private static final HostTable PARAMETERS =
      table(
          "PARAMETERS",
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"),
          number("ORDINAL_POSITION"),
          text("PARAMETER_MODE"),
          text("IS_RESULT"),
          text("AS_LOCATOR"),
          maybe("PARAMETER_NAME"),
          text("DATA_TYPE"),
          optional("CHARACTER_MAXIMUM_LENGTH", SqlTypeSpec.BIGINT),
          optional("CHARACTER_OCTET_LENGTH", SqlTypeSpec.BIGINT),
          maybe("CHARACTER_SET_NAME"),
          optional("NUMERIC_PRECISION", SqlTypeSpec.INTEGER),
          optional("NUMERIC_PRECISION_RADIX", SqlTypeSpec.INTEGER),
          optional("NUMERIC_SCALE", SqlTypeSpec.INTEGER),
          optional("DATETIME_PRECISION", SqlTypeSpec.INTEGER),
          maybe("INTERVAL_TYPE"),
          optional("INTERVAL_PRECISION", SqlTypeSpec.INTEGER));

  private static final HostTable PRIVILEGES =
      table(
          "ROUTINE_PRIVILEGES",
          text("GRANTOR"),
          text("GRANTEE"),
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"),
          text("ROUTINE_CATALOG"),
          text("ROUTINE_SCHEMA"),
          text("ROUTINE_NAME"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"));

  private static final HostTable TABLE_USAGE =
      table(
          "ROUTINE_TABLE_USAGE",
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"),
          text("ROUTINE_CATALOG"),
          text("ROUTINE_SCHEMA"),
          text("ROUTINE_NAME"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"));

  private static final HostTable ROUTINE_USAGE =
      table(
          "ROUTINE_ROUTINE_USAGE",
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"),
          text("ROUTINE_CATALOG"),
          text("ROUTINE_SCHEMA"),
          text("ROUTINE_NAME"));

  private static final HostTable VIEW_USAGE =
      table(
          "VIEW_ROUTINE_USAGE",
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"));

  static final List<HostTable> ALL =
      List.of(ROUTINES, PARAMETERS, PRIVILEGES, TABLE_USAGE, ROUTINE_USAGE, VIEW_USAGE);

  private RoutineTables() {}
}
