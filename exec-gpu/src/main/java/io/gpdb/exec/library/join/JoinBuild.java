package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.join.JoinProbe.Rows;
import io.gpdb.exec.library.join.KeyLook.Lookup;
import io.gpdb.exec.library.key.GroupTable;
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
 *   order    i32 build rows; none where keys ascend with rows: k is the row
 * </pre>
 *
 * Semi- and antijoins ask whether a key occurs and have neither, as if keys had several rows.
 */
public final class JoinBuild implements AutoCloseable {
  final GridHashJoin plan;
  private final Scratch scratch = new Scratch();
  private @Nullable KeyRanks ranks;
  private @Nullable KeySpace places;
  private @Nullable GroupTable table;
  private DeviceBuffer starts = HostBuffer.NONE;
  private DeviceBuffer order = HostBuffer.NONE;
  private Rows rowsOfNumbers = Rows.ORDERED;

  JoinBuild(GridHashJoin plan) {
    this.plan = plan;
  }

  void fill(LaneBindings bindings, int rows, @Nullable DeviceBuffer live, long probes) {
    try (Scratch local = new Scratch()) {
      DeviceBuffer slotOf = local.ints(rows);
      DeviceBuffer staged = local.longs((long) rows * words());
      if (rows > 0) {
        plan.staging.run(bindings, rows, live, staged, slotOf);
      }
      KeyBox box =
          plan.wholeNumbers
              ? KeyBox.of(plan.rankKernels, words(), staged, slotOf, rows, probes)
              : null;
      if (box == null) {
        byHash(local, staged, slotOf, rows);
      } else if (box.ascending() && box.space().size() == rows) {
        places = box.space();
        rowsOfNumbers = Rows.SAME;
      } else {
        byRank(local, box, staged, slotOf, rows);
      }
    }
  }

  private int words() {
    return plan.buildWords.count();
  }

  private void byRank(
      Scratch local, KeyBox box, DeviceBuffer staged, DeviceBuffer slotOf, int rows) {
    KeyRanks made =
        KeyRanks.of(plan.rankKernels, plan.bits, box.space(), staged, slotOf, rows, scratch);
    ranks = made;
    if (!JoinProbe.writesMatches(plan.kind)) {
      rowsOfNumbers = Rows.SEVERAL;
    } else if (box.ascending()) {
      rowsOfNumbers = Rows.SAME;
    } else if (made.keys() == plan.joinKernels.participants(slotOf, rows)) {
      order = scratch.ints(rows);
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
    if (!JoinProbe.writesMatches(plan.kind)) {
      rowsOfNumbers = Rows.SEVERAL;
      made.assign(staged, slotOf, rows);
      return;
    }
    order = scratch.ints(Math.max(1, rows));
    if (rows == 0) {
      return;
    }
    made.assign(staged, slotOf, rows);
    DeviceBuffer groupOf = local.ints(rows);
    made.resolve(slotOf, rows, groupOf);
    if (made.groups() == plan.joinKernels.participants(groupOf, rows)) {
      plan.joinKernels.place(groupOf, rows, order);
    } else {
      index(local, groupOf, rows, made.groups());
    }
  }

  /** Sorts the rows by key. */
  private void index(Scratch local, DeviceBuffer groupOf, int rows, int keys) {
    rowsOfNumbers = Rows.SEVERAL;
    order = scratch.ints(rows);
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
    return rowsOfNumbers != Rows.SEVERAL;
  }

  /** Whether a kernel that reads the pairs can look them up itself. */
  public boolean canBeFused() {
    return table == null && (isUnique() || !JoinProbe.writesMatches(plan.kind));
  }

  JoinProbe.Form form() {
    Lookup lookup = places != null ? Lookup.PLACES : ranks != null ? Lookup.RANKS : Lookup.HASH;
    return new JoinProbe.Form(lookup, rowsOfNumbers);
  }

  /** Binds what a probe looks keys up in. */
  void bind(Arguments arguments) {
    KeyRanks byRank = ranks;
    KeySpace byPlace = places;
    GroupTable byHash = table;
    if (byPlace != null) {
      byPlace.bind(arguments);
    } else if (byRank != null) {
      byRank.space().bind(arguments).buffer(KeyRankKernels.RANKS, byRank.words());
    } else if (byHash != null) {
      arguments
          .scalar(KeyLook.SLOT_MASK, byHash.capacity() - 1)
          .buffer(KeyLook.SLOTS, byHash.slots())
          .buffer(KeyLook.KEYS, byHash.keys());
    }
    if (rowsOfNumbers == Rows.ORDERED) {
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
