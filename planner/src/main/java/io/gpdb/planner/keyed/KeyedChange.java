package io.gpdb.planner.keyed;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.KeyMessages;
import io.gpdb.planner.change.RowRepeats;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.query.KeyCondition;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.direct.DirectStatement.Assigned;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.GroupedRows;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE and DELETE of the one row that a key names. Alone, and in batches of a few rows, it takes
 * the writer's short path without kernels; a larger batch is one launch, see {@link KeyedBatch}.
 */
public final class KeyedChange implements Change {
  private final TableDef table;
  private final KeyCondition key;
  private final boolean delete;
  private final SetValues set;
  private final @Nullable HostExpression rest;
  private final int[] columnsRead;

  /** Those and the key's, which are where {@link #keyAt} says. */
  private final int[] columnsWithKey;

  private final int[] keyAt;
  private final Supplier<@Nullable KeyedBatch> plan;
  private @Nullable Optional<KeyedBatch> planned;

  private KeyedChange(
      Device device, ScanShape shape, KeyCondition key, int[] setColumns, boolean delete)
      throws NotCovered {
    this.table = shape.table();
    this.key = key;
    this.delete = delete;
    this.set = new SetValues(shape, setColumns);
    this.rest = PointQuery.conjunction(new HostCompiler(shape.rexBuilder()), key.rest());
    List<RexNode> read = new ArrayList<>(shape.outputs());
    read.addAll(key.rest());
    columnsRead = PointQuery.columnsRead(read, table.columns().size());
    columnsWithKey = key.columnsWith(columnsRead);
    keyAt = key.placesIn(columnsWithKey);
    KeyedBatch made = batches(device, () -> BatchExpressions.of(shape, set));
    plan = () -> made;
  }

  private KeyedChange(Device device, DirectStatement.Change change, KeyCondition key) {
    table = change.table();
    this.key = key;
    delete = change.set().isEmpty();
    set = new SetValues(change);
    rest = null;
    columnsRead =
        change.set().stream()
            .mapToInt(Assigned::read)
            .filter(c -> c >= 0)
            .sorted()
            .distinct()
            .toArray();
    columnsWithKey = key.columnsWith(columnsRead);
    keyAt = key.placesIn(columnsWithKey);
    // When it is first needed: most statements are never run as a batch.
    plan = () -> batches(device, () -> BatchValues.of(change));
  }

  private synchronized @Nullable KeyedBatch batches() {
    if (planned == null) {
      planned = Optional.ofNullable(plan.get());
    }
    return planned.orElse(null);
  }

  /** The plan for batches by one launch, or null where they go row by row or only delete. */
  private @Nullable KeyedBatch batches(Device device, Supplier<BatchValues> computed) {
    if (delete || IntStream.of(set.columns()).anyMatch(table::isUnique)) {
      return null;
    }
    BatchProgram program = BatchProgram.of(device, table, set, computed.get());
    return program == null ? null : new KeyedBatch(device, table, key, set, program, rest);
  }

  /** The change that the words of a statement say, or null where its condition is no key. */
  public static @Nullable KeyedChange of(Device device, DirectStatement.Change change) {
    KeyCondition key = KeyCondition.of(change.table(), change.conditions());
    return key == null ? null : new KeyedChange(device, change, key);
  }

  /**
   * The change for a source whose fields are the row id and one value for each set column, or null
   * when its filter fixes no key.
   */
  public static @Nullable KeyedChange of(
      Device device, ScanShape shape, int[] setColumns, boolean delete) {
    KeyCondition key = KeyCondition.of(shape);
    if (key == null) {
      return null;
    }
    try {
      return new KeyedChange(device, shape, key, setColumns, delete);
    } catch (NotCovered e) {
      return null;
    }
  }

  @Override
  public long apply(Execution x) {
    return apply(x, 1);
  }

