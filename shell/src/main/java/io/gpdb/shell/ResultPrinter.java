package io.gpdb.shell;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;

/** Writes all rows of a result set in one of the shell's formats. */
interface ResultPrinter {
  /** Returns the number of rows. */
  long print(ResultSet rows, PrintWriter out) throws SQLException;

  /** Whether people read it, so that row counts and notes may be printed between results. */
  boolean isForPeople();

  static boolean isNumber(ResultSetMetaData columns, int column) throws SQLException {
    return switch (columns.getColumnType(column)) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE,
          Types.DECIMAL,
          Types.NUMERIC ->
          true;
      default -> false;
    };
  }
}
