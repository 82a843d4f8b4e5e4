package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.Assignment;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.parser.AssignmentClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import java.util.List;
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
public final class RowChangeAnalysis {
  private final ChangeScope scope;

  public RowChangeAnalysis(ChangeScope scope) {
    this.scope = scope;
  }

  public Analyzed update(ParsedStatement.Update update) {
    TargetRows target = TargetRows.named(update.name(), update.alias(), scope.catalog());
    TableDef table = target.table();
    UpdatableView view = target.view();
    List<AssignmentClause> assignments =
        view == null ? update.set() : view.assignments(update.set());
    Assignments written = Assignments.of(assignments, table, scope.catalog());
    GeneratedUpdate generated = GeneratedUpdate.of(table, written.columns());
    Assignments set = written.ofOthersThanGenerated();
    generated.requireOnce(set);
    SqlNodeList items = new SqlNodeList(SqlParserPos.ZERO);
    items.add(target.rowId());
    set.named(target).addTo(items, "$S", null);
    items.addAll(generated.oldValues(target));
    SqlNode rows =
        QueryConversion.select(items, target.besides(update.from()), named(target, update.where()));
    QueryConversion.Converted query =
        converted(TargetRows.whole(update.with(), rows, update.limited()));
    Assignment.requireTypes(query.types(), 1, table, generated.fields(), scope.catalog());
    RelRoot root = Assignment.assigned(query.root(), 1, table, generated.fields(), List.of());
    Analyzed change =
        new Analyzed.Update(
            table, generated.columns(), generated.computed(root), query.parameters());
    return view == null ? change : view.checked(change, scope.conversions());
  }

  public static Analyzed.@Nullable Update recomputation(TableDef table, int[] columns) {
    GeneratedUpdate generated = GeneratedUpdate.after(table, columns);
    if (generated.columns().length == 0) {
      return null;
    }
    TargetRows target = TargetRows.of(table, null);
    SqlNodeList items = SqlNodeList.of(target.rowId());
    items.addAll(generated.oldValues(target));
    CatalogSnapshot alone = CatalogSnapshot.of(table);
    RelRoot root =
        new QueryConversion(alone, null, List.of(), new ParameterGuesses(SqlTypeSpec.VARCHAR))
            .query(QueryConversion.select(items, target.from(), null))
            .root();
    return new Analyzed.Update(table, generated.columns(), generated.computed(root), List.of());
  }

  public Analyzed delete(ParsedStatement.Delete delete) {
    TargetRows target = TargetRows.named(delete.name(), delete.alias(), scope.catalog());
    SqlNode rows =
        QueryConversion.select(
            SqlNodeList.of(target.rowId()),
            target.besides(delete.using()),
            named(target, delete.where()));
    QueryConversion.Converted query =
        converted(TargetRows.whole(delete.with(), rows, delete.limited()));
    RelRoot root = RelRoot.of(query.root().project(), SqlKind.SELECT);
    return new Analyzed.Delete(target.table(), root, query.parameters());
  }

  private static @Nullable SqlNode named(TargetRows target, @Nullable SqlNode condition) {
    return condition == null ? null : target.named(condition);
  }

  private QueryConversion.Converted converted(SqlNode query) {
    return scope.conversion().change(scope.completed(query));
  }
}
