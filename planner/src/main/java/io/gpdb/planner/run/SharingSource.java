package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.ForwardingBatches;
import io.gpdb.planner.batch.LentBatch;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsOnce;
import io.gpdb.planner.batch.Source;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan of which several operators read the same rows: these are kept from the first that asks for
 * them to the end of the execution. Where they take more than a share of the memory left, or where
 * one of them raises an error, which an operator that needs few of them may not reach, each
 * operator finds them for itself.
 */
public final class SharingSource extends Source {
  /** Kept rows may take one part in this many of the memory left. */
  private static final int SHARE_MEMORY_MAX = 4;

  private final Source input;
  private final List<SharedSource> shared;

  /**
   * @param shared what operators of the input read several times
   */
  public SharingSource(Source input, List<SharedSource> shared) {
    super(input.columns());
    this.input = input;
    this.shared = List.copyOf(shared);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Map<Source, RowsOnce> shares = new HashMap<>();
    List<Rows> rows = new ArrayList<>();
    for (SharedSource each : shared) {
      Rows once = new Rows(each, x);
      shares.put(each, once);
      rows.add(once);
    }
    try {
      return new Sharing(input.open(x.sharing(shares), needed), rows);
    } catch (RuntimeException | Error e) {
      rows.forEach(Rows::close);
      throw e;
    }
  }

  /** One execution, with the rows that are kept for it. */
  private static final class Sharing extends ForwardingBatches {
    private final List<Rows> rows;

    Sharing(Batches batches, List<Rows> rows) {
      super(batches);
      this.rows = rows;
    }

    @Override
    public void close() {
      try {
        super.close();
      } finally {
        rows.forEach(Rows::close);
      }
    }
  }

  /** The rows of one source. */
  private static final class Rows implements RowsOnce {
    private final Source source;
    private final BitSet fields;
    private final Execution x;
    private @Nullable DenseBatch kept;
    private boolean isTried;

    Rows(SharedSource shared, Execution x) {
      source = shared.input();
      fields = shared.read();
      this.x = x;
    }

    @Override
    public Batches open(BitSet needed) {
      BitSet others = (BitSet) needed.clone();
      others.andNot(fields);
      if (!others.isEmpty()) {
        return source.open(x, needed);
      }
      if (!isTried) {
        isTried = true;
        kept = found();
      }
      DenseBatch rows = kept;
      if (rows == null) {
        return source.open(x, needed);
      }
      return Batches.of(rows.rows() == 0 ? null : new LentBatch(rows));
    }

    /** All rows, or null where they are not to be kept. */
    private @Nullable DenseBatch found() {
      try (HeldRows held = new HeldRows(source, fields);
          Batches stream = source.open(x, fields)) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
          long bytes = held.rows() * Math.max(1, held.rowBytes());
          if (!MemoryAccount.current().hasRoomFor((SHARE_MEMORY_MAX - 1) * bytes)) {
            return null;
          }
        }
        return held.taken();
      } catch (GpdbException e) {
        if (DataErrors.isOne(e)) {
          return null;
        }
        throw e;
      }
    }

    @Override
    public long rows() {
      DenseBatch rows = kept;
      return rows == null ? -1 : rows.rows();
    }

    void close() {
      DenseBatch rows = kept;
      if (rows != null) {
        kept = null;
        rows.close();
      }
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public boolean isOneRow() {
    return input.isOneRow();
  }

  @Override
  public double estimatedRows(Execution x) {
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    input.explain(outline);
    for (SharedSource each : shared) {
      outline.line(each.text() + ":");
      outline.below(each.input());
    }
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
