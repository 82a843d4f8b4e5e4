package io.gpdb.planner.run.join;

import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a join: what it keeps in memory, streams and returns.
 *
 * @param needed fields that are asked for
 * @param columns of the join
 * @param hostRowsMax up to how many rows of either side the host joins
 */
record JoinRun(
    JoinArm arm,
    Execution x,
    BitSet needed,
    List<SourceColumn> columns,
    GridGather gather,
    int hostRowsMax) {
  /** The index may take 4 bytes for each streamed row, but a sixteenth of the memory left. */
  private static final long MEMORY_OF_A_PROBE = 64;

  /** Fields that are read of the kept side. */
  BitSet builtFields() {
    return arm.built.read(needed);
  }

  /** Fields that are read of the streamed side. */
  BitSet probedFields() {
    return arm.probed.read(needed);
  }

  /** Whether rows of the streamed side come that make no pair. */
  boolean returnsUnmatched() {
    return arm.kind() == GridHashJoin.Kind.LEFT || arm.kind() == GridHashJoin.Kind.ANTI;
  }

  /** Joins the same rows another way: what comes of each streamed row. */
  JoinRun as(GridHashJoin.Kind kind) {
    return new JoinRun(arm.as(kind), x, needed, columns, gather, hostRowsMax);
  }

  /** Which streamed rows have no partner, with the fields that are read of them. */
  JoinRun antijoin() {
    return new JoinRun(
        arm.as(GridHashJoin.Kind.ANTI),
        x,
        probedFields(),
        arm.probed.source().columns(),
        gather,
        hostRowsMax);
  }

  /**
   * The rows with their index, which may raise errors of their keys.
   *
   * @param held closed with the table, or where this fails
   */
  JoinTable table(DenseBatch held) {
    JoinTable table = new JoinTable(arm, x, held, hostRowsMax, 0);
    try {
      table.begin();
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /**
   * As {@link #table}; null where the table would take more than half of the memory left, which
   * what comes after it needs, too.
   *
   * @param held the caller's where there is no table
   * @param rows how many are about to be streamed past it
   */
  @Nullable JoinTable tableThatFits(DenseBatch held, long rows) {
    MemoryAccount account = MemoryAccount.current();
    long before = account.availableBytes();
    long probes = Math.min(rows, before / MEMORY_OF_A_PROBE);
    JoinTable table = new JoinTable(arm, x, held, hostRowsMax, probes);
    try {
      table.begin();
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !account.canSpill()) {
        throw e;
      }
      return null;
    }
    long after = account.availableBytes();
    if (account.canSpill() && before - after + held.rows() * rowBytes() > after) {
      table.dropIndex();
      return null;
    }
    return table;
  }

  /** Bytes of a kept row, without its share of the bitmaps and of the index. */
  long rowBytes() {
    return bytes(arm.built.source().columns(), builtFields());
  }

  /** Bytes of a streamed row, without its share of the bitmaps. */
  long probedRowBytes() {
    return bytes(arm.probed.source().columns(), probedFields());
  }

  private static long bytes(List<SourceColumn> columns, BitSet fields) {
    return fields.stream().mapToLong(i -> columns.get(i).type().element().bytes()).sum();
  }

  /** About what a kept row and its index take at most, while the index is made. */
  long workBytes() {
    return rowBytes() + 16L * arm.built.keys().size() + 56;
  }

  /** The rows of the kept side. */
  Batches openedBuild() {
    return arm.built.source().open(x, builtFields());
  }

  /** The streamed rows. */
  Batches openedProbe() {
    return arm.probed.source().open(x, probedFields());
  }

  /**
   * The streamed rows, for a join with these kept ones. Where many are expected, and those that
   * make no pair are not returned, some of these are left out.
   */
  Batches openedProbe(DenseBatch held) {
    ScanFilter filter = ScanFilter.of(this, held);
    return filter == null
        ? openedProbe()
        : arm.probed.source().openAmong(x, probedFields(), filter.field(), filter.keys());
  }

  /** The rows of the join, of these streamed rows. */
  Batches probed(JoinTable table, Batches rows) {
    boolean outer = arm.kind() == GridHashJoin.Kind.LEFT;
    JoinColumns picked =
        new JoinColumns(columns, needed, arm.probed, arm.built, table.held(), outer, gather);
    return new ProbedJoin(picked, table, rows);
  }
}
