package io.gpdb.planner.window;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.expression.StringDomain;
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
import java.util.function.IntFunction;
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

  /** Takes out the fields that have the calls' values. */
  public void clearResults(BitSet fields) {
    calls.forEach(placed -> fields.clear(placed.field));
  }

  /** Whether a call returns strings that it makes. */
  public boolean makesStrings() {
    return calls.stream().anyMatch(placed -> placed.call.makesStrings());
  }

  /** What the calls take in memory for a row: their values, the row's peers and summaries. */
  public long resultBytes() {
    long bytes = 2 * Integer.BYTES + Long.BYTES;
    for (Placed placed : calls) {
      bytes += placed.call.type().element().bytes() + 1;
    }
    return bytes;
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
   * @param rowOrder the numbers of the rows in the order of the sort keys, null where they are in
   *     order
   * @param made where the strings of a field go that calls make
   */
  public void compute(
      Device device,
      Batch input,
      List<SqlTypeSpec> types,
      @Nullable HostBuffer rowOrder,
      DenseBatch result,
      BatchMemory scratch,
      IntFunction<StringDomain.Made> made) {
    new Run(device, new HeldWindowRows(input, types, result), rowOrder, scratch, made).run();
  }

  /** As above for rows in a temporary file, which are in order. */
  public void compute(Device device, SpilledWindow window, IntFunction<StringDomain.Made> made) {
    try (BatchMemory scratch = new BatchMemory()) {
      new Run(device, window, null, scratch, made).run();
    }
  }

  /** One execution. */
  private final class Run {
    private final Device device;
    private final WindowRows input;
    private final BatchMemory scratch;
    private final IntFunction<StringDomain.Made> made;
    private final SortedRows rows;
    private final List<WindowOutput> outputs = new ArrayList<>();

    Run(
        Device device,
        WindowRows input,
        @Nullable HostBuffer rowOrder,
        BatchMemory scratch,
        IntFunction<StringDomain.Made> made) {
      this.device = device;
      this.input = input;
      this.scratch = scratch;
      this.made = made;
      rows =
          new SortedRows(
              input.count(),
              rowOrder,
              partition.stream().map(input::column).toList(),
              order.stream().map(key -> input.column(key.getFieldIndex())).toList());
    }

    void run() {
      boolean keepsPeers = keepsPeers();
      for (Placed placed : calls) {
        WindowOutput output = input.output(placed);
        if (placed.call.function().returnsArgument()) {
          output.takeStrings(input.column(placed.call.returned()));
        } else if (placed.call.makesStrings()) {
          output.makeStrings(made.apply(placed.field));
        }
        outputs.add(output);
      }
      WindowPieces pieces =
          input.areHeld() ? WindowPieces.of(rows, device, scratch) : WindowPieces.one(rows);
      if (input.areHeld()) {
        pieces.share(
            device,
            (from, to) -> {
              if (keepsPeers) {
                rows.findPeers(from, to);
              }
              compute(pieces, from, to, false);
            });
      } else {
        pieces.alone((from, to) -> compute(pieces, from, to, false));
      }
      if (makesStrings()) {
        pieces.alone((from, to) -> compute(pieces, from, to, true));
      }
      for (int i = 0; i < outputs.size(); i++) {
        input.put(calls.get(i), outputs.get(i));
      }
    }

    /** Makes room for the peers of all rows, where they are kept. */
    private boolean keepsPeers() {
      if (calls.stream().noneMatch(placed -> placed.call.needsPeers())) {
        return false;
      }
      if (!input.areHeld()) {
        rows.seekPeers();
        return false;
      }
      long bytes = (long) input.count() * Integer.BYTES;
      rows.keepPeers(scratch.pin(bytes), scratch.pin(bytes));
      return true;
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

    private @Nullable Amounts amounts(@Nullable Amount amount) {
      return amount == null
          ? null
          : new Amounts(amount, amount.constant() == null ? input.column(amount.field()) : null);
    }

    private WindowFunction function(
        WindowCall call, WindowOutput output, int rowsMax, BatchMemory memory) {
      List<WindowColumn> arguments = call.arguments().stream().map(input::column).toList();
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
                () -> Accumulators.of(call, input::column),
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
