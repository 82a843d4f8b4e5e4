package io.gpdb.planner.change;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.statement.GeneratedColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/** The generated columns of new rows, computed on the host of the others as they are stored. */
public final class GeneratedColumns {
  private final TableDef table;
  private final int[] columns;
  private final ColumnTarget[] targets;
  private final HostExpression[] expressions;
  private final SqlTypeSpec[] types;
  private final boolean[] computed;

  public GeneratedColumns(TableDef table, List<GeneratedColumn> generated, RexBuilder rexBuilder) {
    this.table = table;
    int count = generated.size();
    columns = new int[count];
    targets = new ColumnTarget[count];
    expressions = new HostExpression[count];
    types = new SqlTypeSpec[count];
    computed = new boolean[table.columns().size()];
    HostCompiler compiler = new HostCompiler(rexBuilder);
    for (int i = 0; i < count; i++) {
      GeneratedColumn each = generated.get(i);
      columns[i] = each.column();
      computed[each.column()] = true;
      targets[i] = new ColumnTarget(table, each.column());
      try {
        types[i] = RexValues.spec(each.value().getType());
        expressions[i] = compiler.compile(each.value());
      } catch (NotCovered e) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "generated column %s: %s in the expression"
                .formatted(table.column(each.column()).name(), e.getMessage()),
            e);
      }
    }
  }

  /** Without any. */
  private GeneratedColumns(TableDef table) {
    this.table = table;
    columns = new int[0];
    targets = new ColumnTarget[0];
    expressions = new HostExpression[0];
    types = new SqlTypeSpec[0];
    computed = new boolean[table.columns().size()];
  }

  /** Of a table whose generated columns, if it has any, are inserted as they come. */
  public static GeneratedColumns none(TableDef table) {
    return new GeneratedColumns(table);
  }

  /** Of a table as its definition says. */
  public static GeneratedColumns of(TableDef table) {
    return new GeneratedColumns(table, SqlFrontEnd.generated(table), new GpRexBuilder());
  }

  /** Takes the values of new rows, by column and row. */
  public interface NewValues {
    void set(int column, int row, long raw);

    void setNull(int column, int row);
  }

  public boolean isEmpty() {
    return columns.length == 0;
  }

  public boolean computes(int column) {
    return computed[column];
  }

  /**
   * Fills the generated columns of the first n rows.
   *
   * @param data all columns, those that are not generated filled
   * @param number the number of a row in its statement, for messages
   */
  public void fill(
      ParameterValues parameters,
      TableReader reader,
      ColumnView[] data,
      NewValues into,
      int n,
      IntToLongFunction number) {
    NewRow input = new NewRow(parameters, reader, data);
    for (int i = 0; i < columns.length; i++) {
      for (int row = 0; row < n; row++) {
        StopSignal.poll(row);
        input.row = row;
        fill(i, input, into, number.applyAsLong(row));
      }
    }
  }

  private void fill(int i, NewRow input, NewValues into, long number) {
    ColumnTarget target = targets[i];
    Object value = target.computed(expressions[i], input, number);
    if (value == null) {
      target.requireNullable(number);
      into.setNull(columns[i], input.row);
    } else if (target.type().kind().isString()) {
      byte[] stored = target.assigned(HostValue.bytes(target.type(), value), number);
      int code =
          StoredColumns.dictionary(input.reader, columns[i]).intern(stored, 0, stored.length);
      into.set(columns[i], input.row, code);
    } else {
      into.set(columns[i], input.row, target.assignedObject(types[i], value, number));
    }
  }

  /** A row that is not yet in the table. */
  private final class NewRow implements HostRow {
    private final ParameterValues parameters;
    private final TableReader reader;
    private final ColumnView[] data;
    private int row;

    NewRow(ParameterValues parameters, TableReader reader, ColumnView[] data) {
      this.parameters = parameters;
      this.reader = reader;
      this.data = data;
    }

    @Override
    public ParameterValues parameters() {
      return parameters;
    }

    @Override
    public @Nullable Object column(int index) {
      ColumnView column = data[index];
      if (column.isNull(row)) {
        return null;
      }
      SqlTypeSpec type = table.column(index).type();
      long raw = column.raw(row);
      return type.kind().isString()
          ? HostValue.ofBytes(type, StoredColumns.dictionary(reader, index).bytes((int) raw))
          : HostValue.ofRaw(type, raw);
    }
  }
}
