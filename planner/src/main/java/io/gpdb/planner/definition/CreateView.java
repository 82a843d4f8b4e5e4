package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.ViewDef;
import java.util.List;

/** CREATE VIEW. */
public final class CreateView implements Change {
  private final Catalog catalog;
  private final ViewDef definition;
  private final boolean orReplace;
  private final boolean ifNotExists;

  public CreateView(Catalog catalog, ViewDef definition, boolean orReplace, boolean ifNotExists) {
    this.catalog = catalog;
    this.definition = definition;
    this.orReplace = orReplace;
    this.ifNotExists = ifNotExists;
  }

  @Override
  public long apply(Execution x) {
    if (!ifNotExists || x.catalog().view(definition.fullName()) == null) {
      catalog.createView(x.transaction(), definition, orReplace);
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("create view " + definition.fullName() + " [catalog]");
  }
}
