package io.gpdb.planner.keyed;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.ColumnTarget;
import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.planner.change.MergedRows;
import io.gpdb.planner.change.RowBuffer;
import io.gpdb.planner.change.StoredColumns;
import io.gpdb.planner.expression.HostCompiler;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.query.KeyCondition;
import io.gpdb.planner.query.OneRowJoin;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.MergeBranch;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * MERGE of one row of constants and parameters into the row that a key names. The rows of a batch
 * are gathered by branch and stored together, until one comes that meets what another of them has
 * changed.
 *
 * <p>Where the order of the changes could matter otherwise, each row of a batch is stored by
 * itself: where a branch sets a unique column or inserts a key that is numbered, and where one
 * branch deletes and another one inserts.
 */
public final class KeyedMerge implements Change {
  private static final int ROWS_MAX = 1 << 16;

  private final TableDef table;
  private final List<MergeBranch> branches;
  private final MergedRows merged;
  private final KeyCondition key;
  private final int[] keyColumns;
  private final @Nullable HostExpression rest;
  private final boolean outer;
  private final HostExpression branchNumber;
  private final Value[][] values;
  private final int[] columnsRead;
  private final boolean inOrder;

  /** What a branch has for a column. */
  private record Value(int column, HostExpression expression, SqlTypeSpec type) {}

  private KeyedMerge(
      OneRowJoin join, KeyCondition key, List<MergeBranch> branches, GeneratedColumns generated)
      throws NotCovered {
    this.table = join.matched().table();
    this.branches = branches;
    this.merged = new MergedRows(table, branches, generated);
    this.key = key;
    this.keyColumns = keyColumns(table, key.keyOrdinal());
    this.outer = join.outer();
    HostCompiler compiler = new HostCompiler(join.matched().rexBuilder());
    rest = PointQuery.conjunction(compiler, key.rest());
    branchNumber = compiler.compile(join.outputs().get(1));
    values = new Value[branches.size()][];
    for (int b = 0; b < values.length; b++) {
      MergeBranch branch = branches.get(b);
      values[b] = new Value[branch.columns().length];
      for (int i = 0; i < values[b].length; i++) {
        RexNode value = join.outputs().get(branch.firstField() + i);
        values[b][i] =
            new Value(
                branch.columns()[i], compiler.compile(value), RexValues.spec(value.getType()));
      }
    }
    List<RexNode> read = new ArrayList<>(join.outputs());
    read.addAll(key.rest());
    columnsRead = PointQuery.columnsRead(read, table.columns().size());
    inOrder =
        branches.stream().anyMatch(branch -> setsUnique(branch) || insertsUnknownKey(branch))
            || (has(MergeBranch.Kind.DELETE) && has(MergeBranch.Kind.INSERT));
  }

  /**
   * The change for a source whose fields are the row id, the branch's number and the values of all
   * branches; null where it is not one row that finds its target by a key.
   */
  public static @Nullable KeyedMerge of(
      OneRowJoin join, List<MergeBranch> branches, GeneratedColumns generated) {
    KeyCondition key = KeyCondition.of(join.matched());
    if (key == null) {
      return null;
    }
    try {
      return new KeyedMerge(join, key, branches, generated);
    } catch (NotCovered e) {
      return null;
    }
  }

  private static int[] keyColumns(TableDef table, int indexId) {
    return table.keys().stream()
        .filter(key -> key.indexId() == indexId)
        .map(KeyDef::columns)
        .findFirst()
        .orElseThrow();
  }

  private boolean setsUnique(MergeBranch branch) {
    return branch.kind() == MergeBranch.Kind.UPDATE
        && IntStream.of(branch.columns()).anyMatch(table::isUnique);
  }

  /** Whether the key is numbered or generated, so that it is known when the row is stored. */
  private boolean insertsUnknownKey(MergeBranch branch) {
    return branch.kind() == MergeBranch.Kind.INSERT
        && IntStream.of(keyColumns)
            .anyMatch(column -> IntStream.of(branch.columns()).noneMatch(given -> given == column));
  }

  private boolean has(MergeBranch.Kind kind) {
    return branches.stream().anyMatch(branch -> branch.kind() == kind);
  }

  @Override
  public long apply(Execution x) {
    try (Run run = new Run(x, x.parameters(), 1)) {
      long count = run.take(0) ? 1 : 0;
      run.flush();
      return count;
    }
  }

  @Override
  public long[] applyBatch(Execution x, ParameterColumns batch) {
    long[] counts = new long[batch.rows()];
    BatchRow bound = new BatchRow(batch);
    try (Run run = new Run(x.with(bound), bound, Math.min(counts.length, ROWS_MAX))) {
      for (int i = 0; i < counts.length; i++) {
        StopSignal.poll(i);
        bound.moveTo(i);
        counts[i] = run.take(i) ? 1 : 0;
      }
      run.flush();
    }
    return counts;
  }

  /** Rows of a batch that are taken and not yet stored. */
  private final class Run implements AutoCloseable {
    private final Execution x;
    private final TableReader reader;
    private final TableWriter writer;
    private final ParameterValues parameters;
    private final int capacity;
    private final Pair pair;
    private final long[][] rows;
    private final int[][] numbers;
    private final int[] counts = new int[branches.size()];
    private final @Nullable RowBuffer[] buffers = new RowBuffer[branches.size()];
    private final long[] wanted = new long[keyColumns.length];
    private final Set<List<Long>> newKeys = new HashSet<>();
    private final Set<Long> changedRows = new HashSet<>();
    private int taken;

