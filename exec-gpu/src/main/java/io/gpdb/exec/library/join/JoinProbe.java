package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.GroupTable;
import io.gpdb.exec.library.group.GroupTableKernels;
import io.gpdb.exec.library.group.KeyWords;
import io.gpdb.exec.library.join.GridHashJoin.Kind;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The probe of a {@link GridHashJoin}: find and count, prefix sum, write. One lane per probe row.
 * Thread-safe.
 */
final class JoinProbe {
  private static final int BLOCK_LANES = 1024;
  private static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  private static final ScalarParam SLOT_MASK = new ScalarParam("slot_mask", Type.I32);
  private static final BufferParam SLOTS = BufferParam.input("slots", Element.I64);
  private static final BufferParam KEYS = BufferParam.input("keys", Element.I64);
  private static final BufferParam STARTS = BufferParam.input("starts", Element.I64);
  private static final BufferParam GROUP_OF = BufferParam.input("group_of", Element.I32);
  private static final BufferParam COUNTS = BufferParam.input("counts", Element.I32);
  private static final BufferParam OFFSETS = BufferParam.input("offsets", Element.I64);
  private static final BufferParam ORDER = BufferParam.input("order", Element.I32);
  private static final BufferParam PROBE_ROWS = BufferParam.output("probe_rows", Element.I32);
  private static final BufferParam BUILD_ROWS = BufferParam.output("build_rows", Element.I32);

  private final String name;
  private final Kind kind;
  private final LaneInputs inputs;
  private final KeyWords keys;
  private final LaneKernels<ByName> finds;
  private final LoadedKernels<Kind> writes;

  JoinProbe(Device device, String name, Kind kind, LaneInputs inputs, KeyWords keys) {
    this.name = name;
    this.kind = kind;
    this.inputs = inputs;
    this.keys = keys;
    finds = new LaneKernels<>(device, this::find);
    writes = new LoadedKernels<>(device, JoinProbe::writeKernel);
  }

