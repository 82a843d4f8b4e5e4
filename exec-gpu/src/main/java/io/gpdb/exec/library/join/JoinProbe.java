package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.join.GridHashJoin.Kind;
import io.gpdb.exec.library.join.KeyLook.Lookup;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The probe of a {@link GridHashJoin}: looks each row's key up and keeps the rows that make a pair.
 * One lane per probe row. Thread-safe.
 *
 * <p>Block b writes what passes, in row order, from element b*1024 of each output on, and how many
 * to {@code counts[b]}.
 */
final class JoinProbe {
  static final int BLOCK_LANES = 1024;
  static final BufferParam ORDER = BufferParam.input("order", Element.I32);
  static final BufferParam COUNTS = BufferParam.output("counts", Element.I32);
  static final BufferParam PROBE_ROWS = BufferParam.output("probe_rows", Element.I32);
  static final BufferParam MATCHES = BufferParam.output("matches", Element.I32);

  private final String name;
  final Kind kind;
  final LaneInputs inputs;
  final KeyWords keys;
  private final Map<Form, LaneKernels<ByName>> kernels = new HashMap<>();

  /**
   * What the build side is like.
   *
   * @param lookup how its keys are numbered
   * @param rows the rows that have the key of a number
   */
  record Form(Lookup lookup, Rows rows) {
    static final List<Form> ALL =
        List.of(
            new Form(Lookup.HASH, Rows.SEVERAL),
            new Form(Lookup.HASH, Rows.ORDERED),
            new Form(Lookup.RANKS, Rows.SEVERAL),
            new Form(Lookup.RANKS, Rows.ORDERED),
            new Form(Lookup.RANKS, Rows.SAME),
            new Form(Lookup.PLACES, Rows.SAME));
  }

  /** Which rows have the key of a number. */
  enum Rows {
    /** As many as there are: a match is the number, not a row. */
    SEVERAL,
    /** One, {@code order[number]}. */
    ORDERED,
    /** One, whose number is the key's. */
    SAME
  }

  JoinProbe(Device device, String name, Kind kind, LaneInputs inputs, KeyWords keys) {
    this.name = name;
    this.kind = kind;
    this.inputs = inputs;
    this.keys = keys;
    for (Form form : Form.ALL) {
      kernels.put(form, new LaneKernels<>(device, variant -> written(form, variant)));
    }
  }

  Ready<ByName> ready(Form form, LaneBindings bindings, @Nullable DeviceBuffer live) {
    return of(form).get(LaneVariant.of(bindings, live != null));
  }

  /** Binds all but the outputs. */
  static Arguments bind(
      Ready<ByName> ready,
      LaneBindings bindings,
      int rows,
      @Nullable DeviceBuffer live,
      JoinBuild build) {
    Arguments arguments = LaneScan.bind(ready, bindings, rows, live);
    build.bind(arguments);
    return arguments;
  }

  Kernel kernel(Form form, LaneVariant variant) {
    return of(form).text(variant);
  }

  private LaneKernels<ByName> of(Form form) {
    LaneKernels<ByName> known = kernels.get(form);
    if (known == null) {
      throw new IllegalStateException("no kernel: form=" + form);
    }
    return known;
  }

  /** Whether a passing row's match is written: an antijoin has none, a semijoin's are not read. */
  static boolean writesMatches(Kind kind) {
    return kind == Kind.INNER || kind == Kind.LEFT;
  }

  private Written<ByName> written(Form form, LaneVariant variant) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    LaneScan scan = new LaneScan(b, inputs, variant);
    KeyLook look = KeyLook.of(form.lookup, b, keys.count());
    boolean toRows = form.rows == Rows.ORDERED && writesMatches(kind);
    int order = form.rows == Rows.ORDERED ? b.buffer(ORDER) : -1;
    int counts = b.buffer(COUNTS);
    int probeRows = b.buffer(PROBE_ROWS);
    int matches = writesMatches(kind) ? b.buffer(MATCHES) : -1;
    Lane lane = scan.lane();
    Reg passes = b.variable(b.pred(false));
    Reg number = b.variable(b.i32(-1));
    scan.ifExists(
        () -> {
          lane.stage(keys.programs());
          KeyWords.Row words = keys.emit(lane);
          Reg present = words.allPresent();
          look.up(words.words(), present == null ? b.pred(true) : present, number);
          b.set(
              passes,
              switch (kind) {
                case INNER, SEMI -> b.ge(number, b.i32(0));
                case ANTI -> b.lt(number, b.i32(0));
                case LEFT -> b.pred(true);
              });
        });
    Reg rank = b.blockRank(passes);
    b.ifThen(
        passes,
        () -> {
          Reg at = b.add(b.sub(b.global(), b.thread()), rank);
          b.store(probeRows, at, lane.row());
          if (toRows && kind == Kind.LEFT) {
            Reg row = b.variable(b.i32(-1));
            b.ifThen(b.ge(number, b.i32(0)), () -> b.set(row, b.load(order, number)));
            b.store(matches, at, row);
          } else if (toRows) {
            b.store(matches, at, b.load(order, number));
          } else if (matches >= 0) {
            b.store(matches, at, number);
          }
        });
    b.ifThen(
        b.eq(b.thread(), BLOCK_LANES - 1),
        () -> b.store(counts, b.block(), b.add(rank, b.select(passes, b.i32(1), b.i32(0)))));
    return new Written<>(b.build(), lane.layout(), ByName.ALL);
  }
}
