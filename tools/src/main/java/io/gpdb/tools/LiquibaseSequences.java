package io.gpdb.tools;

import liquibase.database.Database;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.SequenceSnapshotGenerator;
import liquibase.statement.SqlStatement;
import liquibase.statement.core.RawParameterizedSqlStatement;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Schema;

/** Reads the sequences of a schema for Liquibase. */
@SuppressWarnings("unchecked") // of the class that is extended
public final class LiquibaseSequences extends SequenceSnapshotGenerator {
  @Override
  public int getPriority(Class<? extends DatabaseObject> type, Database database) {
    return GpdbLiquibaseDatabase.priority(super.getPriority(type, database), database);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public Class<? extends SnapshotGenerator>[] replaces() {
    return new Class[] {SequenceSnapshotGenerator.class};
  }

  @Override
  protected SqlStatement getSelectSequenceStatement(Schema schema, Database database) {
    String name = schema.getName();
    return new RawParameterizedSqlStatement(
        "SELECT SEQUENCE_NAME, START_VALUE, MINIMUM_VALUE AS MIN_VALUE,"
            + " MAXIMUM_VALUE AS MAX_VALUE, \"INCREMENT\" AS INCREMENT_BY,"
            + " CYCLE_OPTION AS WILL_CYCLE FROM INFORMATION_SCHEMA.SEQUENCES"
            + " WHERE SEQUENCE_SCHEMA = ?",
        name == null ? GpdbProduct.DEFAULT_SCHEMA : name);
  }
}
