package io.gpdb.planner.keyed;

import io.gpdb.planner.change.ColumnTarget;
import io.gpdb.planner.change.StoredColumns;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.direct.DirectStatement.Assigned;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.txn.api.TableReader;
import java.util.List;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;

/** The SET list of a change by key, as the host evaluates it: one row, one column at a time. */
final class SetValues {
  private final int[] columns;
  private final RexNode[] nodes;
  private final ColumnTarget[] targets;
  private final int[] parameters;
  private final SqlTypeSpec[] types;
  private final HostExpression[] expressions;
  private final int[][] reads;

  SetValues(ScanShape shape, int[] columns) throws NotCovered {
    TableDef table = shape.table();
    this.columns = columns;
    HostCompiler compiler = new HostCompiler(shape.rexBuilder());
    int count = columns.length;
    nodes = new RexNode[count];
    targets = new ColumnTarget[count];
    parameters = new int[count];
    types = new SqlTypeSpec[count];
    expressions = new HostExpression[count];
    reads = new int[count][];
    for (int i = 0; i < count; i++) {
      RexNode value = RexValues.bareParameter(shape.outputs().get(i + 1));
      nodes[i] = value;
      targets[i] = new ColumnTarget(table, columns[i]);
      parameters[i] = value instanceof RexDynamicParam parameter ? parameter.getIndex() : -1;
      types[i] = RexValues.spec(value.getType());
      expressions[i] = compiler.compile(value);
      reads[i] = PointQuery.columnsRead(List.of(value), table.columns().size() + 1);
    }
  }

  /** Values of parameters, numbers, and columns plus or minus these. */
  SetValues(DirectStatement.Change change) {
    int count = change.set().size();
    columns = new int[count];
    nodes = new RexNode[0];
    targets = new ColumnTarget[count];
    parameters = new int[count];
    types = new SqlTypeSpec[count];
    expressions = new HostExpression[count];
    reads = new int[count][];
    for (int i = 0; i < count; i++) {
      Assigned assigned = change.set().get(i);
      columns[i] = assigned.column();
      targets[i] = new ColumnTarget(change.table(), columns[i]);
      parameters[i] = assigned.read() < 0 ? assigned.parameter() : -1;
      types[i] = type(change, assigned);
      expressions[i] = expression(assigned, types[i]);
      reads[i] = assigned.read() < 0 ? new int[0] : new int[] {assigned.read()};
    }
  }

  private static SqlTypeSpec type(DirectStatement.Change change, Assigned assigned) {
    return assigned.parameter() < 0
        ? change.table().column(assigned.column()).type()
        : change.params().get(assigned.parameter()).type();
  }

  private static HostExpression expression(Assigned assigned, SqlTypeSpec type) {
    int parameter = assigned.parameter();
    if (assigned.read() < 0 && parameter < 0) {
      Long number = (long) assigned.number();
      return _ -> number;
    }
    if (assigned.read() < 0) {
      return row -> RexValues.value(row.parameters(), parameter, type);
    }
    return row -> {
      Object old = row.column(assigned.read());
      if (old == null || (parameter >= 0 && row.parameters().isNull(parameter))) {
        return null;
      }
      long operand = parameter < 0 ? assigned.number() : row.parameters().raw(parameter);
      long value =
          assigned.minus()
              ? NumberFunctions.minusLong((Long) old, operand)
              : NumberFunctions.plusLong((Long) old, operand);
      return type.kind() == SqlTypeSpec.Kind.INTEGER
          ? (Long) (long) NumberFunctions.toInteger(value)
          : (Long) value;
    };
  }

  int count() {
    return columns.length;
  }

  int[] columns() {
    return columns;
  }

  /** Of a planned list. */
  RexNode node(int i) {
    return nodes[i];
  }

  /** The columns that value i reads, and behind the last column the row id. */
  int[] reads(int i) {
    return reads[i];
  }

  ColumnTarget target(int i) {
    return targets[i];
  }

  /** The parameter that value i is, bare; -1 for an expression. */
  int parameter(int i) {
    return parameters[i];
  }

  SqlTypeSpec type(int i) {
    return types[i];
  }

  /** Puts the new stored value of set column i into raw[i]; false for NULL. */
  boolean assign(int i, RowValues old, TableReader reader, long number, long[] raw) {
    ParameterValues values = old.parameters();
    int parameter = parameters[i];
    if (parameter >= 0 && !values.isNull(parameter) && !types[i].kind().isString()) {
      raw[i] = targets[i].assigned(types[i], values.raw(parameter), number);
      return true;
    }
    Object value = targets[i].computed(expressions[i], old, number);
    if (value == null) {
      targets[i].requireNullable(number);
      raw[i] = 0;
      return false;
    }
    if (targets[i].type().kind().isString()) {
      byte[] stored = targets[i].assigned(HostValue.bytes(targets[i].type(), value), number);
      raw[i] = StoredColumns.dictionary(reader, columns[i]).intern(stored, 0, stored.length);
    } else {
      raw[i] = targets[i].assignedObject(types[i], value, number);
    }
    return true;
  }
}
