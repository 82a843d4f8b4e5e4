package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.statement.Analyzed;
import java.util.List;

/** ALTER DOMAIN: the tables with columns of the domain are altered, then the domain. */
public final class AlterDomain implements Change {
  private final Catalog catalog;
  private final Analyzed.AlterDomain statement;
  private final InnerStatements statements;

  public AlterDomain(Catalog catalog, Analyzed.AlterDomain statement, InnerStatements statements) {
    this.catalog = catalog;
    this.statement = statement;
    this.statements = statements;
  }

  @Override
  public long apply(Execution x) {
    var _ = statements.defaultOf(x, statement.after().value().withChecks(List.of()));
    statement.tables().forEach(table -> new AlterTable(table, statements).apply(x));
    catalog.domains().replace(x.transaction(), statement.before(), statement.after());
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(
        "alter domain " + statement.after().fullName() + " [catalog, rows where needed]");
  }
}
