package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.change.BatchShape.Logged;
import io.gpdb.exec.library.change.BatchShape.Result;
import io.gpdb.exec.library.change.GridApplyBatch.Target;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs.Stored;
import io.gpdb.exec.library.lane.LaneLayout;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one variant of {@link GridApplyBatch}'s kernel; one lane per row of the group. */
final class BatchText {
  private static final int ABSENT = -1;
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam ROWS = BufferParam.input("rows", Element.I32);
  private static final BufferParam POSITIONS = BufferParam.input("positions", Element.I32);

  private final GridApplyBatch batch;
  private final BatchShape shape;
  private final KernelBuilder b;
  private final Reg n;
  private final Lane lane;
  private final Places places;
  private final @Nullable LogText[] logs;

  /** The positions of the kernel's parameters, by target; -1 where it has none. */
  static final class Places {
    private final List<Stored> reads;
    private final LaneLayout layout;
    private final int[] column;
    private final int[] columnValidity;
    private final int[] undo;
    private final int[] undoValidity;
    private final boolean logged;
    private final int[] aside;
    private final int[] asideValidity;
    private int rows;
    private int positions = ABSENT;

    Places(List<Stored> reads, LaneLayout layout, int targets, boolean logged) {
      this.reads = reads;
      this.layout = layout;
      this.logged = logged;
      column = absent(targets);
      columnValidity = absent(targets);
      undo = absent(targets);
      undoValidity = absent(targets);
      aside = absent(targets);
      asideValidity = absent(targets);
    }

    private static int[] absent(int length) {
      int[] places = new int[length];
      Arrays.fill(places, ABSENT);
      return places;
    }

    /** Binds one group; a column that a program reads and the kernel sets is one buffer. */
    void bind(Arguments arguments, LaneBindings ofLaunch, BatchRows group) {
      LaneBindings bindings = group.own == null ? ofLaunch : group.own;
      arguments.scalar(N, group.n);
      arguments.buffer(ROWS, group.rows);
      if (positions != ABSENT) {
        arguments.buffer(POSITIONS, group.positions);
        for (int i = 0; i < reads.size(); i++) {
          DeviceBuffer values = required(group.readValues[i]);
          bindings.column(reads.get(i).input(), values, group.readValidity[i]);
        }
        layout.bind(arguments, bindings);
      }
      for (int i = 0; i < column.length; i++) {
        bindTarget(arguments, group, i);
      }
    }

    private void bindTarget(Arguments arguments, BatchRows group, int i) {
      if (column[i] != ABSENT) {
        arguments.persistent(column[i], required(group.columnValues[i]), group.valuesTargets[i]);
      }
      if (columnValidity[i] != ABSENT) {
        DeviceBuffer bitmap = required(group.columnValidity[i]);
        arguments.persistent(columnValidity[i], bitmap, group.validityTargets[i]);
      }
      bind(arguments, undo[i], group.undoValues[i]);
      bind(arguments, undoValidity[i], group.undoValidity[i]);
      bind(arguments, aside[i], group.newValues[i]);
      bind(arguments, asideValidity[i], group.newValidity[i]);
      if (logged) {
        UpdateLog log = group.logs[i];
        if (log == null) {
          throw new IllegalArgumentException("batch without the log of target " + i);
        }
        LogParams.of(i).bind(arguments, log);
      }
    }

    private static void bind(Arguments arguments, int buffer, @Nullable DeviceBuffer segment) {
      if (buffer != ABSENT) {
        arguments.buffer(buffer, required(segment));
      }
    }

    private static DeviceBuffer required(@Nullable DeviceBuffer buffer) {
      if (buffer == null) {
        throw new IllegalArgumentException("a group of a batch lacks a buffer");
      }
      return buffer;
    }
  }

  BatchText(GridApplyBatch batch, BatchShape shape) {
    this.batch = batch;
    this.shape = shape;
    b = new KernelBuilder(batch.name());
    n = b.scalar(N);
    lane = new Lane(b, batch.inputs(), shape.lanes(), b.global());
    int targets = batch.targets().size();
    places = new Places(batch.reads(), lane.layout(), targets, shape.logged() != Logged.NOTHING);
    logs = new LogText[targets];
    places.rows = b.buffer(ROWS);
    if (shape.computes()) {
      places.positions = b.buffer(POSITIONS);
    }
    for (int i = 0; i < targets; i++) {
      declare(i);
    }
    if (shape.hasColumns()) {
      shareBuffers();
    }
    write();
  }

  Kernel kernel() {
    return b.build();
  }

  Places places() {
    return places;
  }

  private void declare(int i) {
    Element element = batch.targets().get(i).element();
    boolean nullable = shape.columnValidity().get(i);
    Space home = shape.persist() ? Space.PERSISTENT : Space.DEVICE;
    if (shape.hasColumns()) {
      Access access = shape.result() == Result.STORED ? Access.READ_WRITE : Access.READ;
      places.column[i] = b.buffer(new BufferParam("set" + i, element, home, access));
      if (nullable) {
        places.columnValidity[i] =
            b.buffer(new BufferParam("set" + i + "_valid", Element.I32, home, access));
      }
    }
    if (shape.capture()) {
      places.undo[i] = b.output("undo" + i, element);
      if (nullable) {
        places.undoValidity[i] = b.output("undo" + i + "_valid", Element.I32);
      }
    }
    if (shape.result() == Result.ASIDE) {
      places.aside[i] = b.output("new" + i, element);
      places.asideValidity[i] = b.output("new" + i + "_valid", Element.I32);
    }
    if (shape.logged() != Logged.NOTHING) {
      logs[i] = LogText.of(b, shape.conventional(), shape.persist(), LogParams.of(i));
    }
  }

