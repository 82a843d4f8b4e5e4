package io.gpdb.exec.library.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.key.WindowRows;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.scan.GridFilterProject;
import io.gpdb.exec.library.scan.GridFilterProject.Output;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows that pass, gathered in memory: their keys and the arguments of aggregates, computed
 * once. They are tablets of another plan of groups, which filters nothing and whose programs load
 * columns. So what several launches read of a row is found by one: a row of a joined table, or
 * which rows there are. Called by {@link Grouping}. Thread-safe.
 */
final class GatheredRows {
  /** Rows of what is then one tablet: bitmaps begin at whole words. */
  private static final int TABLET_ROWS = 1 << 16;

  /** What the rows of some tablets may take, gathered and on the way there. */
  private static final long BYTES_MAX = 64L << 20;

  /** Of the memory left they may take one part in this many. */
  private static final int SHARE_MEMORY_MAX = 4;

  private final GridFilterProject gather;
  private final LaneInputs inputs = new LaneInputs();
  private final List<Column> columns = new ArrayList<>();
  private final Map<LaneProgram, LaneProgram> gathered = new LinkedHashMap<>();

  /**
   * @param programs the keys and arguments
   */
  GatheredRows(
      Device device,
      String name,
      LaneInputs from,
      @Nullable LaneProgram filter,
      List<LaneProgram> programs) {
    List<LaneValue> types = Lane.trialValues(from, LaneVariant.full(from), programs);
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < programs.size(); i++) {
      LaneProgram program = programs.get(i);
      if (!gathered.containsKey(program)) {
        LaneValue type = types.get(i);
        Element element = element(type.type());
        Column column = inputs.column("g" + columns.size(), element, type.isNullable());
        columns.add(column);
        outputs.add(new Output(element, program));
        gathered.put(program, type.type() == Type.PRED ? isSet(column) : at -> at.column(column));
      }
    }
    gather = new GridFilterProject(device, name, from, filter, outputs, false);
  }

  /** What is read of gathered rows. */
  LaneInputs inputs() {
    return inputs;
  }

  /** The same value of a gathered row. */
  LaneProgram gathered(LaneProgram program) {
    return Objects.requireNonNull(gathered.get(program));
  }

  Kernel kernel(LaneVariant variant) {
    return gather.kernel(variant);
  }

  private static Element element(Type type) {
    return switch (type) {
      case I32, PRED -> Element.I32;
      case I64 -> Element.I64;
      case F32 -> Element.F32;
      case F64 -> Element.F64;
    };
  }

  private static LaneProgram isSet(Column column) {
    return lane -> {
      LaneValue value = lane.column(column);
      return new LaneValue(lane.builder().ne(value.value(), 0), value.present());
    };
  }

  /**
   * Gathers the rows of tablets, some tablets at a time.
   *
   * @param then takes what was gathered as tablets, which are gone when it returns. The rows of
   *     tablets that follow each other are numbered from that of the first on: they keep their
   *     order, and no other tablet's row has such a number
   */
  void of(WindowRows tablets, Consumer<WindowRows> then) {
    long bytes = Math.min(BYTES_MAX, MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX);
    long rowsMax = bytes / (2L * gather.bytesPerRow());
    int from = 0;
    while (from < tablets.count()) {
      LaneVariant variant = variant(tablets.rows(from));
      try (Scratch local = new Scratch()) {
        GridFilterProject.Window window = gather.start();
        long base = tablets.base(from);
        long rows = 0;
        while (from < tablets.count() && (rows == 0 || rows + tablets.size(from) <= rowsMax)) {
          BoundRows tablet = tablets.rows(from);
          if (tablets.base(from) != base + rows
              || !variant.isOf(tablet.bindings(), tablet.live() != null)) {
            break;
          }
          window.add(tablet.bindings(), tablet.rows(), tablet.live());
          rows += tablet.rows();
          from++;
        }
        SelectedRows selected = window.finishTogether(local);
        if (selected.count() > 0) {
          then.accept(tablets(selected, base));
        }
      }
    }
  }

  private static LaneVariant variant(BoundRows tablet) {
    return LaneVariant.of(tablet.bindings(), tablet.live() != null);
  }

  private WindowRows tablets(SelectedRows selected, long base) {
    int count = (selected.count() - 1) / TABLET_ROWS + 1;
    LaneBindings bindings = new LaneBindings(inputs);
    return WindowRows.of(count, i -> tablet(selected, i, bindings), base);
  }

  private BoundRows tablet(SelectedRows selected, int tablet, LaneBindings bindings) {
    long first = (long) tablet * TABLET_ROWS;
    int rows = (int) Math.min(TABLET_ROWS, selected.count() - first);
    for (int i = 0; i < columns.size(); i++) {
      DenseColumn column = selected.columns().get(i);
      int width = column.element().bytes();
      DeviceBuffer validity = column.validity();
      bindings.column(
          columns.get(i),
          column.values().slice(first * width, (long) rows * width),
          validity == null
              ? null
              : validity.slice(first / Byte.SIZE, DenseColumn.bitmapBytes(rows)));
    }
    return new BoundRows(bindings, rows, null);
  }
}
