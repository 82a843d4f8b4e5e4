package io.gpdb.planner;

import io.gpdb.planner.statement.RowSet;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lines of text as the rows of one column: what EXPLAIN returns. */
final class TextRowSet implements RowSet {
  private final List<String> lines;
  private int at = -1;

  TextRowSet(List<String> lines) {
    this.lines = lines;
  }

  @Override
  public boolean next() {
    at++;
    return at < lines.size();
  }

  @Override
  public boolean isNull(int column) {
    return false;
  }

  @Override
  public long raw(int column) {
    throw new IllegalStateException("column " + column + " is a string");
  }

  @Override
  public byte[] bytes(int column) {
    return string(column).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String string(int column) {
    return lines.get(at);
  }

  @Override
  public void close() {
    at = lines.size();
  }
}