  /** Two buffers of a launch may not overlap: a column that is set is read where it is set. */
  private void shareBuffers() {
    for (Stored stored : batch.reads()) {
      int target = batch.targetOf(stored.column());
      int input = stored.input().number();
      if (target >= 0) {
        lane.layout().columnBuffer(input, places.column[target]);
      }
      if (target >= 0 && shape.lanes().validity().get(input)) {
        lane.layout().validityBuffer(input, places.columnValidity[target]);
      }
    }
  }

  private void write() {
    Reg i = b.global();
    Reg inRange = b.lt(i, n);
    if (shape.readsOld()) {
      readOld(i, inRange);
    }
    if (shape.computes()) {
      compute(i, inRange);
    }
    if (shape.persist()) {
      b.persist(PersistScope.KERNEL);
    }
  }

  private void readOld(Reg i, Reg inRange) {
    int targets = batch.targets().size();
    Reg[] wasPresent = new Reg[targets];
    for (int t = 0; t < targets; t++) {
      wasPresent[t] = places.undoValidity[t] == ABSENT ? inRange : b.variable(b.pred(false));
    }
    b.ifThen(
        inRange,
        () -> {
          Reg row = b.load(places.rows, i);
          for (int t = 0; t < targets; t++) {
            Reg old = b.load(places.column[t], row);
            boolean nullable = places.columnValidity[t] != ABSENT;
            Reg present = nullable ? Lane.bit(b, places.columnValidity[t], row) : null;
            if (shape.capture()) {
              b.store(places.undo[t], i, old);
              if (present != null) {
                b.set(wasPresent[t], present);
              }
            }
            LogText log = logs[t];
            if (log != null && shape.logged() == Logged.OLD_VALUE) {
              log.append(i, GridApplyUpdate.entry(b, row, old, present));
            }
          }
        });
    for (int t = 0; t < targets; t++) {
      if (places.undoValidity[t] != ABSENT) {
        storeBits(places.undoValidity[t], i, inRange, wasPresent[t]);
      }
    }
  }

  private void storeBits(int bitmap, Reg i, Reg inRange, Reg bit) {
    Reg mask = b.ballot(bit);
    Reg first = b.and(b.eq(b.lane(), 0), inRange);
    b.ifThen(first, () -> b.store(bitmap, b.ushr(i, 5), mask));
  }

  private void compute(Reg i, Reg inRange) {
    List<Target> targets = batch.targets();
    Reg[] isPresent = new Reg[targets.size()];
    for (int t = 0; t < isPresent.length; t++) {
      isPresent[t] = places.asideValidity[t] == ABSENT ? inRange : b.variable(b.pred(false));
    }
    b.ifThen(
        inRange,
        () -> {
          Reg row = b.load(places.rows, i);
          Lane at = lane.at(b.load(places.positions, i), row, batch.reads());
          at.stage(targets.stream().map(Target::program).toList());
          List<LaneValue> values = new ArrayList<>();
          for (Target target : targets) {
            values.add(stored(target.program().emit(at), target.element()));
          }
          for (int t = 0; t < values.size(); t++) {
            use(t, i, row, values.get(t), isPresent[t]);
          }
        });
    for (int t = 0; t < isPresent.length; t++) {
      if (places.asideValidity[t] != ABSENT) {
        storeBits(places.asideValidity[t], i, inRange, isPresent[t]);
      }
    }
  }

  /** What is logged and stored: a predicate as 0 or 1, and 0 under a NULL. */
  private LaneValue stored(LaneValue value, Element element) {
    Reg reg = value.type() == Type.PRED ? b.convert(value.value(), Type.I32) : value.value();
    if (reg.type() != element.register()) {
      throw new IllegalArgumentException(
          batch.name() + ": value of " + reg.type().text() + " into " + element);
    }
    Reg present = value.present();
    Reg kept = present == null ? reg : b.select(present, reg, b.constant(reg.type(), 0));
    return new LaneValue(kept, present);
  }

  private void use(int t, Reg i, Reg row, LaneValue value, Reg isPresent) {
    LogText log = logs[t];
    if (log != null && shape.logged() == Logged.NEW_VALUE) {
      log.append(i, GridApplyUpdate.entry(b, row, value.value(), value.present()));
    }
    switch (shape.result()) {
      case NONE -> {}
      case STORED -> {
        b.store(places.column[t], row, value.value());
        if (places.columnValidity[t] != ABSENT) {
          GridApplyUpdate.setBit(b, places.columnValidity[t], row, value.present());
        } else if (value.present() != null) {
          throw new IllegalArgumentException(
              batch.name() + ": target " + t + " may be NULL, its column has no validity bitmap");
        }
      }
      case ASIDE -> {
        Reg present = value.present();
        b.store(places.aside[t], i, value.value());
        b.set(isPresent, present == null ? b.pred(true) : present);
      }
    }
  }
}
