package io.gpdb.sql.direct;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import java.util.List;

/** A statement of one table whose words alone say what is to be done. */
public sealed interface DirectStatement {
  TableDef table();

  /** Parameters in the order of their question marks, as the validator would find them. */
  List<ParameterDef> params();

  /** Columns of the rows that it returns. */
  default List<OutputColumn> output() {
    return List.of();
  }

  /** Columns of the rows that fulfil all conditions. */
  record Rows(
      TableDef table,
      List<Integer> columns,
      List<Condition> conditions,
      List<ParameterDef> params,
      List<OutputColumn> output)
      implements DirectStatement {}

  /** One row: aggregates of the rows that fulfil all conditions. */
  record Totals(
      TableDef table,
      List<Total> totals,
      List<Condition> conditions,
      List<ParameterDef> params,
      List<OutputColumn> output)
      implements DirectStatement {}

  /**
   * New rows: for each of the columns the number of its parameter, or -1 for NULL. Other columns
   * become NULL.
   */
  record Insert(
      TableDef table, List<Integer> columns, List<List<Integer>> rows, List<ParameterDef> params)
      implements DirectStatement {}

  /** New values of the rows that fulfil all conditions, or, without values, their end. */
  record Change(
      TableDef table, List<Assigned> set, List<Condition> conditions, List<ParameterDef> params)
      implements DirectStatement {}

  /** A new table, not yet numbered. */
  record CreateTable(TableDef table, boolean ifNotExists) implements DirectStatement {
    @Override
    public List<ParameterDef> params() {
      return List.of();
    }
  }

  /**
   * A column that gets the value of a parameter, or, where there is a column to read, that plus or
   * minus the parameter: all of one type.
   */
  record Assigned(int column, int read, boolean minus, int parameter) {}

  /** A column compared with a parameter: both of one type. */
  record Condition(int column, Comparison comparison, int parameter) {}

  /** An aggregate; of COUNT(*) the column is -1. */
  record Total(Aggregate aggregate, int column) {}

  /** How a column is compared. */
  enum Comparison {
    EQUAL,
    UNEQUAL,
    LESS,
    AT_MOST,
    GREATER,
    AT_LEAST
  }

  /** What is computed of a column. */
  enum Aggregate {
    COUNT,
    SUM,
    MIN,
    MAX
  }
}
