package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
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
    private final RowFields fields = new RowFields(types());
    private final RowsBuilder out = new RowsBuilder(types());
    private final @Nullable KnownRows known;
    private final long[] words = fields.newRow();
    private RowsBuilder making = new RowsBuilder(types());
    private GatheredRows made = new GatheredRows(types());
    private @Nullable GatheredRows working;
    private @Nullable Batches rows;
    private @Nullable Batch batch;
    private int row;
    private long returned;
    private boolean ended;
    private @Nullable GpdbException failure;

    Iterations(Execution x) {
      this.x = x;
      known = all ? null : new KnownRows(fields.layout());
    }

    @Override
    public @Nullable Batch next() {
      try {
        fill();
      } catch (GpdbException e) {
        if (failure != null) {
          throw e;
        }
        failure = e;
        fill();
      }
      returned += out.rows();
      return out.rows() == 0 ? null : out.batch();
    }

    private void fill() {
      if (rows == null && !ended && failure == null) {
        rows = seed.open(x);
      }
      while (!ended && !out.isFull()) {
        if (known != null && known.next(words)) {
          take();
        } else if (failure != null) {
          endWith(failure);
          if (out.rows() > 0) {
            return;
          }
        } else {
          Batch current = advance();
          if (current == null) {
            if (known != null && known.settle()) {
              continue;
            }
            if (returned < SINGLE_ROWS && out.rows() > 0) {
              return; // of this iteration
            }
            iterate();
          } else if (known == null) {
            fields.read(current, row++, out, words);
            take();
          } else if (!known.isFull() || !known.settle()) {
            fields.read(current, row++, out, words);
            known.add(words);
          }
        }
      }
    }

    /** Raises an error when all rows before it have come. */
    private void endWith(GpdbException error) {
      if ((known == null || !known.settle()) && out.rows() == 0) {
        throw error;
      }
    }

    /** The batch of the next row of the iteration; null after the last. */
    private @Nullable Batch advance() {
      Batch current = batch;
      while (current == null || row == current.rows()) {
        if (current != null) {
          batch = null;
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
      if (made.rows() == 0) {
        ended = true;
        return;
      }
      GatheredRows next = made;
      working = next;
      made = new GatheredRows(types());
      making = new RowsBuilder(types());
      next.end();
      Execution inner = x.sharing(Map.of(table, next));
      rows = (next.rows() <= FewRows.ROWS_MAX ? stepOfFew : step).open(inner);
    }

    /** Takes a row that comes out. */
    private void take() {
      if (out.rows() == 0) {
        out.makeRoom(returned < SINGLE_ROWS ? rowsLeft() : RowsBuilder.ROWS);
      }
      fields.add(words, out, out);
      fields.add(words, out, making);
      if (making.isFull()) {
        made.add(making.batch());
      }
    }

    /** How many rows may come of those that are known by now, this one too. */
    private int rowsLeft() {
      Batch current = batch;
      int ofBatch = current == null ? 0 : current.rows() - row;
      return 1 + ofBatch + (known == null ? 0 : known.waiting());
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
      made.close();
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
