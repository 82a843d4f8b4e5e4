package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectExpression;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Grouping;
import io.gpdb.sql.direct.DirectStatement.Selection;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.Transaction;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Expressions over few rows of whole numbers, which the host computes one by one. It has an answer
 * only where nothing fails: whoever knows which errors are raised, and how they are said, makes the
 * others.
 */
public final class SelectionQuery {
  private final Selection selection;

  /** The fields that are read of each table, which other fields of its rows are not. */
  private final int[][] columns;

  public SelectionQuery(Selection selection) {
    this.selection = selection;
    TreeSet<Integer> read = new TreeSet<>();
    if (selection.where() != null) {
      addColumns(selection.where(), read);
    }
    Grouping grouping = selection.grouping();
    if (grouping == null) {
      for (DirectExpression item : selection.items()) {
        addColumns(item, read);
      }
    } else {
      read.addAll(grouping.keys());
      for (int i = 0; i < grouping.aggregates().size(); i++) {
        DirectExpression argument = grouping.aggregates().get(i).argument();
        if (argument != null) {
          addColumns(argument, read);
        }
      }
    }
    columns = new int[selection.tables().size()][];
    int first = 0;
    for (int t = 0; t < columns.length; t++) {
      int width = selection.tables().get(t).columns().size();
      int[] own = new int[read.subSet(first, first + width).size()];
      int next = 0;
      for (int field : read.subSet(first, first + width)) {
        own[next++] = field - first;
      }
      columns[t] = own;
      first += width;
    }
  }

  private static void addColumns(DirectExpression e, TreeSet<Integer> read) {
    if (e.form() == Form.COLUMN) {
      read.add((int) e.number());
    }
    for (DirectExpression operand : e.operands()) {
      addColumns(operand, read);
    }
  }

  /**
   * How many rows there may be of each table with each of the others; more than {@code most} where
   * there are more than these.
   */
  public long rowsUpTo(Transaction tx, long most) {
    long rows = 1;
    for (TableDef table : selection.tables()) {
      long own = tx.reader(table.tableId()).rowLimit();
      rows = own > most || rows * own > most ? most + 1 : rows * own;
    }
    return rows;
  }

  /** Whether the condition reads the first column of an index, by which few rows may be found. */
  public boolean mayUseIndex() {
    return selection.where() != null && readsIndexed(selection.where());
  }

  private boolean readsIndexed(DirectExpression e) {
    boolean reads = e.form() == Form.COLUMN && isIndexed((int) e.number());
    for (DirectExpression operand : e.operands()) {
      reads |= readsIndexed(operand);
    }
    return reads;
  }

  private boolean isIndexed(int field) {
    int column = field;
    for (TableDef table : selection.tables()) {
      if (column >= 0 && column < table.columns().size()) {
        for (KeyDef key : table.keys()) {
          if (key.columns()[0] == column) {
            return true;
          }
        }
        for (IndexDef index : table.indexes()) {
          if (index.columns()[0] == column) {
            return true;
          }
        }
      }
      column -= table.columns().size();
    }
    return false;
  }

  /** The rows; null where a value cannot be computed. */
  public @Nullable RowSet run(Transaction tx, ParameterValues parameters) {
    TableRows[] tables = new TableRows[columns.length];
    int fields = 0;
    for (int t = 0; t < tables.length; t++) {
      TableDef table = selection.tables().get(t);
      tables[t] = TableRows.of(tx.reader(table.tableId()), columns[t], fields);
      fields += table.columns().size();
    }
    WholeEvaluation rows = new WholeEvaluation(parameters, fields);
    ComputedRows found = new ComputedRows(selection.items());
    Grouping grouping = selection.grouping();
    if (grouping == null) {
      product(tables, 0, rows, () -> found.add(rows));
      return rows.hasFailed() ? null : answer(found, tables, parameters);
    }
    RowGroups groups = new RowGroups(grouping);
    product(tables, 0, rows, () -> groups.add(rows));
    if (rows.hasFailed() || groups.haveFailed()) {
      return null;
    }
    WholeEvaluation ofGroups = new WholeEvaluation(parameters, groups.fieldCount());
    groups.forEach(ofGroups, () -> found.add(ofGroups));
    return ofGroups.hasFailed() ? null : answer(found, tables, parameters);
  }

  /** Does the work for each row that passes, with the rows of the first table outermost. */
  private void product(TableRows[] tables, int next, WholeEvaluation rows, Runnable work) {
    if (next == tables.length) {
      DirectExpression where = selection.where();
      if (where == null || rows.holds(where)) {
        work.run();
      }
      return;
    }
    TableRows table = tables[next];
    for (int row = 0; row < table.count() && !rows.hasFailed(); row++) {
      StopSignal.poll(row);
      table.set(rows, row);
      product(tables, next + 1, rows, work);
    }
  }

  private @Nullable RowSet answer(
      ComputedRows found, TableRows[] tables, ParameterValues parameters) {
    WholeEvaluation limits = new WholeEvaluation(parameters, 0);
    long offset = selection.offset() == null ? 0 : limits.of(selection.offset());
    boolean known = !limits.isNull() && offset >= 0;
    long limit = selection.limit() == null ? Long.MAX_VALUE : limits.of(selection.limit());
    if (!known || limits.isNull() || limit < 0) {
      return null;
    }
    if (selection.distinct()) {
      found.leaveOutRepeated();
    }
    if (!selection.order().isEmpty()) {
      found.sort(selection.order());
    }
    return found.between(offset, limit, strings(tables));
  }

  /** The strings of those columns of the result that are stored columns with strings. */
  private @Nullable CodedStrings[] strings(TableRows[] tables) {
    @Nullable CodedStrings[] strings = new @Nullable CodedStrings[selection.output().size()];
    for (int i = 0; selection.grouping() == null && i < strings.length; i++) {
      DirectExpression item = selection.items().get(i);
      for (int t = tables.length - 1; item.form() == Form.COLUMN && t >= 0; t--) {
        if (item.number() >= tables[t].first()) {
          strings[i] = tables[t].strings((int) item.number());
          break;
        }
      }
    }
    return strings;
  }
}
