package io.gpdb.planner.run.table;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.IndexBatch;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.query.IndexLookup;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A join that looks the rows of a stored table up in an index, for each row of its other input: for
 * few of these. The fields are the other input's and all of the table's, or the other input's alone
 * for semi- and antijoins.
 */
public final class IndexJoinSource extends Source {
  private static final int ROOM_MIN = 64;

  private final GridHashJoin.Kind kind;
  private final Source outer;
  private final TableDef table;
  private final boolean withRowId;
  private final IndexLookup lookup;
  private final Match match;
  private final List<SqlTypeSpec> innerTypes;

  /**
   * What pairs must meet in addition to what is looked up.
   *
   * @param condition over the fields of both; null where there is none
   * @param fields that it reads
   */
  public record Match(@Nullable HostExpression condition, BitSet fields) {
    public static final Match ALL = new Match(null, new BitSet());
  }

  public IndexJoinSource(
      GridHashJoin.Kind kind,
      Source outer,
      TableDef table,
      boolean withRowId,
      IndexLookup lookup,
      Match match) {
    super(columns(kind, outer, table, withRowId));
    this.kind = kind;
    this.outer = outer;
    this.table = table;
    this.withRowId = withRowId;
    this.lookup = lookup;
    this.match = match;
    innerTypes = TableSource.columns(table, withRowId).stream().map(SourceColumn::type).toList();
  }

  private static List<SourceColumn> columns(
      GridHashJoin.Kind kind, Source outer, TableDef table, boolean withRowId) {
    List<SourceColumn> columns = new ArrayList<>(outer.columns());
    if (hasInner(kind)) {
      for (SourceColumn column : TableSource.columns(table, withRowId)) {
        boolean nullable = column.nullable() || kind == GridHashJoin.Kind.LEFT;
        columns.add(new SourceColumn(column.name(), column.type(), nullable));
      }
    }
    return columns;
  }

  private static boolean hasInner(GridHashJoin.Kind kind) {
    return kind == GridHashJoin.Kind.INNER || kind == GridHashJoin.Kind.LEFT;
  }

  /** Whether looking up costs less than reading the table. */
  boolean isSelective(Execution x) {
    TableReader reader = x.transaction().reader(table.tableId());
    return lookup.isUsable(reader)
        && IndexSource.areFew((long) Math.min(1e15, pairs(x, reader)), reader);
  }

  private double pairs(Execution x, TableReader reader) {
    return outer.estimatedRows(x) * lookup.rowsOfKey(reader);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return new Pairs(x, needed);
  }

  /** One execution: a place in the outer input, and in the rows that its row has. */
  private final class Pairs implements Batches, IndexLookup.Row, HostRow {
    private final Execution x;
    private final BitSet needed;
    private final TableReader reader;
    private final IndexLookup.Run lookups;
    private final int outerFields = outer.columns().size();
    private final int[] inner;
    private final boolean rowIds;
    private final Batches batches;
    private @Nullable Batch batch;
    private @Nullable IndexBatch found;
    private int row;
    private boolean matched;
    private @Nullable RowCursor cursor;
    private final long[] numbers = new long[16];
    private int known;
    private int next;

    Pairs(Execution x, BitSet needed) {
      this.x = x;
      this.needed = (BitSet) needed.clone();
      reader = x.transaction().reader(table.tableId());
      lookups = lookup.begin(reader, x.parameters());
      BitSet read = (BitSet) needed.clone();
      read.or(match.fields);
      BitSet stored = read.get(outerFields, outerFields + table.columns().size());
      inner = stored.stream().toArray();
      rowIds = withRowId && needed.get(outerFields + table.columns().size());
      batches = outer.open(x);
    }

    @Override
    public @Nullable Batch next() {
      while (true) {
        Batch current = batch;
        if (current == null) {
          current = batches.next();
          if (current == null) {
            return null;
          }
          batch = current;
          begin(0);
        }
        Batch pairs = row < current.rows() ? pairs(current) : null;
        if (pairs != null) {
          return pairs;
        }
        current.close();
        batch = null;
      }
    }

