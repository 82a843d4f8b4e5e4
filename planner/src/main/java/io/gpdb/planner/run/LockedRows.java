package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.TableWriter;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query, each of which locks the rows of tables that it is made of. All of them are
 * read before the first is locked; a row that is locked has not changed since.
 */
public final class LockedRows {
  private final Source source;
  private final int[] tableIds;
  private final int firstRowId;
  private final boolean skips;
  private final RowLimit limit;

  /**
   * @param tableIds by field, from the last ones: the table whose row id the field is, or NULL
   * @param skips whether rows that others hold are left out; OFFSET and LIMIT count the others
   */
  public LockedRows(
      Source source,
      int[] tableIds,
      boolean skips,
      @Nullable RexNode offset,
      @Nullable RexNode fetch) {
    this.source = source;
    this.tableIds = tableIds;
    this.skips = skips;
    this.firstRowId = source.columns().size() - tableIds.length;
    this.limit = new RowLimit(offset, fetch);
  }

  public Batches open(Execution x) {
    GatheredRows all = GatheredRows.of(source, x);
    try {
      if (!skips) {
        lockAll(x, all);
        return all.piecesAndEnd();
      }
      GatheredRows some = lockSome(x, all);
      all.close();
      return some.piecesAndEnd();
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  private void lockAll(Execution x, GatheredRows all) {
    try (Batches pieces = all.pieces()) {
      for (Batch batch = pieces.next(); batch != null; batch = pieces.next()) {
        try (Batch open = batch) {
          lockAll(x, open);
        }
      }
    }
  }

  private void lockAll(Execution x, Batch all) {
    for (int t = 0; t < tableIds.length; t++) {
      long[] rows = new long[all.rows()];
      int n = 0;
      HostBuffer ids = all.hostValues(firstRowId + t);
      for (int i = 0; i < rows.length; i++) {
        if (!all.isNull(firstRowId + t, i)) {
          rows[n++] = ids.longAt(i);
        }
      }
      x.transaction().writer(tableIds[t]).lock(rows, n);
    }
  }

  /** Locks rows in their order until there are enough, and returns those. */
  private GatheredRows lockSome(Execution x, GatheredRows all) {
    long skip = limit.offset(x);
    long fetch = limit.fetch(x);
    GatheredRows some = new GatheredRows(source.types());
    try (Batches pieces = all.pieces()) {
      for (Batch batch = pieces.next(); batch != null && fetch > 0; batch = pieces.next()) {
        try (Batch open = batch) {
          int[] chosen = new int[open.rows()];
          int count = 0;
          for (int i = 0; i < open.rows() && count < fetch; i++) {
            StopSignal.poll(i);
            if (tryLock(x, open, i)) {
              if (skip > 0) {
                skip--;
              } else {
                chosen[count++] = i;
              }
            }
          }
          fetch -= count;
          some.add(rows(open, chosen, count));
        }
      }
      some.end();
      return some;
    } catch (RuntimeException | Error e) {
      some.close();
      throw e;
    }
  }

  private boolean tryLock(Execution x, Batch all, int row) {
    for (int t = 0; t < tableIds.length; t++) {
      if (!all.isNull(firstRowId + t, row)) {
        TableWriter writer = x.transaction().writer(tableIds[t]);
        if (!writer.tryLock(all.hostValues(firstRowId + t).longAt(row))) {
          return false;
        }
      }
    }
    return true;
  }

  private DenseBatch rows(Batch all, int[] chosen, int count) {
    BatchMemory memory = new BatchMemory();
    DenseBatch some = new DenseBatch(count, source.columns().size(), memory);
    for (int f = 0; f < source.columns().size(); f++) {
      Concatenation column = new Concatenation(source.columns().get(f).type(), count, memory);
      for (int i = 0; i < count; i++) {
        column.add(all, f, chosen[i], 1);
      }
      DeviceBuffer validity = column.validity();
      some.set(f, column.values(), validity);
      if (source.columns().get(f).type().kind().isString()) {
        some.strings(f, all.strings(f));
      }
    }
    return some;
  }

  public void explain(Outline outline) {
    outline.line(
        "lock rows of "
            + (tableIds.length == 1 ? "1 table" : tableIds.length + " tables")
            + (skips ? ", skip locked " + limit.text() : ""));
    outline.below(source);
  }

  public void kernels(List<Kernel> kernels) {
    source.kernels(kernels);
  }
}
