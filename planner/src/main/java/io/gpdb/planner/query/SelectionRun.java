package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.direct.DirectExpression;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Grouping;
import io.gpdb.sql.direct.DirectStatement.Selection;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.StopSignal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One execution of a {@link SelectionQuery}, or of all of one of its subqueries. */
final class SelectionRun implements WholeEvaluation.Query {
  private final Selection selection;
  private final @Nullable List<JoinCondition> joining;
  private final List<TableRows> tables;
  private final int fields;
  private final List<SelectionRun> queries;
  private final boolean correlated;
  private final ParameterValues parameters;

  private boolean gaveUp;

  /** The rows where they do not depend on a row around them, once they were asked for. */
  private @Nullable ComputedRows known;

  /**
   * @param joining the conditions by which rows of several tables are found; null: by all pairs
   * @param fields how many fields the rows of all tables have together
   * @param queries the runs of the subqueries
   * @param correlated whether it reads the row around it
   */
  SelectionRun(
      Selection selection,
      @Nullable List<JoinCondition> joining,
      List<TableRows> tables,
      int fields,
      List<SelectionRun> queries,
      boolean correlated,
      ParameterValues parameters) {
    this.selection = selection;
    this.joining = joining;
    this.tables = tables;
    this.fields = fields;
    this.queries = queries;
    this.correlated = correlated;
    this.parameters = parameters;
  }

  @Override
  public @Nullable ComputedRows rows(@Nullable WholeEvaluation outer) {
    ComputedRows before = known;
    if (before != null) {
      return before;
    }
    ComputedRows rows = computed(outer);
    if (!correlated) {
      known = rows;
    }
    return rows;
  }

  private @Nullable ComputedRows computed(@Nullable WholeEvaluation outer) {
    WholeEvaluation rows = new WholeEvaluation(parameters, fields, outer, queries);
    ComputedRows found = new ComputedRows(selection.items());
    Grouping grouping = selection.grouping();
    if (grouping == null) {
      boolean all = forEach(rows, () -> found.add(rows));
      return all ? once(found) : null;
    }
    RowGroups groups = new RowGroups(grouping);
    boolean all = forEach(rows, () -> groups.add(rows));
    if (!all || groups.haveFailed()) {
      return null;
    }
    WholeEvaluation ofGroups =
        new WholeEvaluation(parameters, groups.fieldCount(), null, List.of());
    groups.forEach(ofGroups, () -> found.add(ofGroups));
    return ofGroups.hasFailed() ? null : once(found);
  }

  private @Nullable ComputedRows once(ComputedRows found) {
    if (selection.distinct() && found.hasOtherBits()) {
      return null;
    }
    if (selection.distinct()) {
      found.leaveOutRepeated();
    }
    return found;
  }

  /** Whether more rows were found than are joined here. */
  boolean hasGivenUp() {
    return gaveUp;
  }

  /** Does the work for each row that passes; false where a value cannot be computed. */
  private boolean forEach(WholeEvaluation rows, Runnable work) {
    if (joining == null) {
      product(0, rows, work);
      return !rows.hasFailed();
    }
    List<int[]> found = SelectionJoin.rows(joining, tables, rows);
    gaveUp = found == null;
    for (int i = 0; found != null && i < found.size() && !rows.hasFailed(); i++) {
      for (int t = 0; t < tables.size(); t++) {
        tables.get(t).set(rows, found.get(i)[t]);
      }
      work.run();
    }
    return found != null && !rows.hasFailed();
  }

  /** Does the work for each row that passes, with the rows of the first table outermost. */
  private void product(int next, WholeEvaluation rows, Runnable work) {
    if (next == tables.size()) {
      DirectExpression where = selection.where();
      if (where == null || rows.holds(where)) {
        work.run();
      }
      return;
    }
    TableRows table = tables.get(next);
    for (int row = 0; row < table.count() && !rows.hasFailed(); row++) {
      StopSignal.poll(row);
      table.set(rows, row);
      product(next + 1, rows, work);
    }
  }

  /** The rows in their order, those that are asked for; null where a value cannot be computed. */
  @Nullable RowSet answer() {
    ComputedRows found = rows(null);
    WholeEvaluation limits = new WholeEvaluation(parameters, 0, null, List.of());
    long offset = selection.offset() == null ? 0 : limits.of(selection.offset());
    boolean isKnown = !limits.isNull() && offset >= 0;
    long limit = selection.limit() == null ? Long.MAX_VALUE : limits.of(selection.limit());
    if (found == null || !isKnown || limits.isNull() || limit < 0) {
      return null;
    }
    if (!selection.order().isEmpty()) {
      found.sort(selection.order());
    }
    return found.between(offset, limit, strings());
  }

  /** The strings of those columns of the result that are stored columns with strings. */
  private @Nullable CodedStrings[] strings() {
    @Nullable CodedStrings[] strings = new @Nullable CodedStrings[selection.output().size()];
    for (int i = 0; selection.grouping() == null && i < strings.length; i++) {
      DirectExpression item = selection.items().get(i);
      for (int t = tables.size() - 1; item.form() == Form.COLUMN && t >= 0; t--) {
        if (item.number() >= tables.get(t).first()) {
          strings[i] = tables.get(t).strings((int) item.number());
          break;
        }
      }
    }
    return strings;
  }
}
