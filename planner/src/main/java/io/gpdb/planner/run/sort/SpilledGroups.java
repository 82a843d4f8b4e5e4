package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.sort.WindowSlices.Slice;
import io.gpdb.planner.window.GroupedRows;
import io.gpdb.planner.window.SpilledWindow;
import io.gpdb.planner.window.WindowGroup;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/**
 * GROUP BY of sorted rows that memory has no room for: they are sorted in runs by the keys and the
 * first order, and cut into slices of whole groups. The other orders sort each slice again: in
 * memory, or, where a group has no room there, in runs of its own. Groups and their values are
 * those of all rows in memory: what an order leaves open is the order of the input, whose numbers
 * the rows have with them where there is more than one order.
 */
final class SpilledGroups implements AutoCloseable {
  private final Device device;
  private final RexBuilder rexBuilder;
  private final Execution x;
  private final List<WindowGroup> groups;

  /** Of the input's fields, and a number. */
  private final List<SqlTypeSpec> types;

  private final List<SqlTypeSpec> resultTypes;
  private final RowsInOrder rows;
  private final Map<Integer, StringDomain.Made> made = new HashMap<>();

  /**
   * @param types of the input's fields
   * @param groups the calls by their orders, all with the same keys
   * @param read the input's fields that are
   * @param resultTypes of the keys and the calls
   */
  SpilledGroups(
      Device device,
      RexBuilder rexBuilder,
      Execution x,
      List<SqlTypeSpec> types,
      List<WindowGroup> groups,
      BitSet read,
      List<SqlTypeSpec> resultTypes) {
    this.device = device;
    this.rexBuilder = rexBuilder;
    this.x = x;
    this.groups = groups;
    this.types = RowsInOrder.withNumber(types);
    this.resultTypes = resultTypes;
    BitSet fields = (BitSet) read.clone();
    fields.set(types.size(), groups.size() > 1);
    rows =
        new RowsInOrder(
            device, rexBuilder, x, this.types, fields, groups.getFirst().sortKeys(), "group");
  }

  /** What a row takes while groups are found: it twice, what sorting it takes, and results. */
  static long workBytes(long rowBytes, List<WindowGroup> groups) {
    long bytes = 0;
    int keys = 1;
    for (WindowGroup group : groups) {
      bytes += group.resultBytes();
      keys = Math.max(keys, group.sortKeys().size() + 1);
    }
    return bytes + SortSource.workBytes(rowBytes + Long.BYTES, keys);
  }

  /** Takes the rows over, which are the next of the input. */
  void add(HeldRows held) {
    rows.addNumbered(held);
  }

  /** The groups, when all rows were added; this is closed with them. */
  Batches results() {
    WindowSlices slices =
        new WindowSlices(
            rows.sorted(),
            types,
            rows.fields(),
            groups.getFirst().partition(),
            workBytes(rows.rowBytes(), groups));
    Batches found =
        new Batches() {
          @Override
          public @Nullable Batch next() {
            return grouped(slices.next());
          }

          @Override
          public void close() {
            slices.close();
          }
        };
    return groups.stream().anyMatch(WindowGroup::makesStrings) ? settled(found) : found;
  }

  /** The groups when all strings are known that calls make. */
  private Batches settled(Batches found) {
    BitSet all = new BitSet();
    all.set(0, resultTypes.size());
    SpilledRows file = new SpilledRows(resultTypes, all);
    List<Range> ranges = new ArrayList<>();
    try (Batches open = found) {
      for (Batch batch = open.next(); batch != null; batch = open.next()) {
        try (Batch written = batch) {
          ranges.add(file.write(written));
        }
      }
      long rowBytes = new HeldRows(resultTypes, all).rowBytes();
      return file.rowsAndEnd(ranges, HeldRows.rowsToRead(rowBytes));
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private @Nullable Batch grouped(@Nullable Slice slice) {
    return switch (slice) {
      case null -> null;
      case Slice.Held(DenseBatch held) -> {
        SpilledRows file;
        List<Range> ranges;
        try (held) {
          DenseBatch found = inMemory(held);
          if (found != null) {
            yield found;
          }
          file = new SpilledRows(types, rows.fields());
          ranges = List.of(file.write(held));
        }
        yield inFile(file, ranges);
      }
      case Slice.Spilled(SpilledRows file, List<Range> ranges) -> inFile(file, ranges);
    };
  }

  /** Null where memory has no room for it. */
  private @Nullable DenseBatch inMemory(DenseBatch held) {
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch result = null;
      for (WindowGroup group : groups) {
        try (BatchMemory scratch = new BatchMemory()) {
          HostBuffer order =
              result == null
                  ? null
                  : new RowOrder(device, rexBuilder, types, numberedKeys(group), "group")
                      .permutation(x, held, scratch)
                      .onHost();
          result = added(result, new GroupedRows(group, held, types, order), memory);
        }
      }
      return Objects.requireNonNull(result);
    } catch (RuntimeException | Error e) {
      memory.close();
      if (e instanceof GpdbException failure && failure.code() == ErrorCode.OUT_OF_MEMORY) {
        return null;
      }
      throw e;
    }
  }

  private List<RelFieldCollation> numberedKeys(WindowGroup group) {
    List<RelFieldCollation> keys = new ArrayList<>(group.sortKeys());
    keys.add(new RelFieldCollation(types.size() - 1));
    return keys;
  }

  /**
   * @param known null before the first order
   */
  private DenseBatch added(@Nullable DenseBatch known, GroupedRows grouped, BatchMemory memory) {
    DenseBatch result = known;
    if (result == null) {
      result = new DenseBatch(grouped.count(), resultTypes.size(), memory).withoutRowNumbers();
      grouped.putKeys(result);
    }
    grouped.putCalls(result, field -> made.computeIfAbsent(field, _ -> new StringDomain.Made()));
    return result;
  }

  /** Takes the file over. */
  private DenseBatch inFile(SpilledRows file, List<Range> ranges) {
    BatchMemory memory = new BatchMemory();
    try (SpilledWindow first = new SpilledWindow(types, file, ranges)) {
      DenseBatch result = added(null, new GroupedRows(groups.getFirst(), first), memory);
      for (WindowGroup group : groups.subList(1, groups.size())) {
        try (SpilledWindow window = sortedAgain(file, ranges, group)) {
          added(result, new GroupedRows(group, window), memory);
        }
      }
      return result;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private SpilledWindow sortedAgain(SpilledRows file, List<Range> ranges, WindowGroup group) {
    SpilledRows target = new SpilledRows(types, rows.fields());
    List<Range> written = new ArrayList<>();
    try (RowsInOrder again =
        new RowsInOrder(
            device, rexBuilder, x, types, rows.fields(), numberedKeys(group), "group")) {
      int most = HeldRows.rowsToRead(again.sortBytes());
      for (List<Range> piece : SpilledRows.pieces(ranges, most)) {
        try (DenseBatch part = file.read(piece)) {
          again.add(part);
        }
      }
      try (Batches sorted = again.sorted()) {
        for (Batch batch = sorted.next(); batch != null; batch = sorted.next()) {
          try (Batch one = batch) {
            written.add(target.write(one));
          }
        }
      }
      return new SpilledWindow(types, target, written);
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  @Override
  public void close() {
    rows.close();
  }
}
