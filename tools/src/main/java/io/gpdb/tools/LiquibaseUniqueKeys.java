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
import liquibase.structure.core.UniqueConstraint;
import org.jspecify.annotations.Nullable;

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
    List<CachedRow> rows = new ArrayList<>();
    for (Map<String, ?> row :
        rows(
            snapshot.getDatabase(),
            "SELECT CONSTRAINT_NAME, TABLE_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS"
                + " WHERE CONSTRAINT_TYPE = 'UNIQUE' AND TABLE_SCHEMA = ? AND TABLE_NAME = ?",
            named(schema),
            table.getName())) {
      rows.add(new CachedRow(new HashMap<>(row)));
    }
    return rows;
  }

  @Override
  protected List<Map<String, ?>> listColumns(
      UniqueConstraint key, Database database, DatabaseSnapshot snapshot) throws DatabaseException {
    return rows(
        database,
        "SELECT CONSTRAINT_NAME, COLUMN_NAME, TABLE_NAME AS CONSTRAINT_CONTAINER"
            + " FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = ?"
            + " AND TABLE_NAME = ? AND CONSTRAINT_NAME = ? ORDER BY ORDINAL_POSITION",
        named(key.getSchema()),
        key.getRelation().getName(),
        key.getName());
  }

  private static String named(@Nullable Schema schema) {
    String name = schema == null ? null : schema.getName();
    return name == null ? GpdbProduct.DEFAULT_SCHEMA : name;
  }

  private static List<Map<String, ?>> rows(Database database, String sql, Object... values)
      throws DatabaseException {
    Executor executor =
        Scope.getCurrentScope().getSingleton(ExecutorService.class).getExecutor("jdbc", database);
    return executor.queryForList(new RawParameterizedSqlStatement(sql, values));
  }
}
