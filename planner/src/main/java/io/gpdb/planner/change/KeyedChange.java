package io.gpdb.planner.change;

import io.gpdb.planner.ParameterColumns;
import io.gpdb.planner.ParameterValues;
import io.gpdb.planner.expression.HostCompiler;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.query.KeyCondition;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.run.Execution;
import io.gpdb.sql.SqlTypeSpec;
import io.gpdb.sql.TableDef;
import io.gpdb.storage.TableStore;
import io.gpdb.txn.KeyViolation;
import io.gpdb.txn.TableReader;
import io.gpdb.txn.TableWriter;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE and DELETE of the one row that a key names. Alone it takes the writer's short path without
 * kernels; a batch looks its rows up, gathers new values tablet by tablet and applies each tablet's
 * with one launch. A row that comes again in a batch ends the gathering, so that the batch works as
 * if in order.
 */
public final class KeyedChange implements Change {
  private final TableDef table;
  private final KeyCondition key;
  private final boolean delete;
  private final int[] setColumns;
  private final ColumnTarget[] targets;
  private final int[] parameters;
  private final SqlTypeSpec[] types;
  private final HostExpression[] expressions;
  private final @Nullable HostExpression rest;
  private final int[] columnsRead;
  private final boolean changesKey;

  private KeyedChange(ScanShape shape, KeyCondition key, int[] setColumns, boolean delete)
      throws NotCovered {
    this.table = shape.table();
    this.key = key;
    this.delete = delete;
    this.setColumns = setColumns;
    HostCompiler compiler = new HostCompiler(shape.rexBuilder());
    int count = setColumns.length;
    targets = new ColumnTarget[count];
    parameters = new int[count];
    types = new SqlTypeSpec[count];
    expressions = new HostExpression[count];
    for (int i = 0; i < count; i++) {
      RexNode value = bareParameter(shape.outputs().get(i + 1));
      targets[i] = new ColumnTarget(table, setColumns[i]);
      parameters[i] = value instanceof RexDynamicParam parameter ? parameter.getIndex() : -1;
      types[i] = HostCompiler.spec(value.getType());
      expressions[i] = compiler.compile(value);
    }
    rest = PointQuery.conjunction(compiler, key.rest());
    List<RexNode> read = new ArrayList<>(shape.outputs());
    read.addAll(key.rest());
    columnsRead = PointQuery.columnsRead(read, table.columns().size());
    changesKey = changesKey(table, setColumns);
  }

  /** A parameter without a cast to its own kind: the column's assignment does the same. */
  private static RexNode bareParameter(RexNode value) throws NotCovered {
    if (value.getKind() != SqlKind.CAST
        || !(((RexCall) value).getOperands().getFirst() instanceof RexDynamicParam parameter)) {
      return value;
    }
    SqlTypeSpec given = HostCompiler.spec(parameter.getType());
    SqlTypeSpec wanted = HostCompiler.spec(value.getType());
    boolean same = given.kind() == wanted.kind() && given.scale() == wanted.scale();
    return same && !given.kind().isString() ? parameter : value;
  }

  static boolean changesKey(TableDef table, int[] setColumns) {
    return table.keys().stream()
        .flatMapToInt(k -> java.util.Arrays.stream(k.columns()))
        .anyMatch(c -> java.util.Arrays.stream(setColumns).anyMatch(s -> s == c));
  }

  /**
   * The change for a source whose fields are the row id and one value for each set column, or null
   * when its filter fixes no key.
   */
  public static @Nullable KeyedChange of(ScanShape shape, int[] setColumns, boolean delete) {
    KeyCondition key = KeyCondition.of(shape);
    if (key == null) {
      return null;
    }
    try {
      return new KeyedChange(shape, key, setColumns, delete);
    } catch (NotCovered e) {
      return null;
    }
  }

