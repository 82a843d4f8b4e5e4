package io.gpdb.planner.window;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.planner.window.WindowFrame.Amount;
import io.gpdb.planner.window.WindowFrame.Bound;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.HostBuffer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.calcite.rel.RelFieldCollation;
import org.jspecify.annotations.Nullable;

/** The calls over windows with one partition and one order, whose rows are sorted once. */
public record WindowGroup(
    List<Integer> partition, List<RelFieldCollation> order, List<Placed> calls) {
  /** A call, and the field of the result that has its values. */
  public record Placed(WindowCall call, int field) {}

  /** By what rows are sorted: the partition's keys in any order, then those of the order. */
  public List<RelFieldCollation> sortKeys() {
    List<RelFieldCollation> keys = new ArrayList<>();
    for (int field : new TreeSet<>(partition)) {
      keys.add(new RelFieldCollation(field));
    }
    keys.addAll(order);
    return keys;
  }

  /** The group with the calls alone whose fields are wanted. */
  public WindowGroup limitedTo(BitSet fields) {
    return new WindowGroup(
        partition, order, calls.stream().filter(call -> fields.get(call.field)).toList());
  }

  /** Adds the input's fields that the group reads. */
  public void addRead(BitSet fields) {
    sortKeys().forEach(key -> fields.set(key.getFieldIndex()));
    for (Placed placed : calls) {
      WindowCall call = placed.call;
      call.addRead(fields);
      addRead(call.amount(), fields);
      addRead(call.frame().lower().distance(), fields);
      addRead(call.frame().upper().distance(), fields);
    }
  }

  private static void addRead(@Nullable Amount amount, BitSet fields) {
    if (amount != null && amount.constant() == null) {
      fields.set(amount.field());
    }
  }

  /**
   * Computes the calls and puts their columns into the result. The device's threads share the
   * partitions.
   *
   * @param rowOrder the numbers of the rows in the order of the sort keys, null where there are
   *     none
   */
  public void compute(
      Device device,
      Batch input,
      List<SqlTypeSpec> types,
      @Nullable HostBuffer rowOrder,
      DenseBatch result,
      BatchMemory scratch) {
    new Run(device, input, types, rowOrder, result, scratch).run();
  }

  /** One execution. */
  private final class Run {
    private final Device device;
    private final Batch input;
    private final List<SqlTypeSpec> types;
    private final DenseBatch result;
    private final BatchMemory scratch;
    private final SortedRows rows;
    private final List<WindowOutput> outputs = new ArrayList<>();

    Run(
        Device device,
        Batch input,
        List<SqlTypeSpec> types,
        @Nullable HostBuffer rowOrder,
        DenseBatch result,
        BatchMemory scratch) {
      this.device = device;
      this.input = input;
      this.types = types;
      this.result = result;
      this.scratch = scratch;
      rows =
          new SortedRows(
              input.rows(),
              rowOrder,
              partition.stream().map(this::column).toList(),
              order.stream().map(key -> column(key.getFieldIndex())).toList());
    }

    void run() {
      boolean needsPeers = calls.stream().anyMatch(placed -> placed.call.needsPeers());
      if (needsPeers) {
        long bytes = (long) input.rows() * Integer.BYTES;
        rows.keepPeers(scratch.pin(bytes), scratch.pin(bytes));
      }
      for (Placed placed : calls) {
        WindowOutput output = new WindowOutput(placed.call.type(), input.rows(), result.memory());
        if (placed.call.function().returnsArgument()) {
          output.takeStrings(column(placed.call.returned()));
        }
        outputs.add(output);
      }
      WindowPieces pieces = WindowPieces.of(rows, device, scratch);
      pieces.share(
          device,
          (from, to) -> {
            if (needsPeers) {
              rows.findPeers(from, to);
            }
            compute(pieces, from, to, false);
          });
      if (calls.stream().anyMatch(placed -> placed.call.makesStrings())) {
        pieces.alone((from, to) -> compute(pieces, from, to, true));
      }
      for (int i = 0; i < outputs.size(); i++) {
        outputs.get(i).putInto(result, calls.get(i).field);
      }
    }

    /** Computes the calls that make strings, or the others, for whole partitions. */
    private void compute(WindowPieces pieces, int first, int end, boolean strings) {
      try (BatchMemory memory = new BatchMemory()) {
        List<WindowFunction> functions = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
          WindowCall call = calls.get(i).call;
          if (call.makesStrings() == strings) {
            functions.add(function(call, outputs.get(i), end - first, memory));
          }
        }
        for (int from = first; from < end; ) {
          int to = pieces.partitionEnd(from);
          for (WindowFunction function : functions) {
            function.compute(from, to);
          }
          from = to;
        }
      }
    }

    private WindowColumn column(int field) {
      return new WindowColumn(input, field, types.get(field));
    }

    private @Nullable Amounts amounts(@Nullable Amount amount) {
      return amount == null
          ? null
          : new Amounts(amount, amount.constant() == null ? column(amount.field()) : null);
    }

    private WindowFunction function(
        WindowCall call, WindowOutput output, int rowsMax, BatchMemory memory) {
      List<WindowColumn> arguments = call.arguments().stream().map(this::column).toList();
      Function function = call.function();
      return switch (function) {
        case ROW_NUMBER, RANK, DENSE_RANK, NTILE ->
            new Numbering(function, rows, amounts(call.amount()), output);
        case LAG, LEAD, HAS_LAG, HAS_LEAD -> {
          Amount amount = call.amount();
          yield new Neighbour(
              function,
              rows,
              function == Function.HAS_LAG || function == Function.HAS_LEAD
                  ? null
                  : arguments.getFirst(),
              counted(call, arguments),
              Objects.requireNonNull(amounts(amount == null ? Amount.of(BigDecimal.ONE) : amount)),
              output);
        }
        case FIRST_VALUE, LAST_VALUE, NTH_VALUE, NTH_VALUE_FROM_LAST ->
            new FrameEdge(
                function,
                rows,
                frames(call.frame()),
                arguments.getFirst(),
                counted(call, arguments),
                amounts(call.amount()),
                output);
        default ->
            new FrameAggregation(
                rows,
                rowsMax,
                frames(call.frame()),
                () -> Accumulators.of(call, this::column),
                output,
                memory);
      };
    }

    private CountedPlaces counted(WindowCall call, List<WindowColumn> arguments) {
      return new CountedPlaces(rows, call.isPresent() ? arguments.getFirst() : null);
    }

    private Frames frames(WindowFrame frame) {
      Bound lower = frame.lower();
      Bound upper = frame.upper();
      RangeDistance distance =
          frame.hasRangeDistance()
              ? new RangeDistance(rows, order.getFirst().getDirection().isDescending())
              : null;
      return new Frames(
          frame, rows, amounts(lower.distance()), amounts(upper.distance()), distance);
    }
  }
}
