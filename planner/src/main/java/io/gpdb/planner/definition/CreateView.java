package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.ViewDef;
import java.util.List;

/** CREATE VIEW. */
public final class CreateView implements Change {
  private final Catalog catalog;
  private final ViewDef definition;
  private final boolean orReplace;
  private final boolean ifNotExists;
  private final InnerStatements statements;

  public CreateView(
      Catalog catalog,
      ViewDef definition,
      boolean orReplace,
      boolean ifNotExists,
      InnerStatements statements) {
    this.catalog = catalog;
    this.definition = definition;
    this.orReplace = orReplace;
    this.ifNotExists = ifNotExists;
    this.statements = statements;
  }

  @Override
  public long apply(Execution x) {
    if (!ifNotExists || x.catalog().view(definition.fullName()) == null) {
      catalog
          .views()
          .create(x.transaction(), definition, orReplace, view -> statements.isValid(x, view));
      ReadingViews.describe(x, statements, definition.fullName());
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("create view " + definition.fullName() + " [catalog]");
  }
}
