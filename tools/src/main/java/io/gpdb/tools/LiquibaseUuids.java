package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.datatype.DataTypeInfo;
import liquibase.datatype.DatabaseDataType;
import liquibase.datatype.core.UUIDType;
import liquibase.servicelocator.PrioritizedService;

/** UUID, which other databases may keep as a text. */
@DataTypeInfo(
    name = "uuid",
    aliases = {"uniqueidentifier", "java.util.UUID"},
    minParameters = 0,
    maxParameters = 0,
    priority = PrioritizedService.PRIORITY_DATABASE)
public final class LiquibaseUuids extends UUIDType {
  @Override
  public boolean supports(Database database) {
    return database instanceof GpdbLiquibaseDatabase;
  }

  @Override
  public DatabaseDataType toDatabaseDataType(Database database) {
    return new DatabaseDataType("UUID");
  }
}