  JoinPairs run(
      LaneBindings bindings,
      int rows,
      @Nullable DeviceBuffer live,
      JoinBuild build,
      BufferAllocator results) {
    int blocks = LaneKernels.blocks(rows, BLOCK_LANES);
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer groupOf = scratch.ints(rows);
      DeviceBuffer counts = scratch.ints(rows);
      DeviceBuffer offsets = scratch.longs(rows);
      findAndCount(bindings, rows, live, build, groupOf, counts, blocks);
      long total = build.prefix().exclusive(counts, rows, offsets);
      if (total > LaneKernels.ROWS_MAX) {
        throw new GpdbException(
            ErrorCode.LIMIT_EXCEEDED,
            "join pairs of one batch: pairs=" + total + ", limit=" + LaneKernels.ROWS_MAX);
      }
      DeviceBuffer probeRows = results.allocate(total << 2);
      DeviceBuffer buildRows = results.allocate(total << 2);
      if (total > 0) {
        LoadedKernel write = writes.get(kind);
        Arguments arguments =
            new Arguments(write.kernel())
                .scalar(ROWS, rows)
                .buffer(GROUP_OF, groupOf)
                .buffer(COUNTS, counts)
                .buffer(OFFSETS, offsets)
                .buffer(STARTS, build.starts())
                .buffer(ORDER, build.order())
                .buffer(PROBE_ROWS, probeRows)
                .buffer(BUILD_ROWS, buildRows);
        KernelLibrary.launch(write, blocks, arguments);
      }
      return new JoinPairs((int) total, probeRows, buildRows);
    }
  }

  private void findAndCount(
      LaneBindings bindings,
      int rows,
      @Nullable DeviceBuffer live,
      JoinBuild build,
      DeviceBuffer groupOf,
      DeviceBuffer counts,
      int blocks) {
    Ready<ByName> ready = finds.get(LaneVariant.of(bindings, live != null));
    GroupTable table = build.table();
    Arguments arguments =
        LaneScan.bind(ready, bindings, rows, live)
            .scalar(SLOT_MASK, table.capacity() - 1)
            .buffer(SLOTS, table.slots())
            .buffer(KEYS, table.keys())
            .buffer(STARTS, build.starts())
            .buffer(GROUP_OF, groupOf)
            .buffer(COUNTS, counts);
    KernelLibrary.launch(ready.kernel(), blocks, arguments);
  }

  Kernel kernel(LaneVariant variant) {
    return finds.text(variant);
  }

  /** Lane r finds row r's key number (-1: none) and how many pairs the row makes. */
  private Written<ByName> find(LaneVariant variant) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    LaneScan scan = new LaneScan(b, inputs, variant);
    Reg slotMask = b.scalar(SLOT_MASK);
    int slots = b.buffer(SLOTS);
    int tableKeys = b.buffer(KEYS);
    int starts = b.buffer(STARTS);
    int groupOf = b.buffer(GROUP_OF.with(Access.READ_WRITE));
    int counts = b.buffer(COUNTS.with(Access.READ_WRITE));
    Lane lane = scan.lane();
    Reg group = b.variable(b.i32(-1));
    Reg count = b.variable(b.i32(0));
    scan.ifExists(
        () -> {
          lane.stage(keys.programs());
          KeyWords.Row words = keys.emit(lane);
          Reg allPresent = words.allPresent();
          Runnable look =
              () -> {
                GroupTableKernels.find(b, words.words(), slotMask, slots, tableKeys, group);
                b.ifThen(
                    b.ge(group, b.i32(0)),
                    () -> {
                      Reg end = b.load(starts, b.add(group, 1));
                      Reg matches = b.sub(end, b.load(starts, group));
                      b.set(count, b.convert(matches, Type.I32));
                    });
              };
          if (allPresent == null) {
            look.run();
          } else {
            b.ifThen(allPresent, look);
          }
          b.set(count, pairs(b, count));
        });
    b.ifThen(
        b.lt(lane.row(), scan.rows()),
        () -> {
          b.store(groupOf, lane.row(), group);
          b.store(counts, lane.row(), count);
        });
    return new Written<>(b.build(), lane.layout(), ByName.ALL);
  }

  /** How many pairs a row with that number of matches makes. */
  private Reg pairs(KernelBuilder b, Reg matches) {
    return switch (kind) {
      case INNER -> matches;
      case LEFT -> b.max(matches, b.i32(1));
      case SEMI -> b.min(matches, b.i32(1));
      case ANTI -> b.select(b.eq(matches, 0), b.i32(1), b.i32(0));
    };
  }

  /** Lane r writes row r's pairs. */
  static Kernel writeKernel(Kind kind) {
    KernelBuilder b = new KernelBuilder("join_write_" + kind.name().toLowerCase(Locale.ROOT));
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int groupOf = b.buffer(GROUP_OF);
    int counts = b.buffer(COUNTS);
    int offsets = b.buffer(OFFSETS);
    int starts = b.buffer(STARTS);
    int order = b.buffer(ORDER);
    int probeRows = b.buffer(PROBE_ROWS);
    int buildRows = b.buffer(BUILD_ROWS);
    Reg row = b.global();
    b.ifThen(
        b.lt(row, rows),
        () -> {
          Reg count = b.load(counts, row);
          Reg group = b.load(groupOf, row);
          Reg at = b.variable(b.load(offsets, row));
          Reg end = b.add(at, b.convert(count, Type.I64));
          Reg from = b.variable(b.i64(0));
          Reg matched = b.ge(group, b.i32(0));
          b.ifThen(matched, () -> b.set(from, b.load(starts, group)));
          b.whileLoop(
              () -> b.lt(at, end),
              () -> {
                Reg buildRow = b.variable(b.i32(-1));
                b.ifThen(matched, () -> b.set(buildRow, b.load(order, from)));
                b.store(probeRows, at, row);
                b.store(buildRows, at, buildRow);
                b.set(at, b.add(at, 1));
                b.set(from, b.add(from, 1));
              });
        });
    return b.build();
  }
}
