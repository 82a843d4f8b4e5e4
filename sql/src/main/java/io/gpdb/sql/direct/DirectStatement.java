package io.gpdb.sql.direct;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import java.util.List;

/** A statement of one stored table whose words alone say what is to be done. */
public sealed interface DirectStatement {
  TableDef table();

  /** Parameters in the order of their question marks, as the validator would find them. */
  List<ParameterDef> params();

  /** Columns of the rows that it returns. */
  List<OutputColumn> output();

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
