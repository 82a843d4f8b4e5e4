package io.gpdb.planner.statement;

/**
 * The rows of a query, one at a time, columns from 0. Values are in the representation of the
 * column's type (see ARCHITECTURE.md): raw bits for fixed-width types, bytes for strings.
 */
public interface RowSet extends AutoCloseable {
  boolean next();

  boolean isNull(int column);

  /** Raw bits of a fixed-width value: integers sign-extended, floats as their bits. 0 for NULL. */
  long raw(int column);

  /** Bytes of a string value (UTF-8 for characters); empty for NULL. */
  byte[] bytes(int column);

  /** A character value; empty for NULL. */
  String string(int column);

  @Override
  void close();
}
