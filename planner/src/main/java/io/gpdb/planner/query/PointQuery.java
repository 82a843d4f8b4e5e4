package io.gpdb.planner.query;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.jspecify.annotations.Nullable;

/** SELECT … WHERE key = …: an index look-up and one row read, without kernels. */
public final class PointQuery {
  private static final SqlTypeSpec[] NO_TYPES = {};
  private static final Object[] NOTHING = {};

  private final TableDef table;
  private final KeyCondition key;
  private final int[] columns;

  /** Where among the columns those of the key are. */
  private final int[] keyAt;

  private final int[] positions;
  private final @Nullable HostExpression rest;
  private final int[] plain;
  private final HostExpression[] outputs;

  /** Whether an output is no stored column. */
  private final boolean computes;

  private final SqlTypeSpec[] types;

  private PointQuery(
      TableDef table,
      KeyCondition key,
      int[] columnsRead,
      @Nullable HostExpression rest,
      HostExpression[] outputs,
      int[] plain,
      SqlTypeSpec[] types) {
    this.table = table;
    this.key = key;
    this.columns = key.columnsWith(columnsRead);
    this.keyAt = key.placesIn(columns);
    this.positions = RowValues.positions(table, columns);
    this.computes = Arrays.stream(plain).anyMatch(column -> column < 0);
    this.rest = rest;
    this.outputs = outputs;
    this.plain = plain;
    this.types = types;
  }

  /** The look-up of columns by a key that is all of the condition. */
  public static PointQuery of(DirectStatement.Rows rows, KeyCondition key) {
    int[] plain = new int[rows.columns().size()];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = rows.columns().get(i);
    }
    return new PointQuery(
        rows.table(), key, plain, null, new HostExpression[plain.length], plain, NO_TYPES);
  }

  /** The look-up that answers the shape, or null when its filter fixes no key. */
  public static @Nullable PointQuery of(ScanShape shape) {
    KeyCondition key = KeyCondition.of(shape);
    if (key == null) {
      return null;
    }
    HostCompiler compiler = new HostCompiler(shape.rexBuilder());
    try {
      int fields = shape.outputs().size();
      HostExpression[] outputs = new HostExpression[fields];
      int[] plain = new int[fields];
      SqlTypeSpec[] types = new SqlTypeSpec[fields];
      for (int i = 0; i < fields; i++) {
        RexNode output = shape.outputs().get(i);
        boolean isColumn =
            output instanceof RexInputRef input
                && input.getIndex() < shape.table().columns().size();
        plain[i] = isColumn ? ((RexInputRef) output).getIndex() : -1;
        outputs[i] = compiler.compile(output);
        types[i] = RexValues.spec(output.getType());
      }
      List<RexNode> read = new ArrayList<>(shape.outputs());
      read.addAll(key.rest());
      return new PointQuery(
          shape.table(),
          key,
          columnsRead(read, shape.table().columns().size()),
          conjunction(compiler, key.rest()),
          outputs,
          plain,
          types);
    } catch (NotCovered e) {
      return null;
    }
  }

  /** All of the conditions in one, null when there is none. */
  public static @Nullable HostExpression conjunction(HostCompiler compiler, List<RexNode> all)
      throws NotCovered {
    if (all.isEmpty()) {
      return null;
    }
    List<HostExpression> compiled = new ArrayList<>();
    for (RexNode condition : LazyLogic.ordered(all)) {
      compiled.add(compiler.condition(condition));
    }
    return row -> {
      for (HostExpression condition : compiled) {
        if (!Boolean.TRUE.equals(condition.evaluate(row))) {
          return false;
        }
      }
      return true;
    };
  }

  /** The columns below {@code limit} that expressions read, ascending. */
  public static int[] columnsRead(List<RexNode> expressions, int limit) {
    TreeSet<Integer> read = new TreeSet<>();
    for (RexNode expression : expressions) {
      expression.accept(
          new RexVisitorImpl<Void>(true) {
            @Override
            public @Nullable Void visitInputRef(RexInputRef input) {
              if (input.getIndex() < limit) {
                read.add(input.getIndex());
              }
              return null;
            }
          });
    }
    return read.stream().mapToInt(Integer::intValue).toArray();
  }

  public RowSet run(Transaction tx, ParameterValues parameters) {
    return run(tx, parameters, row -> true);
  }

  /** {@code taken} is asked about a row that was found, and may change the table. */
  public RowSet run(Transaction tx, ParameterValues parameters, LongPredicate taken) {
    TableReader reader = tx.reader(table.tableId());
    RowValues values = new RowValues(table, reader, columns, positions, parameters);
    long[] keyValues = new long[key.columnCount()];
    boolean found = false;
    if (key.fill(keyValues, parameters, reader)) {
      found =
          values.moveToKey(key.keyOrdinal(), keyValues, keyAt)
              && (rest == null || Boolean.TRUE.equals(rest.evaluate(values)))
              && taken.test(values.row());
    } else {
      reader.noteMissing(key.keyOrdinal());
    }
    return new OneRow(values, found);
  }

  public String explain() {
    return "key look-up "
        + table.name()
        + " by "
        + key.keyName()
        + (rest == null ? "" : ", filtered on the host");
  }

  /** At most one row. */
  private final class OneRow implements RowSet {
    private final RowValues values;
    private final @Nullable Object[] computed =
        computes ? new @Nullable Object[outputs.length] : NOTHING;
    private boolean pending;

    OneRow(RowValues values, boolean found) {
      this.values = values;
      this.pending = found;
    }

    /** Computes what is no stored column: an error is the row's, not that of looking at it. */
    @Override
    public boolean next() {
      boolean had = pending;
      pending = false;
      for (int column = 0; had && column < computed.length; column++) {
        if (plain[column] < 0) {
          computed[column] = outputs[column].evaluate(values);
        }
      }
      return had;
    }

    @Override
    public boolean isNull(int column) {
      return plain[column] >= 0 ? values.isNull(plain[column]) : computed[column] == null;
    }

    @Override
    public long raw(int column) {
      if (plain[column] >= 0) {
        return values.raw(plain[column]);
      }
      Object value = computed[column];
      return value == null ? 0 : HostValue.raw(types[column], value);
    }

    @Override
    public byte[] bytes(int column) {
      if (plain[column] >= 0) {
        return values.isNull(plain[column]) ? new byte[0] : values.bytes(plain[column]);
      }
      Object value = computed[column];
      return value == null ? new byte[0] : HostValue.bytes(types[column], value);
    }

    @Override
    public String string(int column) {
      return new String(bytes(column), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      pending = false;
    }
  }
}
