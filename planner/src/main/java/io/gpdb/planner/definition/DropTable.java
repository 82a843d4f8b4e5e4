package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.ObjectName;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** DROP TABLE. */
public final class DropTable implements Change {
  private final Catalog catalog;
  private final List<ObjectName> names;
  private final boolean ifExists;
  private final boolean cascade;

  public DropTable(Catalog catalog, List<ObjectName> names, boolean ifExists, boolean cascade) {
    this.catalog = catalog;
    this.names = List.copyOf(names);
    this.ifExists = ifExists;
    this.cascade = cascade;
  }

  @Override
  public long apply(Execution x) {
    names.forEach(name -> drop(x, name));
    return 0;
  }

  /** What a drop before has taken along is not there: only IF EXISTS does not mind. */
  private void drop(Execution x, ObjectName name) {
    TableDef table = x.catalog().table(name);
    if (table != null) {
      catalog.dropTable(x.transaction(), table, cascade);
    } else if (x.catalog().view(name) != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT, name + " is a view; DROP VIEW drops it");
    } else if (!ifExists) {
      throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, "table " + name + " does not exist");
    }
  }

  @Override
  public List<String> explain(Execution x) {
    return names.stream().map(name -> "drop table " + name + " [catalog]").toList();
  }
}
