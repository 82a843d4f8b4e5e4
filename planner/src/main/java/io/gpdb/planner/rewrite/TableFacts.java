package io.gpdb.planner.rewrite;

import io.gpdb.sql.definition.TableDef;

/** What is known of stored tables when a plan is made. Thread-safe. */
public interface TableFacts {
  /** Of an input of which nothing is known. */
  double ROWS_UNKNOWN = 1000;

  /** About how many rows there are. */
  double rows(TableDef table);

  /** About how many different values a column has. */
  default double distinct(TableDef table, int column) {
    return column(table, column).distinct();
  }

  /** About how the values of a column are distributed. */
  ColumnFacts column(TableDef table, int column);

  /** Tables of which nothing is known. */
  TableFacts UNKNOWN =
      new TableFacts() {
        @Override
        public double rows(TableDef table) {
          return ROWS_UNKNOWN;
        }

        @Override
        public ColumnFacts column(TableDef table, int column) {
          return ColumnFacts.unknown(ROWS_UNKNOWN);
        }
      };
}
