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
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Expressions over few rows of whole numbers, which the host computes one by one. Where an
 * operation fails, on overflow or a division by zero, it gives no answer, and the planner's plan
 * runs instead, which knows whether the operation is asked for and what error it raises.
 */
public final class SelectionQuery {
  /** For how many pairs of an outer and an inner row a subquery is computed row by row. */
  private static final long PAIRS_MAX = 1 << 12;

  private final Selection selection;
  private final List<SelectionQuery> queries = new ArrayList<>();

  /** The fields that are read of each table, which other fields of its rows are not. */
  private final int[][] columns;

  /** The fields that are read of the row around it. */
  private final TreeSet<Integer> outer = new TreeSet<>();

  public SelectionQuery(Selection selection) {
    this.selection = selection;
    TreeSet<Integer> read = new TreeSet<>();
    for (Selection query : selection.queries()) {
      SelectionQuery inner = new SelectionQuery(query);
      queries.add(inner);
      read.addAll(inner.outer);
    }
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

  private void addColumns(DirectExpression e, TreeSet<Integer> read) {
    if (e.form() == Form.COLUMN) {
      read.add((int) e.number());
    } else if (e.form() == Form.OUTER_COLUMN) {
      outer.add((int) e.number());
    }
    for (DirectExpression operand : e.operands()) {
      addColumns(operand, read);
    }
  }

  /** Whether there are up to so many rows, and few enough for the subqueries of each. */
  public boolean fits(Transaction tx, long rowsMax) {
    long rows = rowsUpTo(tx, rowsMax);
    boolean fits = rows <= rowsMax;
    for (int i = 0; fits && i < queries.size(); i++) {
      SelectionQuery query = queries.get(i);
      fits =
          query.fits(tx, rowsMax)
              && (!query.isCorrelated() || rows * query.rowsUpTo(tx, rowsMax) <= PAIRS_MAX);
    }
    return fits;
  }

  /**
   * How many rows there may be of each table with each of the others, or more than {@code most}.
   */
  private long rowsUpTo(Transaction tx, long most) {
    long rows = 1;
    for (TableDef table : selection.tables()) {
      long own = tx.reader(table.tableId()).rowLimit();
      rows = own > most || rows * own > most ? most + 1 : rows * own;
    }
    return rows;
  }

  /** Whether it reads the row around it. */
  boolean isCorrelated() {
    return !outer.isEmpty();
  }

  /** Whether a condition reads the first column of an index, by which few rows may be found. */
  public boolean mayUseIndex() {
    boolean may = selection.where() != null && readsIndexed(selection.where());
    for (SelectionQuery query : queries) {
      may |= query.mayUseIndex();
    }
    return may;
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
    return open(tx, parameters).answer();
  }

  private SelectionRun open(Transaction tx, ParameterValues parameters) {
    List<TableRows> tables = new ArrayList<>();
    int fields = 0;
    for (int t = 0; t < columns.length; t++) {
      TableDef table = selection.tables().get(t);
      tables.add(TableRows.of(tx.reader(table.tableId()), columns[t], fields));
      fields += table.columns().size();
    }
    List<SelectionRun> inner = new ArrayList<>();
    for (SelectionQuery query : queries) {
      inner.add(query.open(tx, parameters));
    }
    return new SelectionRun(selection, tables, fields, inner, isCorrelated(), parameters);
  }
}
