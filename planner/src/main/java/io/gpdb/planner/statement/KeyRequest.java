package io.gpdb.planner.statement;

import java.util.List;

/** Which columns of the rows that a statement inserts or updates it returns besides their count. */
public sealed interface KeyRequest {
  /** The columns that the database numbers; where there are none, those of the primary key. */
  record Generated() implements KeyRequest {}

  /** Columns by their positions, from 1. */
  record Positions(List<Integer> columns) implements KeyRequest {
    public Positions {
      columns = List.copyOf(columns);
    }
  }

  /** Columns by their names. */
  record Names(List<String> columns) implements KeyRequest {
    public Names {
      columns = List.copyOf(columns);
    }
  }
}
