package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.ObjectName;
import io.gpdb.sql.catalog.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** DROP VIEW. */
public final class DropView implements Change {
  private final Catalog catalog;
  private final List<ObjectName> names;
  private final boolean ifExists;
  private final boolean cascade;

  public DropView(Catalog catalog, List<ObjectName> names, boolean ifExists, boolean cascade) {
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
    ViewDef view = x.catalog().view(name);
    if (view != null) {
      catalog.dropView(x.transaction(), view, cascade);
    } else if (x.catalog().table(name) != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT, name + " is a table; DROP TABLE drops it");
    } else if (!ifExists) {
      throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, "view " + name + " does not exist");
    }
  }

  @Override
  public List<String> explain(Execution x) {
    return names.stream().map(name -> "drop view " + name + " [catalog]").toList();
  }
}
