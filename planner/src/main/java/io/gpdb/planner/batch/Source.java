package io.gpdb.planner.batch;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.planner.query.ColumnRanges;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planned operator, which returns rows in batches. Immutable; executed by several threads at
 * once.
 */
public abstract class Source {
  private final List<SourceColumn> columns;
  private final List<SqlTypeSpec> types;
  private double expectedRows = Double.NaN;

  public Source(List<SourceColumn> columns) {
    this.columns = List.copyOf(columns);
    this.types = columns.stream().map(SourceColumn::type).toList();
  }

  public final List<SourceColumn> columns() {
    return columns;
  }

  public final List<SqlTypeSpec> types() {
    return types;
  }

  /** Starts the operator, for rows with all their fields. */
  public final Batches open(Execution x) {
    BitSet all = new BitSet();
    all.set(0, columns.size());
    return open(x, all);
  }

  /** Starts the operator; only the fields in {@code needed} are read. */
  public final Batches open(Execution x, BitSet needed) {
    StopSignal.poll();
    Measures measures = x.measures();
    return measures == null ? start(x, needed) : measures.measured(this, () -> start(x, needed));
  }

  /**
   * As {@link #open(Execution, BitSet)}, for whoever has no use for rows without one of those keys
   * in a field: some or all of these may be left out.
   */
  public final Batches openAmong(Execution x, BitSet needed, int field, KeyFilter keys) {
    StopSignal.poll();
    Measures measures = x.measures();
    return measures == null
        ? startAmong(x, needed, field, keys)
        : measures.measured(this, () -> startAmong(x, needed, field, keys));
  }

  /**
   * As {@link #open(Execution, BitSet)}, for whoever has no use for rows that are not in those
   * ranges of the stored table's columns: some or all of these may be left out.
   *
   * @param device whose host's threads may find them
   */
  public final Batches openWithin(Execution x, BitSet needed, Device device, ColumnRanges ranges) {
    StopSignal.poll();
    Measures measures = x.measures();
    return measures == null
        ? startWithin(x, needed, device, ranges)
        : measures.measured(this, () -> start(x, needed));
  }

  /**
   * As {@link #open(Execution, BitSet)}, for whoever only binds the batches to kernels: some of
   * their fields may be such as a kernel looks up ({@link Batch#found}). A trap of a launch over
   * such batches passes as it is: what is read by {@link #open(Execution, BitSet)} says which row.
   */
  public final Batches openForKernels(Execution x, BitSet needed) {
    StopSignal.poll();
    Measures measures = x.measures();
    return measures == null
        ? startForKernels(x, needed)
        : measures.measured(this, () -> startForKernels(x, needed));
  }

  /** Whether any row comes; for a source without rows that do not exist. */
  public final boolean hasRows(Execution x) {
    try (Batches batches = open(x, new BitSet())) {
      while (true) {
        try (Batch batch = batches.next()) {
          if (batch == null || batch.rows() > 0) {
            return batch != null;
          }
        }
      }
    }
  }

  /** As {@link #open(Execution, BitSet)}. */
  public abstract Batches start(Execution x, BitSet needed);

  /** As {@link #openForKernels}. */
  public Batches startForKernels(Execution x, BitSet needed) {
    return start(x, needed);
  }

  /** As {@link #openAmong}. */
  protected Batches startAmong(Execution x, BitSet needed, int field, KeyFilter keys) {
    return start(x, needed);
  }

  /** As {@link #openWithin}. */
  protected Batches startWithin(Execution x, BitSet needed, Device device, ColumnRanges ranges) {
    return start(x, needed);
  }

  /** Whether {@link #openForKernels} returns more than {@link #open(Execution, BitSet)} does. */
  public boolean canBeFused() {
    return false;
  }

  /** About how many rows come, as this operator knows by itself when it is run. */
  public abstract double estimatedRows(Execution x);

  /** Says how many rows the model of the joins' order expects, while a plan is made to be shown. */
  public final void expect(double rows) {
    if (!Double.isNaN(rows)) {
      expectedRows = rows;
    }
  }

  /** Says that all rows of those inputs come, as many as the model expects of them. */
  protected final void expectAllOf(List<Source> inputs) {
    expect(inputs.stream().mapToDouble(input -> input.expectedRows).sum());
  }

  /** What the model expects; where it was not asked, what the operator knows. */
  final double shownRows(Execution x) {
    return Double.isNaN(expectedRows) ? estimatedRows(x) : expectedRows;
  }

  /** Adds a line for this operator and what is below it. */
  public abstract void explain(Outline outline);

  /** Adds the kernels that this operator and those below it launch. */
  public abstract void kernels(List<Kernel> kernels);

  /** Whether its batches may have rows that do not exist ({@link Batch#live}). */
  public boolean hasDeadRows() {
    return false;
  }

  /** Whether the first batch knows the strings of all batches. */
  public boolean hasSettledStrings() {
    return false;
  }

  /** Whether it never has more than one row, so that no kernel is worth its launch. */
  public boolean isOneRow() {
    return false;
  }

  /** The table whose rows come, as they are stored; null where others do. */
  public @Nullable TableDef storedTable() {
    return null;
  }

  /** The field that is the row id of a stored table, -1 where there is none. */
  public int rowIdField() {
    return -1;
  }
}