    /** Goes to a row of the outer batch. */
    private void begin(int number) {
      row = number;
      cursor = null;
      known = 0;
      next = 0;
      matched = false;
    }

    /** The next pairs with rows of the outer batch, or null where it has no more. */
    private @Nullable Batch pairs(Batch current) {
      int room = Math.clamp(2L * current.rows(), ROOM_MIN, RowsBuilder.ROWS);
      IndexBatch read = new IndexBatch(reader, innerTypes, inner, rowIds, room);
      found = read;
      try {
        int[] rows = new int[room];
        int count = 0;
        while (count < room && row < current.rows()) {
          if (hasInner(kind)) {
            count = pair(read, rows, count);
          } else if (hasMatch(read) == (kind == GridHashJoin.Kind.SEMI)) {
            rows[count++] = row;
            begin(row + 1);
          } else {
            begin(row + 1);
          }
        }
        if (count > 0) {
          return new PairBatch(current, outer, needed, rows, count, read);
        }
      } catch (RuntimeException | Error e) {
        read.close();
        throw e;
      }
      read.close();
      return null;
    }

    /** Adds the next pair of the outer row, or goes to the next row where it has no more. */
    private int pair(IndexBatch read, int[] rows, int count) {
      while (advance()) {
        if (isMatch(read, numbers[next++])) {
          matched = true;
          rows[count] = row;
          return count + 1;
        }
      }
      boolean alone = kind == GridHashJoin.Kind.LEFT && !matched;
      if (alone) {
        read.addNulls();
        rows[count] = row;
      }
      begin(row + 1);
      return alone ? count + 1 : count;
    }

    private boolean hasMatch(IndexBatch read) {
      while (advance()) {
        if (isMatch(read, numbers[next++])) {
          read.removeLast();
          return true;
        }
      }
      return false;
    }

    /** Adds a row of the table where it belongs to the outer row. */
    private boolean isMatch(IndexBatch read, long number) {
      int before = read.rows();
      read.add(number);
      if (read.rows() == before) {
        return false;
      }
      if (match.condition == null || Boolean.TRUE.equals(match.condition.evaluate(this))) {
        return true;
      }
      read.removeLast();
      return false;
    }

    /** Whether there is another row that the index leads to from the outer row. */
    private boolean advance() {
      if (next < known) {
        return true;
      }
      StopSignal.poll(row);
      RowCursor rows = cursor;
      if (rows == null && known == 0) {
        rows = lookups.rows(this);
        cursor = rows;
      }
      known = rows == null ? 0 : rows.next(numbers);
      next = 0;
      return known > 0;
    }

    private Batch outerBatch() {
      Batch current = batch;
      if (current == null) {
        throw new IllegalStateException("not on a row");
      }
      return current;
    }

    @Override
    public boolean isNull(int field) {
      return outerBatch().isNull(field, row);
    }

    @Override
    public long raw(int field) {
      SqlTypeSpec type = outer.columns().get(field).type();
      return type.element().rawAt(outerBatch().hostValues(field), row);
    }

    @Override
    public byte[] bytes(int field) {
      return outerBatch().strings(field).bytes((int) raw(field));
    }

    @Override
    public @Nullable Object column(int index) {
      if (index < outerFields) {
        return outerBatch().value(index, outer.columns().get(index).type(), row);
      }
      IndexBatch read = found;
      if (read == null) {
        throw new IllegalStateException("not on a pair");
      }
      int field = index - outerFields;
      return read.value(field, innerTypes.get(field), read.rows() - 1);
    }

    @Override
    public ParameterValues parameters() {
      return x.parameters();
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
      batches.close();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return outer.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    double rows = outer.estimatedRows(x);
    return hasInner(kind) ? rows * lookup.rowsOfKey(x.transaction().reader(table.tableId())) : rows;
  }

  @Override
  public void explain(Outline outline) {
    String name =
        switch (kind) {
          case INNER -> "inner join";
          case LEFT -> "left join";
          case SEMI -> "semijoin";
          case ANTI -> "antijoin";
        };
    outline.operator(
        name + ", looks up table " + table.name() + " by index " + lookup.text(), "host", this);
    outline.below(outer);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    outer.kernels(kernels);
  }
}
