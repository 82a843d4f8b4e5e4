package io.gpdb.planner.batch;

import io.gpdb.planner.statement.ParameterValues;
import java.util.ArrayList;
import java.util.List;

/** The lines of an EXPLAIN, deeper operators indented. */
public final class Outline {
  private Execution execution;
  private final List<String> lines = new ArrayList<>();
  private int depth;

  public Outline(Execution execution) {
    this.execution = execution;
  }

  public Execution execution() {
    return execution;
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** A line of text at this depth. */
  public void line(String text) {
    lines.add("  ".repeat(depth) + text);
  }

  /** A line for an operator: what it does, where it runs, about how many rows it has. */
  public void operator(String what, String where, Source source) {
    long rows = Math.round(source.estimatedRows(execution));
    Measures measures = execution.measures();
    String cost = measures == null ? "" : measures.of(source);
    line(what + " [" + where + "] rows~" + rows + cost);
  }

  /** The operators below, which run with other values bound. */
  public void below(Source source, ParameterValues values) {
    Execution outer = execution;
    execution = outer.with(values);
    below(source);
    execution = outer;
  }

  /** The operators below. */
  public void below(Source source) {
    depth++;
    source.explain(this);
    depth--;
  }
}
