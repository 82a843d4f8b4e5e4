package io.gpdb.planner.change;

import io.gpdb.planner.run.Execution;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** DROP VIEW. */
public final class DropView implements Change {
  private final Catalog catalog;
  private final String name;
  private final boolean ifExists;
  private final boolean cascade;

  public DropView(Catalog catalog, String name, boolean ifExists, boolean cascade) {
    this.catalog = catalog;
    this.name = name;
    this.ifExists = ifExists;
    this.cascade = cascade;
  }

  @Override
  public long apply(Execution x) {
    ViewDef view = x.catalog().view(name);
    if (view != null) {
      catalog.dropView(x.transaction(), view, cascade);
    } else if (x.catalog().table(name) != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT, name + " is a table; DROP TABLE drops it");
    } else if (!ifExists) {
      throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, "view " + name + " does not exist");
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("drop view " + name + " [catalog]");
  }
}
