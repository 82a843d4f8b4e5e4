package io.gpdb.planner.run.table;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.IndexBatch;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.query.IndexAccess;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a stored table that an index leads to, read one by one: in the order of their numbers, or
 * in that of the index. Their numbers are known before the first is read, so that a statement never
 * meets its own changes.
 */
public final class IndexSource extends Source {
  /** An index serves up to this many rows, and up to a part of the table's. */
  private static final long ROWS_MIN = 256;

  private static final long TABLE_PART = 24;
  private static final int FIRST_ROWS = 16;
  private static final int SOME_ROWS = 256;

  private final TableDef table;
  private final boolean withRowId;
  private final List<IndexAccess> accesses;
  private final int order;
  private final @Nullable RowLimit limit;
  private final List<RexNode> conditions;

  /**
   * @param accesses of which the one with the fewest entries is used
   * @param order 0 for that of the rows' numbers; 1 or -1 for that of the only access, or against
   *     it
   * @param limit after which no more rows are needed; in an order alone
   * @param conditions all that the filter above asks for, those that accesses stand for among them
   */
  public IndexSource(
      TableDef table,
      boolean withRowId,
      List<IndexAccess> accesses,
      int order,
      @Nullable RowLimit limit,
      List<RexNode> conditions) {
    super(TableSource.columns(table, withRowId));
    this.table = table;
    this.withRowId = withRowId;
    this.accesses = List.copyOf(accesses);
    this.order = order;
    this.limit = limit;
    this.conditions = List.copyOf(conditions);
  }

  public List<RexNode> conditions() {
    return conditions;
  }

  public TableDef table() {
    return table;
  }

  public boolean hasRowId() {
    return withRowId;
  }

  public List<IndexAccess> accesses() {
    return accesses;
  }

  @Override
  public TableDef storedTable() {
    return table;
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  /** An access, and about how many entries it has. */
  private record Choice(@Nullable IndexAccess access, List<KeyRange> ranges, long entries) {
    static final Choice NONE = new Choice(null, List.of(), Long.MAX_VALUE);
  }

  /** The choice, without an estimate where there is nothing to choose. */
  private Choice access(Execution x, TableReader reader) {
    IndexAccess only = accesses.size() == 1 ? accesses.getFirst() : null;
    return only != null && only.isUsable(reader)
        ? new Choice(only, only.ranges(x.parameters()), 0)
        : choice(x, reader);
  }

  private Choice choice(Execution x, TableReader reader) {
    Choice best = Choice.NONE;
    for (IndexAccess access : accesses) {
      if (access.isUsable(reader)) {
        List<KeyRange> ranges = access.ranges(x.parameters());
        long entries = 0;
        for (KeyRange range : ranges) {
          entries += reader.estimate(access.ordinal(), range, best.entries - entries);
          if (entries >= best.entries) {
            break;
          }
        }
        if (entries < best.entries) {
          best = new Choice(access, ranges, entries);
        }
      }
    }
    return best;
  }

  /** Whether following the index costs less than reading the table. */
  boolean isSelective(Execution x) {
    TableReader reader = x.transaction().reader(table.tableId());
    boolean isLimited =
        limit != null
            && wanted(x, limit) <= ROWS_MIN
            && accesses.size() == 1
            && accesses.getFirst().isUsable(reader);
    return isLimited || areFew(rows(x, choice(x, reader)), reader);
  }

  /** Whether reading that number of rows one by one costs less than reading the table. */
  public static boolean areFew(long rows, TableReader reader) {
    return rows <= Math.max(ROWS_MIN, reader.rowLimit() / TABLE_PART);
  }

  private long rows(Execution x, Choice choice) {
    if (limit == null || choice.access == null) {
      return choice.entries;
    }
    return Math.min(choice.entries, wanted(x, limit));
  }

  private static long wanted(Execution x, RowLimit limit) {
    long fetch = Math.min(limit.fetch(x), Long.MAX_VALUE / 2);
    return fetch == 0 ? 0 : Math.min(limit.offset(x), Long.MAX_VALUE / 2) + fetch;
  }

  @Override
  public double estimatedRows(Execution x) {
    TableReader reader = x.transaction().reader(table.tableId());
    long rows = rows(x, choice(x, reader));
    return Math.min(rows, reader.estimatedRows());
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    TableReader reader = x.transaction().reader(table.tableId());
    Choice choice = access(x, reader);
    IndexAccess access = choice.access;
    if (access == null) {
      throw new IllegalStateException("no index of table " + table.name() + " can be used");
    }
    long most = limit == null ? Long.MAX_VALUE : wanted(x, limit);
    long[] some = new long[(int) Math.min(most, FIRST_ROWS)];
    long[] rows = new long[some.length];
    int count = 0;
    for (KeyRange range : choice.ranges) {
      RowCursor cursor = reader.scan(access.ordinal(), range, order < 0);
      int n = some.length == 0 ? 0 : cursor.next(some);
      while (n > 0) {
        if (count + n > rows.length) {
          rows = Arrays.copyOf(rows, Math.max(rows.length * 2, count + n));
        }
        System.arraycopy(some, 0, rows, count, n);
        count += n;
        if (some.length == FIRST_ROWS && n == FIRST_ROWS) {
          some = new long[(int) Math.min(most, SOME_ROWS)];
        }
        n = count < most ? cursor.next(some) : 0;
      }
    }
    count = (int) Math.min(count, most);
    if (order == 0) {
      count = distinct(rows, count);
    }
    return new Rows(reader, needed, rows, count);
  }

  /** Sorts rows; one that values of a list lead to twice is left once. */
  private static int distinct(long[] rows, int n) {
    Arrays.sort(rows, 0, n);
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (i == 0 || rows[i] != rows[i - 1]) {
        rows[count++] = rows[i];
      }
    }
    return count;
  }

  /** Rows whose numbers are known. */
  private final class Rows implements Batches {
    private final TableReader reader;
    private final int[] columns;
    private final BitSet needed;
    private final long[] rows;
    private final int count;
    private int at;

    Rows(TableReader reader, BitSet needed, long[] rows, int count) {
      this.reader = reader;
      this.needed = needed;
      BitSet stored = (BitSet) needed.clone();
      stored.clear(table.columns().size(), table.columns().size() + 1);
      columns = stored.stream().toArray();
      this.rows = rows;
      this.count = count;
    }

    @Override
    public @Nullable Batch next() {
      if (at == count) {
        return null;
      }
      int n = Math.min(RowsBuilder.ROWS, count - at);
      IndexBatch batch =
          new IndexBatch(reader, types(), columns, needed.get(table.columns().size()), n);
      try {
        for (int i = 0; i < n; i++) {
          batch.add(rows[at++]);
        }
        return batch;
      } catch (RuntimeException | Error e) {
        batch.close();
        throw e;
      }
    }

    @Override
    public void close() {}
  }

  @Override
  public void explain(Outline outline) {
    StringBuilder text = new StringBuilder("table " + table.name() + " by index ");
    for (int i = 0; i < accesses.size(); i++) {
      text.append(i == 0 ? "" : " or ").append(accesses.get(i).text());
    }
    if (order != 0) {
      text.append(order > 0 ? ", in its order" : ", in its opposite order");
    }
    if (limit != null) {
      text.append(", ").append(limit.text());
    }
    outline.operator(text.toString(), "rows by number", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}
}
