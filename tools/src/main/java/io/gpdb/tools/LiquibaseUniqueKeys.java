package io.gpdb.tools;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import liquibase.Scope;
import liquibase.database.Database;
import liquibase.exception.DatabaseException;
import liquibase.executor.Executor;
import liquibase.executor.ExecutorService;
import liquibase.snapshot.CachedRow;
import liquibase.snapshot.DatabaseSnapshot;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.UniqueConstraintSnapshotGenerator;
import liquibase.statement.core.RawParameterizedSqlStatement;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Schema;
import liquibase.structure.core.Table;

/** Reads the UNIQUE constraints of a table for Liquibase. */
@SuppressWarnings("unchecked") // of the class that is extended
public final class LiquibaseUniqueKeys extends UniqueConstraintSnapshotGenerator {
  @Override
  public int getPriority(Class<? extends DatabaseObject> type, Database database) {
    return GpdbLiquibaseDatabase.priority(super.getPriority(type, database), database);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public Class<? extends SnapshotGenerator>[] replaces() {
    return new Class[] {UniqueConstraintSnapshotGenerator.class};
  }

  @Override
  protected List<CachedRow> listConstraints(Table table, DatabaseSnapshot snapshot, Schema schema)
      throws DatabaseException {
    String name = schema.getName();
    Executor executor =
        Scope.getCurrentScope()
            .getSingleton(ExecutorService.class)
            .getExecutor("jdbc", snapshot.getDatabase());
    List<CachedRow> rows = new ArrayList<>();
    for (Map<String, ?> row :
        executor.queryForList(
            new RawParameterizedSqlStatement(
                "SELECT CONSTRAINT_NAME, TABLE_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS"
                    + " WHERE CONSTRAINT_TYPE = 'UNIQUE' AND TABLE_SCHEMA = ? AND TABLE_NAME = ?",
                name == null ? GpdbProduct.DEFAULT_SCHEMA : name,
                table.getName()))) {
      rows.add(new CachedRow(new HashMap<>(row)));
    }
    return rows;
  }
}
