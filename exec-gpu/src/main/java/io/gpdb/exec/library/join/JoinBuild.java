package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.GroupTable;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The build side of a {@link GridHashJoin}. Probing is thread-safe; close it when all probes are
 * done.
 *
 * <pre>
 *   starts   i64 per key number, and one more: the key's rows are order[starts[k]..starts[k+1]);
 *            none where every key has one row: order[k] is it
 *   order    i32 build rows
 * </pre>
 */
public final class JoinBuild implements AutoCloseable {
  final GridHashJoin plan;
  private final Scratch scratch = new Scratch();
  private @Nullable KeyRanks ranks;
  private @Nullable GroupTable table;
  private DeviceBuffer starts = HostBuffer.NONE;
  private DeviceBuffer order = HostBuffer.NONE;
  private boolean unique = true;

  JoinBuild(GridHashJoin plan) {
    this.plan = plan;
  }

  void fill(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    order = scratch.ints(Math.max(1, rows));
    try (Scratch local = new Scratch()) {
      DeviceBuffer slotOf = local.ints(rows);
      DeviceBuffer staged = local.longs((long) rows * words());
      if (rows > 0) {
        plan.staging.run(bindings, rows, live, staged, slotOf);
      }
      KeySpace space =
          plan.wholeNumbers
              ? KeyRanks.space(plan.rankKernels, words(), staged, slotOf, rows)
              : null;
      if (space != null) {
        byRank(local, space, staged, slotOf, rows);
      } else {
        byHash(local, staged, slotOf, rows);
      }
    }
  }

  private int words() {
    return plan.buildWords.count();
  }

  private void byRank(
      Scratch local, KeySpace space, DeviceBuffer staged, DeviceBuffer slotOf, int rows) {
    KeyRanks made =
        KeyRanks.of(plan.rankKernels, plan.prefix, space, staged, slotOf, rows, scratch);
    ranks = made;
    if (rows == 0) {
      return;
    }
    unique = made.keys() == plan.joinKernels.participants(slotOf, rows);
    if (unique) {
      made.rows(plan.rankKernels, staged, slotOf, rows, order);
    } else {
      DeviceBuffer groupOf = slotOf; // -1 in both for rows that take no part
      made.numbers(plan.rankKernels, staged, slotOf, rows, groupOf);
      index(local, groupOf, rows, made.keys());
    }
  }

  private void byHash(Scratch local, DeviceBuffer staged, DeviceBuffer slotOf, int rows) {
    GroupTable made = new GroupTable(plan.tableKernels, words());
    table = made;
    made.prepare();
    if (rows == 0) {
      return;
    }
    made.assign(staged, slotOf, rows);
    DeviceBuffer groupOf = local.ints(rows);
    made.resolve(slotOf, rows, groupOf);
    unique = made.groups() == plan.joinKernels.participants(groupOf, rows);
    if (unique) {
      plan.joinKernels.place(groupOf, rows, order);
    } else {
      index(local, groupOf, rows, made.groups());
    }
  }

  /** Sorts the rows by key. */
  private void index(Scratch local, DeviceBuffer groupOf, int rows, int keys) {
    DeviceBuffer counts = local.ints(keys + 1L);
    counts.fill((byte) 0);
    plan.joinKernels.count(groupOf, rows, counts);
    starts = scratch.longs(keys + 1L);
    plan.prefix.offsets(counts, keys + 1, starts);
    plan.groupOrder.sortByGroup(groupOf, rows, local.longs(rows), order);
  }

  /** Batches of the probe side that are joined together. */
  public JoinWindow start() {
    return new JoinWindow(this);
  }

  /** Whether no key has two rows, so that no probe row makes two pairs. */
  public boolean isUnique() {
    return unique;
  }

  JoinProbe.Form form() {
    return new JoinProbe.Form(ranks != null, unique);
  }

  /** Binds what a probe looks keys up in. */
  void bind(Arguments arguments) {
    KeyRanks byRank = ranks;
    GroupTable byHash = table;
    if (byRank != null) {
      byRank.space().bind(arguments).buffer(KeyRankKernels.RANKS, byRank.words());
    } else if (byHash != null) {
      arguments
          .scalar(JoinProbe.SLOT_MASK, byHash.capacity() - 1)
          .buffer(JoinProbe.SLOTS, byHash.slots())
          .buffer(JoinProbe.KEYS, byHash.keys());
    }
    if (unique) {
      arguments.buffer(JoinProbe.ORDER, order);
    }
  }

  /** Where keys have several rows. */
  JoinPairs.RowsOfKeys rowsOfKeys() {
    return new JoinPairs.RowsOfKeys(starts, order);
  }

  @Override
  public void close() {
    if (table != null) {
      table.close();
    }
    scratch.close();
  }
}
