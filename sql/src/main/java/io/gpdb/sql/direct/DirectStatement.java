package io.gpdb.sql.direct;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement whose words alone say what is to be done. */
public sealed interface DirectStatement {
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

  /** Rows that are computed of those of tables. */
  sealed interface Query extends DirectStatement {
    /** What the columns of the result are computed by, and perhaps more behind them. */
    List<DirectExpression> items();
  }

  /**
   * The rows of one query and those of another, with columns of the same types.
   *
   * @param all whether rows that are there several times are several
   */
  record Combined(
      SetOperator operator,
      boolean all,
      Query left,
      Query right,
      List<ParameterDef> params,
      List<OutputColumn> output)
      implements Query {
    @Override
    public List<DirectExpression> items() {
      return left.items();
    }
  }

  /** What becomes of the rows of two queries. */
  enum SetOperator {
    UNION,
    EXCEPT,
    INTERSECT
  }

  /**
   * Rows computed of those that pass, or of groups of them, of the rows of tables each with each.
   *
   * @param queries the subqueries of the condition and of the items that are computed of rows
   * @param tables none for one row without columns; fields of the row are columns of the first
   *     table, then of the next
   * @param where the condition, or null
   * @param items what is computed, the columns of the result first, then what it is sorted by; each
   *     of the row, or of the group's row
   * @param order the items that it is sorted by, from the first; empty: in the order of rows, or of
   *     the first rows of groups
   * @param limit at most so many rows, or null
   * @param offset without so many rows at the beginning, or null
   */
  record Selection(
      List<Selection> queries,
      List<TableDef> tables,
      @Nullable DirectExpression where,
      @Nullable Grouping grouping,
      List<DirectExpression> items,
      boolean distinct,
      List<Sorted> order,
      @Nullable DirectExpression limit,
      @Nullable DirectExpression offset,
      List<ParameterDef> params,
      List<OutputColumn> output)
      implements Query {}

  /**
   * Groups of rows with equal keys, or all in one. A group's row is its keys, then the values of
   * the aggregates.
   *
   * @param keys fields of the rows
   * @param having a condition on the group's row, or null
   */
  record Grouping(
      boolean single,
      List<Integer> keys,
      List<Aggregated> aggregates,
      @Nullable DirectExpression having) {}

  /** An aggregate of an expression, of each value once if distinct; of COUNT(*) it is null. */
  record Aggregated(Aggregate aggregate, boolean distinct, @Nullable DirectExpression argument) {}

  /** An item by whose values rows are sorted, NULL as the greatest. */
  record Sorted(int item, boolean descends) {}

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
   * A column that gets the value of a parameter or a number, or, where there is a column to read,
   * that plus or minus these: all of one type.
   *
   * @param read -1 where no column is read
   * @param parameter -1 where there is a number instead
   */
  record Assigned(int column, int read, boolean minus, int parameter, int number) {}

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

  /** What is computed of a column; AVG of expressions only. */
  enum Aggregate {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG;

    /** The aggregate that a function is, its name in upper case; or null. */
    static @Nullable Aggregate of(String function) {
      return switch (function) {
        case "COUNT" -> COUNT;
        case "SUM" -> SUM;
        case "MIN" -> MIN;
        case "MAX" -> MAX;
        case "AVG" -> AVG;
        default -> null;
      };
    }
  }
}