  /** {@code number} is the row's in its batch, for messages. */
  private long apply(Execution x, long number) {
    Transaction tx = x.transaction();
    ParameterValues values = x.parameters();
    TableWriter writer = tx.writer(table.tableId());
    TableReader reader = tx.reader(table.tableId());
    long[] keyValues = new long[key.columnCount()];
    if (!key.fill(keyValues, values, reader)) {
      reader.noteMissing(key.keyOrdinal());
      return 0;
    }
    RowValues old = new RowValues(table, reader, columnsWithKey, values);
    if (!old.moveToKey(key.keyOrdinal(), keyValues, keyAt) || !passes(old)) {
      return 0;
    }
    long row = old.row();
    ChangedRows changed = x.changed();
    if (delete) {
      if (changed != null) {
        changed.deleting(row);
      }
      writer.deleteRow(row);
      return 1;
    }
    long[] raw = new long[set.count()];
    boolean[] nulls = new boolean[set.count()];
    for (int i = 0; i < raw.length; i++) {
      nulls[i] = !set.assign(i, old, reader, number, raw);
    }
    try {
      writer.updateRow(row, set.columns(), raw, nulls);
    } catch (KeyViolation violation) {
      throw KeyMessages.translate(violation, table, null);
    }
    if (changed != null) {
      changed.stored(row, 1);
    }
    return 1;
  }

  private boolean passes(RowValues row) {
    return rest == null || Boolean.TRUE.equals(rest.evaluate(row));
  }

  @Override
  public long[] applyBatch(Execution x, ParameterColumns batch) {
    if (batch.rows() < KeyedBatch.ROWS_MIN || x.changed() != null) {
      return oneByOne(x, batch);
    }
    if (delete) {
      return delete(x, batch);
    }
    KeyedBatch together = batches();
    return together == null ? oneByOne(x, batch) : together.update(x, batch);
  }

  private long[] oneByOne(Execution x, ParameterColumns batch) {
    BatchRow bound = new BatchRow(batch);
    Execution each = x.with(bound);
    long[] counts = new long[batch.rows()];
    for (int i = 0; i < counts.length; i++) {
      bound.moveTo(i);
      counts[i] = apply(each, i + 1L);
    }
    return counts;
  }

  /** The first that names a row deletes it; for those after it there is none. */
  private long[] delete(Execution x, ParameterColumns batch) {
    TableWriter writer = x.transaction().writer(table.tableId());
    TableReader reader = x.transaction().reader(table.tableId());
    BatchRow bound = new BatchRow(batch);
    long[] rows = BatchLookup.rows(key, bound, 0, batch.rows(), reader, writer);
    Deleted deleted = new Deleted(rows, bound, reader);
    for (int i = 0; i < rows.length; i = ShortLoops.end(i, rows.length)) {
      deleted.choose(i, ShortLoops.end(i, rows.length));
    }
    try (BatchMemory memory = new BatchMemory()) {
      writer.delete(
          GroupedRows.of(rows, deleted.chosen, deleted.count, reader.tabletLimit(), memory));
    }
    return deleted.counts;
  }

  /** Which rows of a batch delete the row that they name. */
  private final class Deleted {
    private final long[] rows;
    private final BatchRow bound;
    private final TableReader reader;
    private final RowValues old;
    private final RowRepeats repeats;
    private final long[] counts;
    private final int[] chosen;
    private int count;

    Deleted(long[] rows, BatchRow bound, TableReader reader) {
      this.rows = rows;
      this.bound = bound;
      this.reader = reader;
      old = new RowValues(table, reader, columnsRead, bound);
      repeats = new RowRepeats(rows, rows.length);
      counts = new long[rows.length];
      chosen = new int[rows.length];
    }

    void choose(int from, int to) {
      for (int i = from; i < to; i++) {
        if (rows[i] >= 0 && repeats.noted(i) < 0 && passes(i)) {
          repeats.note(i);
          chosen[count++] = i;
          counts[i] = 1;
        }
      }
    }

    private boolean passes(int i) {
      if (rest == null) {
        return true;
      }
      bound.moveTo(i);
      return old.moveTo(reader, rows[i]) && KeyedChange.this.passes(old);
    }
  }

  @Override
  public List<String> explain(Execution x) {
    KeyedBatch together = batches();
    String batch =
        delete
            ? ", batches by one launch of the delete kernel"
            : together == null
                ? ", batches row by row"
                : ", batches by one launch of kernel " + together.program().kernel().name();
    return List.of(
        (delete ? "delete " : "update ")
            + table.name()
            + " by "
            + key.keyName()
            + " [key look-up]"
            + batch
            + (rest == null ? "" : ", filtered on the host"));
  }

  @Override
  public List<Kernel> kernels() {
    KeyedBatch together = batches();
    return together == null ? List.of() : List.of(together.program().kernel().kernel());
  }
}