  @Override
  public long apply(Execution x) {
    Transaction tx = x.transaction();
    ParameterValues values = x.parameters();
    TableWriter writer = tx.writer(table.tableId());
    TableReader reader = tx.reader(table.tableId());
    TableStore store = reader.store();
    long[] keyValues = new long[key.columnCount()];
    if (!key.fill(keyValues, values, store)) {
      reader.noteMissing(key.keyOrdinal());
      return 0;
    }
    long row = writer.findByKey(key.keyOrdinal(), keyValues);
    if (row < 0) {
      return 0;
    }
    RowValues old = new RowValues(table, store, columnsRead, values);
    if (!old.moveTo(reader, row) || !passes(old)) {
      return 0;
    }
    if (delete) {
      writer.deleteRow(row);
      return 1;
    }
    long[] raw = new long[setColumns.length];
    boolean[] nulls = new boolean[setColumns.length];
    for (int i = 0; i < raw.length; i++) {
      nulls[i] = !assign(i, old, store, 1, raw);
    }
    try {
      writer.updateRow(row, setColumns, raw, nulls);
    } catch (KeyViolation violation) {
      throw KeyMessages.translate(violation, table, null);
    }
    return 1;
  }

  private boolean passes(RowValues row) {
    return rest == null || Boolean.TRUE.equals(rest.evaluate(row));
  }

  /** Puts the new stored value of set column i into raw[i]; false for NULL. */
  private boolean assign(int i, RowValues old, TableStore store, long number, long[] raw) {
    ParameterValues values = old.parameters();
    int parameter = parameters[i];
    if (parameter >= 0 && !values.isNull(parameter) && !types[i].kind().isString()) {
      raw[i] = targets[i].assigned(types[i], values.raw(parameter), number);
      return true;
    }
    Object value = expressions[i].evaluate(old);
    if (value == null) {
      targets[i].requireNullable(number);
      raw[i] = 0;
      return false;
    }
    if (targets[i].type().kind().isString()) {
      byte[] stored =
          targets[i].assigned(io.gpdb.planner.expression.HostValue.bytes(value), number);
      raw[i] = InsertValues.dictionary(store, setColumns[i]).intern(stored, 0, stored.length);
    } else {
      raw[i] = targets[i].assignedObject(types[i], value, number);
    }
    return true;
  }

  @Override
  public long[] applyBatch(Execution x, ParameterColumns batch) {
    if (changesKey) {
      return Change.super.applyBatch(x, batch);
    }
    Transaction tx = x.transaction();
    TableWriter writer = tx.writer(table.tableId());
    TableReader reader = tx.reader(table.tableId());
    TableStore store = reader.store();
    long[] counts = new long[batch.rows()];
    long[] keyValues = new long[key.columnCount()];
    long[] raw = new long[setColumns.length];
    BatchRow bound = new BatchRow(batch);
    RowValues old = new RowValues(table, store, columnsRead, bound);
    boolean needsOld = columnsRead.length > 0 || rest != null;
    try (PendingRows pending =
        new PendingRows(writer, store, table, setColumns, delete, counts.length)) {
      for (int i = 0; i < counts.length; i++) {
        bound.row = i;
        if (!key.fill(keyValues, bound, store)) {
          reader.noteMissing(key.keyOrdinal());
          continue;
        }
        long row = writer.findByKey(key.keyOrdinal(), keyValues);
        if (row >= 0 && pending.contains(row)) {
          pending.flush();
          row = writer.findByKey(key.keyOrdinal(), keyValues);
        }
        if (row < 0 || (needsOld && (!old.moveTo(reader, row) || !passes(old)))) {
          continue;
        }
        int at = pending.add(row);
        for (int c = 0; c < raw.length; c++) {
          boolean present = assign(c, old, store, i + 1L, raw);
          pending.set(at, c, raw[c], present);
        }
        counts[i] = 1;
      }
      pending.flush();
    }
    return counts;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(
        (delete ? "delete " : "update ")
            + table.name()
            + " by "
            + key.keyName()
            + " [key look-up], batches by one apply kernel for each tablet"
            + (rest == null ? "" : ", filtered on the host"));
  }

  /** The row of a batch that the loop has come to. */
  private static final class BatchRow implements ParameterValues {
    private final ParameterColumns batch;
    private int row;

    BatchRow(ParameterColumns batch) {
      this.batch = batch;
    }

    @Override
    public int count() {
      return batch.count();
    }

    @Override
    public boolean isNull(int parameter) {
      return batch.column(parameter).isNull(row);
    }

    @Override
    public long raw(int parameter) {
      return batch.column(parameter).raw(row);
    }

    @Override
    public byte[] bytes(int parameter) {
      return batch.column(parameter).bytes(row);
    }

    @Override
    public long nowMicros() {
      return batch.nowMicros();
    }
  }
}