    Run(Execution x, ParameterValues parameters, int capacity) {
      this.x = x;
      this.parameters = parameters;
      this.capacity = capacity;
      this.reader = x.transaction().reader(table.tableId());
      this.writer = x.transaction().writer(table.tableId());
      this.pair = new Pair(new RowValues(table, reader, columnsRead, parameters));
      this.rows = new long[branches.size()][capacity];
      this.numbers = new int[branches.size()][capacity];
    }

    /** Returns whether a branch takes the row that is bound. */
    boolean take(int number) {
      if (taken == capacity || (inOrder && taken > 0)) {
        flush();
      }
      long row = find();
      pair.matched =
          row >= 0
              && pair.old.moveTo(reader, row)
              && (rest == null || Boolean.TRUE.equals(rest.evaluate(pair.old)));
      if (!pair.matched && !outer) {
        return false;
      }
      Object chosen = branchNumber.evaluate(pair);
      int b = chosen == null ? -1 : ((Number) chosen).intValue();
      if (b < 0 || branches.get(b).kind() == MergeBranch.Kind.NOTHING) {
        return false;
      }
      store(b, row, number);
      return true;
    }

    /** The row that has the key, -1 for none. */
    private long find() {
      if (!key.fill(wanted, parameters, reader)) {
        reader.noteMissing(key.keyOrdinal());
        return -1;
      }
      if (newKeys.contains(LongStream.of(wanted).boxed().toList())) {
        flush();
      }
      long row = writer.findByKey(key.keyOrdinal(), wanted);
      if (row < 0 || !changedRows.contains(row)) {
        return row;
      }
      flush();
      return writer.findByKey(key.keyOrdinal(), wanted);
    }

    private void store(int b, long row, int number) {
      MergeBranch branch = branches.get(b);
      RowBuffer buffer = buffers[b];
      if (buffer == null) {
        buffer = merged.buffer(branch, capacity);
        buffers[b] = buffer;
      }
      boolean insert = branch.kind() == MergeBranch.Kind.INSERT;
      int at = counts[b]++;
      taken++;
      numbers[b][at] = number + 1;
      for (int i = 0; i < values[b].length; i++) {
        assign(values[b][i], buffer, insert ? values[b][i].column : i, at, number + 1L);
      }
      if (insert) {
        noteKey(buffer, at);
      } else {
        rows[b][at] = row;
        changedRows.add(row);
      }
    }

    private void assign(Value value, RowBuffer buffer, int place, int at, long number) {
      ColumnTarget target = merged.target(value.column);
      Object object = target.computed(value.expression, pair, number);
      if (object == null) {
        target.requireNullable(number);
        buffer.setNull(place, at);
      } else if (target.type().kind().isString()) {
        byte[] stored = target.assigned(HostValue.bytes(target.type(), object), number);
        buffer.set(
            place,
            at,
            StoredColumns.dictionary(reader, value.column).intern(stored, 0, stored.length));
      } else {
        buffer.set(place, at, target.assignedObject(value.type, object, number));
      }
    }

    private void noteKey(RowBuffer buffer, int at) {
      List<Long> own = new ArrayList<>();
      for (int column : keyColumns) {
        own.add(buffer.isNull(column, at) ? 0L : buffer.raw(column, at));
      }
      newKeys.add(own);
    }

    /** Stores what is taken. */
    void flush() {
      if (taken == 0) {
        return;
      }
      List<List<MergedRows.Taken>> all = new ArrayList<>();
      int before = 0;
      for (int b = 0; b < counts.length; b++) {
        RowBuffer buffer = buffers[b];
        int n = counts[b];
        if (n == 0 || buffer == null) {
          all.add(List.of());
          continue;
        }
        int[] own = Arrays.copyOf(numbers[b], n);
        merged.complete(x, branches.get(b), own, buffer, before);
        boolean insert = branches.get(b).kind() == MergeBranch.Kind.INSERT;
        long[] changed = insert ? new long[0] : Arrays.copyOf(rows[b], n);
        all.add(List.of(new MergedRows.Taken(changed, own, buffer)));
        before += n;
      }
      merged.change(x, (branch, use) -> all.get(branch).forEach(use));
      for (RowBuffer buffer : buffers) {
        if (buffer != null) {
          buffer.clear();
        }
      }
      Arrays.fill(counts, 0);
      taken = 0;
      newKeys.clear();
      changedRows.clear();
    }

    @Override
    public void close() {
      for (RowBuffer buffer : buffers) {
        if (buffer != null) {
          buffer.close();
        }
      }
    }
  }

  /** The target's row, or NULLs where there is none. */
  private static final class Pair implements HostRow {
    private final RowValues old;
    private boolean matched;

    Pair(RowValues old) {
      this.old = old;
    }

    @Override
    public ParameterValues parameters() {
      return old.parameters();
    }

    @Override
    public @Nullable Object column(int index) {
      return matched ? old.column(index) : null;
    }
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(
        "merge "
            + table.name()
            + " by "
            + key.keyName()
            + " [key look-up], batches "
            + (inOrder ? "row by row" : "by a launch for each branch"));
  }

  @Override
  public List<Kernel> kernels() {
    return List.of(GridInsert.kernel());
  }
}
