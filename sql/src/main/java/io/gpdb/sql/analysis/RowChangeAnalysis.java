package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.sql.validation.TableNames;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE and DELETE as queries for a sink: UPDATE t SET c = e WHERE p becomes SELECT _ROWID, e FROM
 * t WHERE p, so that only the needed columns are read.
 */
final class RowChangeAnalysis {
  private final CatalogSnapshot catalog;
  private final UnaryOperator<SqlNode> completed;
  private final QueryConversion conversion;

  /**
   * @param completed makes of a query as it was parsed one that can be converted
   */
  RowChangeAnalysis(
      CatalogSnapshot catalog, UnaryOperator<SqlNode> completed, QueryConversion conversion) {
    this.catalog = catalog;
    this.completed = completed;
    this.conversion = conversion;
  }

  Analyzed update(ParsedStatement.Update update) {
    TableDef table = TableNames.table(update.name(), catalog);
    Assignments written = Assignments.of(update.set(), table, catalog);
    GeneratedUpdate generated = GeneratedUpdate.of(table, written.columns());
    Assignments set = written.ofOthersThanGenerated();
    generated.requireOnce(set);
    TargetRows target = TargetRows.of(table, update.alias());
    SqlNodeList items = new SqlNodeList(SqlParserPos.ZERO);
    items.add(target.rowId());
    set.named(target).addTo(items, "$S", null);
    items.addAll(generated.oldValues(target.alias()));
    SqlNode rows =
        QueryConversion.select(items, target.besides(update.from()), named(target, update.where()));
    QueryConversion.Converted query =
        converted(TargetRows.whole(update.with(), rows, update.limited()));
    RelRoot root = Assignment.assigned(query.root(), 1, table, generated.fields(), List.of());
    return new Analyzed.Update(
        table, generated.columns(), generated.computed(root), query.parameters());
  }

  static Analyzed.@Nullable Update recomputation(TableDef table, int[] columns) {
    GeneratedUpdate generated = GeneratedUpdate.after(table, columns);
    if (generated.columns().length == 0) {
      return null;
    }
    TargetRows target = TargetRows.of(table, null);
    SqlNodeList items = SqlNodeList.of(target.rowId());
    items.addAll(generated.oldValues(target.alias()));
    CatalogSnapshot alone = new CatalogSnapshot(0, List.of(table));
    RelRoot root =
        new QueryConversion(alone, null, List.of(), new ParameterGuesses(SqlTypeSpec.VARCHAR))
            .query(QueryConversion.select(items, target.from(), null))
            .root();
    return new Analyzed.Update(table, generated.columns(), generated.computed(root), List.of());
  }

  Analyzed delete(ParsedStatement.Delete delete) {
    TableDef table = TableNames.table(delete.name(), catalog);
    TargetRows target = TargetRows.of(table, delete.alias());
    SqlNode rows =
        QueryConversion.select(
            SqlNodeList.of(target.rowId()),
            target.besides(delete.using()),
            named(target, delete.where()));
    QueryConversion.Converted query =
        converted(TargetRows.whole(delete.with(), rows, delete.limited()));
    RelRoot root = RelRoot.of(query.root().project(), SqlKind.SELECT);
    return new Analyzed.Delete(table, root, query.parameters());
  }

  private static @Nullable SqlNode named(TargetRows target, @Nullable SqlNode condition) {
    return condition == null ? null : target.named(condition);
  }

  private QueryConversion.Converted converted(SqlNode query) {
    return conversion.query(completed.apply(query));
  }
}
