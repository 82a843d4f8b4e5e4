package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the expressions of one kernel read: columns of its input, scalars and tables, and what binds
 * the scalars and tables before a launch.
 */
public final class KernelInputs {
  private final LaneInputs lane = new LaneInputs();
  private final List<SqlTypeSpec> columnTypes;

  /** By the numbers of input columns; null for one that is not read. */
  private final @Nullable Column[] columns;

  private final List<Binding> bindings = new ArrayList<>();

  /** Something that is bound before each launch sequence. */
  @FunctionalInterface
  public interface Binding {
    void bind(LaneBindings lane, RunInputs run);
  }

  public KernelInputs(List<SqlTypeSpec> columnTypes) {
    this.columnTypes = List.copyOf(columnTypes);
    columns = new Column[columnTypes.size()];
  }

  LaneInputs lane() {
    return lane;
  }

  public SqlTypeSpec typeOf(int column) {
    return columnTypes.get(column);
  }

  public Parameter parameter(String name, Type type) {
    return lane.parameter(name, type);
  }

  public Table table(String name, Element element) {
    return lane.table(name, element);
  }

  public void onBind(Binding binding) {
    bindings.add(binding);
  }

  void bind(LaneBindings bound, RunInputs run) {
    for (Binding binding : bindings) {
      binding.bind(bound, run);
    }
  }

  /** The input columns that the compiled expressions read, ascending. */
  int[] columnsRead() {
    int[] read = new int[columns.length];
    int count = 0;
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] != null) {
        read[count++] = i;
      }
    }
    return Arrays.copyOf(read, count);
  }

  /** How an input column that is read is known to the kernel. */
  Column readColumn(int index) {
    Column known = columns[index];
    if (known == null) {
      throw new IllegalArgumentException("column " + index + " is not read");
    }
    return known;
  }

  /** How an input column is known to the kernel, which reads it from now on. */
  public Column read(int index) {
    Column known = columns[index];
    if (known == null) {
      known = lane.column("col" + index, LaneInputs.element(columnTypes.get(index).element()));
      columns[index] = known;
    }
    return known;
  }

  /** The plain value of an input column. */
  public KernelExpression column(int index) {
    SqlTypeSpec type = columnTypes.get(index);
    Column column = read(index);
    if (type.kind() == Kind.BOOLEAN) {
      return KernelExpression.number(
          type,
          lane -> {
            LaneValue value = lane.column(column);
            return new LaneValue(lane.builder().ne(value.value(), 0), value.present());
          });
    }
    return new KernelExpression(
        type,
        lane -> lane.column(column),
        type.kind().isString() ? run -> requireDomain(run, index) : null);
  }

  /**
   * A number, given by its raw bits: a scalar and not a constant of the text, so that statements
   * that differ in literals share a kernel.
   */
  public KernelExpression number(SqlTypeSpec type, long raw) {
    Parameter scalar = parameter("literal", KernelExpression.register(type));
    onBind((binding, run) -> binding.parameter(scalar, raw));
    return KernelExpression.number(type, lane -> lane.parameter(scalar));
  }

  /** The domain of a string column's codes. */
  public static StringDomain requireDomain(RunInputs run, int index) {
    StringDomain domain = run.domain(index);
    if (domain == null) {
      throw new IllegalStateException("string column " + index + " has no domain");
    }
    return domain;
  }
}
