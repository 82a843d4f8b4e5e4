package io.gpdb.tools;

import java.util.Locale;
import liquibase.database.Database;
import liquibase.datatype.DataTypeInfo;
import liquibase.datatype.DatabaseDataType;
import liquibase.datatype.core.TimestampType;
import liquibase.servicelocator.PrioritizedService;

/** TIMESTAMP with its digits, and with its time zone. */
@DataTypeInfo(
    name = "timestamp",
    aliases = {
      "java.sql.Types.TIMESTAMP",
      "java.sql.Types.TIMESTAMP_WITH_TIMEZONE",
      "java.sql.Timestamp",
      "timestamptz"
    },
    minParameters = 0,
    maxParameters = 1,
    priority = PrioritizedService.PRIORITY_DATABASE)
public final class LiquibaseTimestamps extends TimestampType {
  @Override
  public boolean supports(Database database) {
    return database instanceof GpdbLiquibaseDatabase;
  }

  @Override
  public DatabaseDataType toDatabaseDataType(Database database) {
    String raw = getRawDefinition() == null ? "" : getRawDefinition();
    String written = (raw + " " + getAdditionalInformation()).toLowerCase(Locale.ROOT);
    boolean zoned =
        written.contains("with time zone")
            || written.contains("with_timezone")
            || written.contains("timestamptz");
    Object[] parameters = getParameters();
    String digits = parameters.length == 0 ? "" : "(" + parameters[0] + ")";
    return new DatabaseDataType("TIMESTAMP" + digits + (zoned ? " WITH TIME ZONE" : ""));
  }
}
