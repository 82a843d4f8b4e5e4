package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of a statement whose text leaves the type of some parameter open: kept as they were
 * set, and bound when the statement is planned for their types.
 */
public final class DeferredParameters {
  private final List<ParameterDef> parameters;
  private @Nullable Value[] current;
  private final List<@Nullable Value[]> rows = new ArrayList<>();

  /** A value passed to a setter: its own type, and how to bind it at a parameter. */
  record Value(SqlTypeSpec type, Bind bind) {}

  /** Binds a value. */
  public interface Bind {
    void to(ParameterColumns columns, int parameter);
  }

  public DeferredParameters(List<ParameterDef> parameters) {
    this.parameters = parameters;
    this.current = new Value[parameters.size()];
  }

  public static boolean isNeeded(List<ParameterDef> parameters) {
    return parameters.stream().anyMatch(parameter -> !parameter.certain());
  }

  public void set(int parameter, SqlTypeSpec type, Bind bind) {
    current[parameter] = new Value(type, bind);
  }

  public void clear() {
    Arrays.fill(current, null);
  }

  public void addRow() {
    binding(current);
    rows.add(current.clone());
  }

  /** The number of rows added. */
  public int rows() {
    return rows.size();
  }

  /** The rows added, each by itself. */
  public List<Binding> bindings() {
    return rows.stream().map(this::binding).toList();
  }

  /** The rows added as one batch, where they are several whose values have the same types. */
  public @Nullable BatchBinding together() {
    if (rows.size() < 2) {
      return null;
    }
    List<SqlTypeSpec> types = types(rows.getFirst());
    if (!rows.stream().allMatch(row -> types(row).equals(types))) {
      return null;
    }
    return (engine, sql, transaction) -> {
      Prepared plan = engine.prepare(sql, transaction, types);
      if (plan.kind() != StatementKind.CHANGE) {
        return null;
      }
      ParameterColumns columns = new ParameterColumns(plan.parameters());
      for (@Nullable Value[] row : rows) {
        bind(row, columns);
        columns.addRow();
      }
      return columns.isHeld() ? new BatchBinding.Bound(plan, columns) : null;
    };
  }

  public void clearRows() {
    rows.clear();
  }

  public Binding current() {
    return binding(current.clone());
  }

  private List<SqlTypeSpec> types(@Nullable Value[] values) {
    List<SqlTypeSpec> types = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      Value value = values[i];
      if (value == null) {
        throw new GpdbException(
            SqlCondition.PARAMETER_COUNT,
            "parameter " + (i + 1) + " of " + values.length + " has no value");
      }
      types.add(parameters.get(i).certain() ? parameters.get(i).type() : value.type());
    }
    return types;
  }

  private Binding binding(@Nullable Value[] values) {
    List<SqlTypeSpec> types = types(values);
    return (engine, sql, transaction) -> {
      Prepared plan = engine.prepare(sql, transaction, types);
      ParameterColumns columns = columns(plan, values);
      int row = columns.rows();
      if (!columns.isHeld(row)) {
        List<SqlTypeSpec> wide = columns.wideTypes(row);
        List<SqlTypeSpec> own = wide == null ? types : wide;
        plan = engine.prepare(sql, transaction, own, columns.fits(row));
        columns = columns(plan, values);
      }
      return new Binding.Bound(plan, columns.current());
    };
  }

  /** The values as the plan's parameters take them. */
  private static ParameterColumns columns(Prepared plan, @Nullable Value[] values) {
    ParameterColumns columns = new ParameterColumns(plan.parameters());
    bind(values, columns);
    columns.take();
    return columns;
  }

  private static void bind(@Nullable Value[] values, ParameterColumns columns) {
    for (int i = 0; i < values.length; i++) {
      Value value = values[i];
      if (value != null) {
        value.bind.to(columns, i);
      }
    }
  }
}
