package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes columns of tablets, each at some rows: captures old values, logs, stores. Called by
 * transactions, which hold the tablets' latches exclusively. One group per column and tablet, one
 * lane per row; lane i takes row i of the group's list and entry i of its log. Results are valid
 * when the launch returns. Thread-safe.
 */
public final class GridApplyUpdate {
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam ROWS = BufferParam.input("rows", Element.I32);
  private static final BufferParam COLUMN = BufferParam.output("column", Element.I32);
  private static final BufferParam COLUMN_VALIDITY =
      BufferParam.output("column_valid", Element.I32);
  private static final BufferParam NEW_VALUES = BufferParam.input("new_values", Element.I32);
  private static final BufferParam NEW_VALIDITY = BufferParam.input("new_valid", Element.I32);
  private static final BufferParam UNDO_VALUES = BufferParam.output("undo_values", Element.I32);
  private static final BufferParam UNDO_VALIDITY = BufferParam.output("undo_valid", Element.I32);

  private static final KernelTexts<UpdateShape> TEXTS = new KernelTexts<>(GridApplyUpdate::kernel);

  private final LoadedKernels<UpdateShape> kernels;

  public GridApplyUpdate(Device device) {
    kernels = new LoadedKernels<>(device, TEXTS);
  }

  /** Captures the old values where asked, logs the new ones where asked, stores them. */
  public void redo(ColumnUpdate update) {
    redo(List.of(update));
  }

  /** As above for columns of several tablets, by one launch for each variant that they need. */
  public void redo(List<ColumnUpdate> updates) {
    Map<UpdateShape, List<ColumnUpdate>> byShape = new LinkedHashMap<>();
    for (ColumnUpdate u : updates) {
      if (u.n > 0) {
        byShape.computeIfAbsent(shape(u), _ -> new ArrayList<>()).add(u);
      }
    }
    byShape.forEach(this::launch);
  }

  private static UpdateShape shape(ColumnUpdate u) {
    return new UpdateShape(
        u.element,
        u.columnValidity != null,
        u.newValidity != null,
        u.undoValues != null,
        u.log != null,
        u.log instanceof ConventionalLog);
  }

  private void launch(UpdateShape shape, List<ColumnUpdate> updates) {
    LoadedKernel kernel = kernels.get(shape);
    List<LaunchGroup> groups = new ArrayList<>(updates.size());
    for (ColumnUpdate u : updates) {
      Arguments arguments = new Arguments(kernel.kernel());
      bind(arguments, u, shape);
      int blocks = LaneKernels.blocks(u.n, kernel.kernel().blockSize());
      groups.add(new LaunchGroup(blocks, arguments));
    }
    KernelLibrary.launch(kernel, groups);
  }

  private static void bind(Arguments arguments, ColumnUpdate u, UpdateShape shape) {
    arguments.scalar(N, u.n).buffer(ROWS, u.rows);
    arguments.buffer(COLUMN, required(u.columnValues, "column"));
    if (shape.columnValidity()) {
      arguments.buffer(COLUMN_VALIDITY, required(u.columnValidity, "column validity"));
    }
    arguments.buffer(NEW_VALUES, required(u.newValues, "new values"));
    if (shape.newValidity()) {
      arguments.buffer(NEW_VALIDITY, required(u.newValidity, "new validity"));
    }
    if (shape.capture()) {
      arguments.buffer(UNDO_VALUES, required(u.undoValues, "undo values"));
      if (shape.columnValidity()) {
        arguments.buffer(UNDO_VALIDITY, required(u.undoValidity, "undo validity"));
      }
    }
    if (u.log != null) {
      LogParams.ONLY.bind(arguments, u.log);
    }
  }

  private static DeviceBuffer required(@Nullable DeviceBuffer buffer, String what) {
    if (buffer == null) {
      throw new IllegalArgumentException("update without " + what);
    }
    return buffer;
  }

  /** The kernel of one variant. */
  static Kernel kernel(UpdateShape shape) {
    return new Text(shape).kernel();
  }

