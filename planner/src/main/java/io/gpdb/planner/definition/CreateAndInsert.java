package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.change.AppendedRows;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.planner.change.InsertSelect;
import io.gpdb.planner.change.InsertValues;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** CREATE TABLE, with AS SELECT also its rows. */
public final class CreateAndInsert implements Change {
  private final Catalog catalog;
  private final TableDef definition;
  private final List<SequenceDef> identities;
  private final boolean ifNotExists;
  private final @Nullable InsertValues defaults;
  private final @Nullable Source rows;
  private final InnerStatements statements;

  /**
   * @param defaults a row of the columns' defaults: one that its column cannot take is refused here
   *     and not by each INSERT
   */
  public CreateAndInsert(
      Catalog catalog,
      TableDef definition,
      List<SequenceDef> identities,
      boolean ifNotExists,
      @Nullable InsertValues defaults,
      @Nullable Source rows,
      InnerStatements statements) {
    this.catalog = catalog;
    this.definition = definition;
    this.identities = identities;
    this.ifNotExists = ifNotExists;
    this.defaults = defaults;
    this.rows = rows;
    this.statements = statements;
  }

  @Override
  public long apply(Execution x) {
    if (ifNotExists && x.catalog().table(definition.fullName()) != null) {
      return 0;
    }
    if (defaults != null) {
      defaults.tryDefaults(x);
    }
    TableDef table = catalog.createTable(x.transaction(), definition, identities);
    AlterConstraints.fenceParents(x, table);
    ReadingViews.describe(x, statements, table.fullName());
    if (rows == null) {
      return 0;
    }
    int[] columns = IntStream.range(0, table.columns().size()).toArray();
    long count =
        new InsertSelect(
                table,
                columns,
                List.of(),
                GeneratedColumns.none(table),
                rows,
                false,
                new AppendedRows(table))
            .apply(x);
    table.deferrableKeys().forEach(key -> statements.validate(x, table, key));
    table.checks().forEach(check -> statements.validate(x, table, check));
    table.foreignKeys().forEach(key -> statements.validate(x, table, key));
    return count;
  }

  @Override
  public List<String> explain(Execution x) {
    Outline outline = new Outline(x);
    outline.line("create table " + definition.fullName() + " [catalog]");
    if (rows != null) {
      outline.below(rows);
    }
    return outline.lines();
  }
}
