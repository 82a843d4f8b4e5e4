package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recursive query: the rows of a seed, then again and again those that a step makes of the rows
 * of the iteration before, until there are none. UNION leaves out the rows that came before.
 *
 * <pre>
 *   seed ──→ new rows ──→ out
 *              ↑    └──→ working table
 *             step ←───────────┘
 * </pre>
 *
 * Rows come out as soon as they are known, first those of each iteration by themselves, later
 * thousands together. An error of a step is raised when the rows before it have been read. Each
 * working table has strings of its own, so that what a step computes of strings is computed for
 * those of one iteration only.
 */
public final class RecursionSource extends Source {
  /** So many rows come out iteration by iteration. */
  private static final int SINGLE_ROWS = 1024;

  private static final double ITERATIONS_ASSUMED = 10;

  private final boolean all;
  private final Source seed;
  private final WorkingTable table;
  private final Source stepOfFew;
  private final Source step;

  /**
   * @param all whether equal rows come out each
   * @param stepOfFew the step for a working table of few rows
   */
  public RecursionSource(
      List<SourceColumn> columns,
      boolean all,
      Source seed,
      WorkingTable table,
      Source stepOfFew,
      Source step) {
    super(columns);
    this.all = all;
    this.seed = seed;
    this.table = table;
    this.stepOfFew = stepOfFew;
    this.step = step;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return new Iterations(x);
  }

  /** One execution: what the current iteration reads, what it still makes, and what it has made. */
  private final class Iterations implements Batches {
    private final Execution x;
    private final SqlTypeSpec[] types = types().toArray(SqlTypeSpec[]::new);
    private final RowsBuilder out = new RowsBuilder(types());
    private final @Nullable DistinctRows known;
    private final long[] raw = new long[types.length];

    /** The row being read as it is compared: a word for each field, then bits of NULLs. */
    private final long[] words = new long[types.length + (types.length - 1) / Long.SIZE + 1];

    private final List<Batch> made = new ArrayList<>();
    private RowsBuilder making = new RowsBuilder(types());
    private @Nullable DenseBatch working;
    private @Nullable Batches rows;
    private @Nullable Batch batch;
    private int row;
    private long returned;
    private boolean ended;
    private @Nullable GpdbException failure;

    Iterations(Execution x) {
      this.x = x;
      known = all ? null : new DistinctRows(words.length);
    }

    @Override
    public @Nullable Batch next() {
      try {
        fill();
      } catch (GpdbException e) {
        if (out.rows() == 0) {
          throw e;
        }
        failure = e;
        ended = true;
      }
      returned += out.rows();
      return out.rows() == 0 ? null : out.batch();
    }

    private void fill() {
      GpdbException late = failure;
      if (late != null) {
        throw late;
      }
      if (rows == null && !ended) {
        rows = seed.open(x);
      }
      while (!ended && !out.isFull()) {
        Batch current = advance();
        if (current == null) {
          if (returned < SINGLE_ROWS && out.rows() > 0) {
            return; // of this iteration
          }
          iterate();
        } else {
          if (out.rows() == 0) {
            out.makeRoom(returned < SINGLE_ROWS ? current.rows() - row : RowsBuilder.ROWS);
          }
          take(current, row++);
        }
      }
    }

    /** The batch of the next row of the iteration; null after the last. */
    private @Nullable Batch advance() {
      Batch current = batch;
      while (current == null || row == current.rows()) {
        if (current != null) {
          current.close();
        }
        row = 0;
        current = rows == null ? null : rows.next();
        batch = current;
        if (current == null) {
          return null;
        }
      }
      return current;
    }

    /** Makes the rows of this iteration the working table of the next one. */
    private void iterate() {
      StopSignal.poll();
      closeRows();
      if (making.rows() > 0) {
        made.add(making.batch());
      }
      if (made.isEmpty()) {
        ended = true;
        return;
      }
      making = new RowsBuilder(types());
      BitSet fields = new BitSet();
      fields.set(0, types.length);
      Batches taken = Batches.ofAll(List.copyOf(made));
      made.clear();
      DenseBatch next = Materialized.of(table, taken, fields);
      working = next;
      Execution inner = x.holding(Map.of(table, next));
      rows = (next.rows() <= FewRows.ROWS_MAX ? stepOfFew : step).open(inner);
    }

    private void take(Batch from, int number) {
      StopSignal.poll(number);
      for (int i = 0; i < types.length; i++) {
        boolean isNull = from.isNull(i, number);
        raw[i] = isNull ? 0 : raw(i, from, number);
        words[i] = types[i].element().keyOf(raw[i]);
        int nulls = types.length + i / Long.SIZE;
        words[nulls] = isNull ? words[nulls] | 1L << i : words[nulls] & ~(1L << i);
      }
      if (known == null || known.add(words)) {
        for (int i = 0; i < types.length; i++) {
          add(i, from, number);
        }
        out.endRow();
        making.endRow();
        if (making.isFull()) {
          made.add(making.batch());
        }
      }
    }

    /** The bits of a value as it comes out. */
    private long raw(int field, Batch from, int number) {
      long found = types[field].element().rawAt(from.hostValues(field), number);
      return types[field].kind().isString()
          ? out.intern(field, from.strings(field).bytes((int) found))
          : found;
    }

    private void add(int field, Batch from, int number) {
      if (from.isNull(field, number)) {
        out.set(field, null);
        making.set(field, null);
        return;
      }
      out.setRaw(field, raw[field]);
      long ofWorking = raw[field];
      if (types[field].kind().isString()) {
        long code = types[field].element().rawAt(from.hostValues(field), number);
        ofWorking = making.intern(field, from.strings(field).bytes((int) code));
      }
      making.setRaw(field, ofWorking);
    }

    private void closeRows() {
      if (batch != null) {
        batch.close();
        batch = null;
      }
      if (rows != null) {
        rows.close();
        rows = null;
      }
      if (working != null) {
        working.close();
        working = null;
      }
    }

    @Override
    public void close() {
      closeRows();
      made.forEach(Batch::close);
      making.discard();
      out.discard();
      if (known != null) {
        known.close();
      }
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return seed.estimatedRows(x) * ITERATIONS_ASSUMED;
  }

  @Override
  public void explain(Outline outline) {
    outline.operator(all ? "recursive union all" : "recursive union", "host", this);
    outline.below(seed);
    outline.below(stepOfFew);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    seed.kernels(kernels);
    stepOfFew.kernels(kernels);
    step.kernels(kernels);
  }
}
