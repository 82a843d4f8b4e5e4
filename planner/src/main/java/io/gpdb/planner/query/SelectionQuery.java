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

/** Expressions over few rows of tables, or over groups of them. */
final class SelectionQuery implements FewRowsQuery {
  /** For how many pairs of an outer and an inner row a subquery is computed row by row. */
  private static final long PAIRS_MAX = 1 << 12;

  private final Selection selection;
  private final List<SelectionQuery> queries = new ArrayList<>();

  /** The fields that are read of each table, which other fields of its rows are not. */
  private final int[][] columns;

  /** What rows of several tables fulfil; null where the rows of each are taken with all others. */
  private final @Nullable List<JoinCondition> joining;

  /** Whether a join found too many rows: then others are likely to. */
  private volatile boolean tooMany;

  /** The fields that are read of the row around it. */
  private final TreeSet<Integer> outer = new TreeSet<>();

  SelectionQuery(Selection selection) {
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
    joining = JoinCondition.of(selection);
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

  @Override
  public boolean fits(Transaction tx, long rowsMax) {
    if (joining != null) {
      return !tooMany && largestTable(tx) <= rowsMax;
    }
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

  private long largestTable(Transaction tx) {
    long largest = 0;
    for (TableDef table : selection.tables()) {
      largest = Math.max(largest, tx.reader(table.tableId()).rowLimit());
    }
    return largest;
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

  @Override
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

  @Override
  public @Nullable ComputedRows rows(Transaction tx, ParameterValues parameters) {
    SelectionRun run = open(tx, parameters);
    ComputedRows rows = run.rows(null);
    tooMany |= run.hasGivenUp();
    return rows;
  }

  @Override
  public @Nullable RowSet run(Transaction tx, ParameterValues parameters) {
    SelectionRun run = open(tx, parameters);
    RowSet rows = run.answer();
    tooMany |= run.hasGivenUp();
    return rows;
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
    return new SelectionRun(selection, joining, tables, fields, inner, isCorrelated(), parameters);
  }
}
