package io.gpdb.exec.library.lane;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.column.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * What the lane programs of one plan node read. Declared once per plan; {@link LaneBindings} binds
 * the memory for each launch, so that one kernel text serves every tablet.
 *
 * <p>A batch parameter (one value per row of a batch) is a {@link Column} like any other. A
 * declared input that no program of a kernel reads needs no binding for that kernel.
 */
public final class LaneInputs {
  private final List<Column> columns = new ArrayList<>();
  private final List<Parameter> parameters = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();

  /** An input that a batch reads from the tablets, as column {@code column}. */
  public record Stored(LaneInputs.Column input, int column) {}

  /** One value per row, with a validity bitmap where nullable and not all present. */
  public record Column(int number, String name, Element element, boolean nullable) {}

  /** One value for the whole launch, or NULL. */
  public record Parameter(int number, String name, Type type) {}

  /**
   * A look-up table indexed by a computed value, as a dictionary code. It has at least one element:
   * the value under a NULL is 0 and is looked up like any other.
   */
  public record Table(int number, String name, Element element) {}

  public Column column(String name, Element element) {
    return column(name, element, true);
  }

  /** A column that is never bound with a validity bitmap, where not nullable. */
  public Column column(String name, Element element, boolean nullable) {
    Column column = new Column(columns.size(), name, element, nullable);
    columns.add(column);
    return column;
  }

  public Parameter parameter(String name, Type type) {
    Parameter parameter = new Parameter(parameters.size(), name, type);
    parameters.add(parameter);
    return parameter;
  }

  public Table table(String name, Element element) {
    Table table = new Table(tables.size(), name, element);
    tables.add(table);
    return table;
  }

  public int columnCount() {
    return columns.size();
  }

  public Column column(int number) {
    return columns.get(number);
  }

  public int parameterCount() {
    return parameters.size();
  }

  public Parameter parameter(int number) {
    return parameters.get(number);
  }

  public int tableCount() {
    return tables.size();
  }

  public Table table(int number) {
    return tables.get(number);
  }

  /** How kernels see a stored element. */
  public static Element element(ElementType type) {
    return switch (type) {
      case I8 -> Element.I8;
      case I16 -> Element.I16;
      case I32, CODE -> Element.I32;
      case I64 -> Element.I64;
      case F32 -> Element.F32;
      case F64 -> Element.F64;
    };
  }
}