  /** Writes the kernel; one lane per row of the list. */
  private static final class Text {
    private final UpdateShape shape;
    private final KernelBuilder b;
    private final Reg n;
    private final int rows;
    private int column = -1;
    private int columnValidity = -1;
    private int newValues = -1;
    private int newValidity = -1;
    private int undoValues = -1;
    private int undoValidity = -1;

    Text(UpdateShape shape) {
      this.shape = shape;
      b = new KernelBuilder(shape.kernelName());
      n = b.scalar(N);
      rows = b.buffer(ROWS);
      declare();
    }

    private void declare() {
      column = b.buffer(COLUMN.of(shape.element()).with(Access.READ_WRITE));
      if (shape.columnValidity()) {
        columnValidity = b.buffer(COLUMN_VALIDITY.with(Access.READ_WRITE));
      }
      newValues = b.buffer(NEW_VALUES.of(shape.element()));
      if (shape.newValidity()) {
        newValidity = b.buffer(NEW_VALIDITY);
      }
      if (shape.capture()) {
        undoValues = b.buffer(UNDO_VALUES.of(shape.element()));
        if (shape.columnValidity()) {
          undoValidity = b.buffer(UNDO_VALIDITY);
        }
      }
    }

    Kernel kernel() {
      LogText log =
          shape.logged() ? LogText.of(b, shape.conventional(), false, LogParams.ONLY) : null;
      Reg i = b.global();
      Reg inRange = b.lt(i, n);
      Reg oldPresent = b.variable(b.pred(false));
      b.ifThen(inRange, () -> change(i, log, oldPresent));
      if (shape.capture() && shape.columnValidity()) {
        Reg mask = b.ballot(oldPresent);
        Reg first = b.and(b.eq(b.lane(), 0), inRange);
        b.ifThen(first, () -> b.store(undoValidity, b.ushr(i, 5), mask));
      }
      return b.build();
    }

    private void change(Reg i, @Nullable LogText log, Reg oldPresent) {
      Reg row = b.load(rows, i);
      if (shape.capture()) {
        Reg old = b.load(column, row);
        b.store(undoValues, i, old);
        if (shape.columnValidity()) {
          b.set(oldPresent, Lane.bit(b, columnValidity, row));
        }
      }
      Reg value = b.load(newValues, i);
      Reg present = shape.newValidity() ? Lane.bit(b, newValidity, i) : null;
      if (log != null) {
        log.append(i, entry(b, row, value, present));
      }
      b.store(column, row, value);
      if (shape.columnValidity()) {
        setBit(b, columnValidity, row, present);
      }
    }
  }

  /** The words of an update's entry, see {@link HclLayout}. */
  static List<Reg> entry(KernelBuilder b, Reg row, Reg value, @Nullable Reg present) {
    List<Reg> words = new ArrayList<>();
    words.add(
        present == null ? row : b.select(present, row, b.or(row, b.i32(HclLayout.NULL_FLAG))));
    Reg bits = value.type() == Type.F32 || value.type() == Type.F64 ? b.bitcast(value) : value;
    if (bits.type() == Type.I64) {
      words.add(b.convert(bits, Type.I32));
      words.add(b.convert(b.ushr(bits, 32), Type.I32));
    } else {
      words.add(bits);
    }
    return words;
  }

  /** Sets (or, where not present, clears) a bit of a bitmap that other lanes change too. */
  static void setBit(KernelBuilder b, int bitmap, Reg index, @Nullable Reg present) {
    Reg word = b.ushr(index, 5);
    Reg mask = b.shl(b.i32(1), index);
    if (present == null) {
      b.atomicUpdate(AtomicOp.OR, bitmap, word, mask);
    } else {
      b.ifElse(
          present,
          () -> b.atomicUpdate(AtomicOp.OR, bitmap, word, mask),
          () -> b.atomicUpdate(AtomicOp.AND, bitmap, word, b.not(mask)));
    }
  }
}
