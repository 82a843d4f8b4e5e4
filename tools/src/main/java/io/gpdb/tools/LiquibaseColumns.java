package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.exception.DatabaseException;
import liquibase.snapshot.CachedRow;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.ColumnSnapshotGenerator;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Column;
import liquibase.structure.core.DataType;

/** Reads the columns of tables for Liquibase, their types as CREATE TABLE takes them. */
@SuppressWarnings("unchecked") // of the class that is extended
public final class LiquibaseColumns extends ColumnSnapshotGenerator {
  @Override
  public int getPriority(Class<? extends DatabaseObject> type, Database database) {
    return GpdbLiquibaseDatabase.priority(super.getPriority(type, database), database);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public Class<? extends SnapshotGenerator>[] replaces() {
    return new Class[] {ColumnSnapshotGenerator.class};
  }

  @Override
  protected DataType readDataType(CachedRow row, Column column, Database database)
      throws DatabaseException {
    DataType read = super.readDataType(row, column, database);
    String name = row.getString("TYPE_NAME");
    switch (name) {
      case "DECIMAL" -> {}
      case "CHAR", "VARCHAR", "VARBINARY" -> {
        if (Integer.valueOf(Integer.MAX_VALUE).equals(read.getColumnSize())) {
          read.setColumnSize(null);
        }
      }
      case "TIMESTAMP", "TIME" -> {
        read.setColumnSize(row.getInt("DECIMAL_DIGITS"));
        read.setDecimalDigits(null);
      }
      case "TIMESTAMP WITH TIME ZONE" -> {
        read.setTypeName("TIMESTAMP(" + row.getInt("DECIMAL_DIGITS") + ") WITH TIME ZONE");
        withoutSize(read);
      }
      default -> withoutSize(read);
    }
    return read;
  }

  private static void withoutSize(DataType type) {
    type.setColumnSize(null);
    type.setDecimalDigits(null);
  }
}
