package io.gpdb.planner.keyed;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridInsert;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.ColumnTarget;
import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.planner.change.MergedRows;
import io.gpdb.planner.change.RowBuffer;
import io.gpdb.planner.change.RowRepeats;
import io.gpdb.planner.change.RowsAhead;
import io.gpdb.planner.change.StoredColumns;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
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
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * MERGE of one row of constants and parameters into the row that a key names. The rows of a batch
 * are looked up together, gathered by branch and stored together. One that names a row which
 * another has updated before computes from the values gathered for it, and replaces them; where it
 * takes another branch, or names a row that another inserts, all so far is stored first.
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
      return run.takeAlone(0) ? 1 : 0;
    }
  }

  @Override
  public long[] applyBatch(Execution x, ParameterColumns batch) {
    long[] counts = new long[batch.rows()];
    BatchRow bound = new BatchRow(batch);
    for (int first = 0; first < counts.length; first += ROWS_MAX) {
      int n = Math.min(ROWS_MAX, counts.length - first);
      try (Run run = new Run(x.with(bound), bound, n)) {
        if (inOrder) {
          run.takeInOrder(bound, first, counts);
        } else {
          run.takeTogether(bound, first, counts);
        }
      }
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

    /** By row of the batch that was taken: its branch, and its place in the branch's buffer. */
    private final int[] branchOf;

    private final int[] placeOf;
    private final InsertedKeys inserted;

    /** Rows of the batch before this one are stored. */
    private int unstored;

    Run(Execution x, ParameterValues parameters, int capacity) {
      this.x = x;
      this.parameters = parameters;
      this.capacity = capacity;
      this.reader = x.transaction().reader(table.tableId());
      this.writer = x.transaction().writer(table.tableId());
      this.pair = new Pair(new RowValues(table, reader, columnsRead, parameters));
      this.rows = new long[branches.size()][capacity];
      this.numbers = new int[branches.size()][capacity];
      this.branchOf = new int[capacity];
      this.placeOf = new int[capacity];
      this.inserted = new InsertedKeys(keyColumns.length, capacity);
    }

    void takeInOrder(BatchRow bound, int first, long[] counts) {
      for (int i = 0; i < capacity; i++) {
        StopSignal.poll(i);
        bound.moveTo(first + i);
        counts[first + i] = takeAlone(first + i) ? 1 : 0;
      }
    }

    /** Stores what a branch does with the row that is bound; false where none takes it. */
    boolean takeAlone(int number) {
      long row = find();
      int b = row >= 0 && pair.old.moveTo(reader, row) ? branch(true) : branch(false);
      if (b < 0) {
        return false;
      }
      store(b, row, number, 0);
      flush(0);
      return true;
    }

    /** The row that has the key, -1 for none. */
    private long find() {
      if (key.fill(wanted, parameters, reader)) {
        return writer.findByKey(key.keyOrdinal(), wanted);
      }
      reader.noteMissing(key.keyOrdinal());
      return -1;
    }

    /** The branch that takes the row that is bound, -1 for none. */
    private int branch(boolean isThere) {
      pair.matched = isThere && (rest == null || Boolean.TRUE.equals(rest.evaluate(pair.old)));
      if (!pair.matched && !outer) {
        return -1;
      }
      Object chosen = branchNumber.evaluate(pair);
      int b = chosen == null ? -1 : ((Number) chosen).intValue();
      return b < 0 || branches.get(b).kind() == MergeBranch.Kind.NOTHING ? -1 : b;
    }

    void takeTogether(BatchRow bound, int first, long[] counts) {
      long[] found = BatchLookup.rows(key, bound, first, capacity, reader, writer);
      RowRepeats taken = new RowRepeats(found, capacity);
      int[] places = IntStream.range(0, capacity).filter(i -> found[i] >= 0).toArray();
      RowsAhead ahead = new RowsAhead(reader, columnsRead, found, places, places.length, false);
      int next = 0;
      for (int i = 0; i < capacity; i++) {
        StopSignal.poll(i);
        bound.moveTo(first + i);
        boolean isThere = false;
        if (found[i] >= 0) {
          isThere = unstored == 0 ? ahead.move(pair.old, next) : pair.old.moveTo(reader, found[i]);
          next++;
        } else {
          found[i] = findInserted(i);
          isThere = found[i] >= 0 && pair.old.moveTo(reader, found[i]);
        }
        int before = found[i] < 0 ? -1 : taken.noted(i);
        int b = branch(isThere && isLeft(found[i], i, before));
        if (b < 0) {
          continue;
        }
        counts[first + i] = 1;
        take(b, found[i], first, i, before);
        if (branches.get(b).kind() != MergeBranch.Kind.INSERT) {
          taken.note(i);
        }
      }
      flush(capacity);
    }

    /** The row with the key that this batch has inserted, -1 for none. */
    private long findInserted(int i) {
      if (inserted.isEmpty()
          || !key.fill(wanted, parameters, reader)
          || !inserted.contains(wanted)) {
        return -1;
      }
      flush(i);
      return writer.findByKey(key.keyOrdinal(), wanted);
    }

    /**
     * Has the row that is read be as the batch has left it; false where it has deleted it.
     *
     * @param before the row of the batch that took it last
     */
    private boolean isLeft(long row, int i, int before) {
      if (before < unstored) {
        return true;
      }
      MergeBranch branch = branches.get(branchOf[before]);
      if (branch.kind() == MergeBranch.Kind.DELETE) {
        return false;
      }
      if (!branch.numbered().isEmpty() || x.changed() != null) {
        flush(i);
        return pair.old.moveTo(reader, row);
      }
      RowBuffer buffer = buffer(branchOf[before]);
      for (int c = 0; c < branch.columns().length; c++) {
        int at = placeOf[before];
        pair.old.put(branch.columns()[c], buffer.raw(c, at), buffer.isNull(c, at));
      }
      return true;
    }

    private void take(int b, long row, int first, int i, int before) {
      int at = counts[b];
      if (before >= unstored) {
        if (b == branchOf[before]) {
          at = placeOf[before];
        } else {
          flush(i);
          at = 0;
        }
      }
      branchOf[i] = b;
      placeOf[i] = at;
      store(b, row, first + i, at);
    }

    private void store(int b, long row, int number, int at) {
      RowBuffer buffer = buffer(b);
      boolean insert = branches.get(b).kind() == MergeBranch.Kind.INSERT;
      counts[b] = Math.max(counts[b], at + 1);
      numbers[b][at] = number + 1;
      for (int i = 0; i < values[b].length; i++) {
        assign(values[b][i], buffer, insert ? values[b][i].column : i, at, number + 1L);
      }
      if (insert) {
        noteKey(buffer, at);
      } else {
        rows[b][at] = row;
      }
    }

    private RowBuffer buffer(int b) {
      RowBuffer buffer = buffers[b];
      if (buffer == null) {
        buffer = merged.buffer(branches.get(b), capacity);
        buffers[b] = buffer;
      }
      return buffer;
    }

    private void assign(Value value, RowBuffer buffer, int place, int at, long number) {
      ColumnTarget target = merged.target(value.column);
      Object object = target.computed(value.expression, pair, number);
      if (object == null) {
        target.requireNullable(number);
        buffer.setNull(place, at);
      } else if (target.type().kind().isString()) {
        byte[] stored = target.assigned(HostValue.bytes(target.type(), object), number);
        buffer.setAgain(
            place,
            at,
            StoredColumns.dictionary(reader, value.column).intern(stored, 0, stored.length));
      } else {
        buffer.setAgain(place, at, target.assignedObject(value.type, object, number));
      }
    }

    private void noteKey(RowBuffer buffer, int at) {
      long[] own = new long[keyColumns.length];
      for (int k = 0; k < own.length; k++) {
        if (buffer.isNull(keyColumns[k], at)) {
          return;
        }
        own[k] = buffer.raw(keyColumns[k], at);
      }
      inserted.add(own);
    }

    /** Stores what is taken; {@code next} is the first row of the batch that is not yet. */
    private void flush(int next) {
      unstored = next;
      if (IntStream.of(counts).sum() == 0) {
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
