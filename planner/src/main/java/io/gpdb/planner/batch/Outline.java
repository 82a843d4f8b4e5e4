package io.gpdb.planner.batch;

import io.gpdb.planner.statement.ParameterValues;
import java.util.ArrayList;
import java.util.List;

/** The lines of an EXPLAIN, deeper operators indented. */
public final class Outline {
  private Execution execution;
  private final List<String> lines = new ArrayList<>();
  private final QErrors errors = new QErrors();
  private int depth;

  public Outline(Execution execution) {
    this.execution = execution;
  }

  public Execution execution() {
    return execution;
  }

  /** All lines; where operators were run, the last says how good their estimates were. */
  public List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    String text = errors.text();
    if (!text.isEmpty()) {
      all.add(text);
    }
    return all;
  }

  /** A line of text at this depth. */
  public void line(String text) {
    lines.add("  ".repeat(depth) + text);
  }

  /** A line for an operator: what it does, where it runs, about how many rows it has. */
  public void operator(String what, String where, Source source) {
    long rows = Math.round(source.shownRows(execution));
    Measures measures = execution.measures();
    String cost = measures == null ? "" : measures.of(source);
    line(what + " [" + where + "] rows~" + rows + cost);
    if (measures != null && measures.rows(source) >= 0) {
      errors.add(what, (double) rows, (double) measures.rows(source));
    }
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
