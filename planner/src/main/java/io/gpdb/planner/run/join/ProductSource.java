package io.gpdb.planner.run.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All pairs of the rows of two inputs, in blocks: a nested-loop join, whose condition is a filter
 * above. The input that has fewer rows is kept in memory, or, where that has no room for it, in
 * blocks in a temporary file: a batch of the other meets block after block.
 *
 * <p>Where the condition asks for fields in an order, pairs that are not in it are left out: a
 * range join. An index of the block finds the rows of each pair; what comes, and in which order, is
 * the same as of all pairs with the filter above.
 */
public final class ProductSource extends Source {
  /** Pairs in one batch. */
  private static final int PAIRS_MAX = 1 << 18;

  private static final int PAIRS_MIN = 1 << 10;

  /** A batch may take one part in this many of the memory left. */
  private static final int MEMORY_SHARE = 8;

  private final Source left;
  private final Source right;
  private final GridGather gather;
  private final @Nullable PairRanges ranges;

  /** The product of inputs all of whose rows exist. */
  public ProductSource(Device device, Source left, Source right) {
    this(device, left, right, null);
  }

  /**
   * The product of inputs all of whose rows exist.
   *
   * @param ranges what a condition above asks of all pairs; null where it says nothing of the kind
   */
  public ProductSource(Device device, Source left, Source right, @Nullable PairRanges ranges) {
    super(columns(left, right));
    this.ranges = ranges;
    this.left = left;
    this.right = right;
    this.gather = new GridGather(device);
  }

  private static List<SourceColumn> columns(Source left, Source right) {
    List<SourceColumn> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    return columns;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    boolean holdsLeft = left.estimatedRows(x) < right.estimatedRows(x);
    int width = left.columns().size();
    BitSet ofLeft = needed.get(0, width);
    BitSet ofRight = needed.get(width, columns().size());
    int indexBytes = ranges == null ? 0 : RangeIndex.ROW_BYTES;
    if (ranges != null) {
      ranges.addRead(ofLeft, ofRight);
    }
    RowBlocks held =
        holdsLeft
            ? RowBlocks.of(left, x, ofLeft, indexBytes)
            : RowBlocks.of(right, x, ofRight, indexBytes);
    try {
      if (held.isEmpty()) {
        held.close();
        return Batches.of(null);
      }
      Batches streamed = holdsLeft ? right.open(x, ofRight) : left.open(x, ofLeft);
      return new Blocks(needed, held, holdsLeft, streamed);
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  /** One execution: a batch of the streamed input, and a block. */
  private final class Blocks implements Batches {
    private final BitSet needed;
    private final RowBlocks blocks;
    private final boolean holdsLeft;
    private final Batches streamed;
    private final int pairsMax;
    private @Nullable Batch batch;
    private int block;
    private DenseBatch held;
    private @Nullable RangeIndex index;

    private @Nullable RowPairs pairs;

    Blocks(BitSet needed, RowBlocks blocks, boolean holdsLeft, Batches streamed) {
      this.needed = needed;
      this.blocks = blocks;
      held = blocks.block(0);
      this.holdsLeft = holdsLeft;
      this.streamed = streamed;
      pairsMax = pairsThatFit();
    }

    /** As many as fit a part of the memory left, each with the numbers of its rows. */
    private int pairsThatFit() {
      long bytes = 2 * Integer.BYTES;
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        bytes += columns().get(i).type().element().bytes() + 1;
      }
      long pairs = MemoryAccount.current().availableBytes() / MEMORY_SHARE / bytes;
      return Math.clamp(pairs, PAIRS_MIN, PAIRS_MAX);
    }

    @Override
    public @Nullable Batch next() {
      StopSignal.poll();
      RowPairs known = pairs;
      while (known == null || !known.advance()) {
        Batch current = batch;
        if (current == null || block + 1 == blocks.count()) {
          if (current != null) {
            current.close();
            batch = null;
          }
          current = streamed.next();
          batch = current;
          if (current == null) {
            pairs = null;
            return null;
          }
          turnTo(0);
        } else {
          turnTo(block + 1);
        }
        known = pairs(current);
        pairs = known;
      }
      return picked(Objects.requireNonNull(batch), known);
    }

    private void turnTo(int next) {
      if (next != block) {
        leaveIndex();
        held = blocks.block(next);
        block = next;
      }
    }

    /** Those of the batch and the block; all with one row, which the filter above asks at once. */
    private RowPairs pairs(Batch current) {
      if (ranges == null || held.rows() == 1) {
        return new AllRowPairs(current.rows(), held.rows(), pairsMax);
      }
      PairRanges wanted = holdsLeft ? ranges : ranges.exchanged();
      List<SqlTypeSpec> types = (holdsLeft ? right : left).types();
      return new RowPairsInRange(current, types, wanted, index(wanted), pairsMax);
    }

    private RangeIndex index(PairRanges wanted) {
      RangeIndex known = index;
      if (known == null) {
        known = new RangeIndex(held, (holdsLeft ? left : right).types(), wanted);
        index = known;
      }
      return known;
    }

    private void leaveIndex() {
      if (index != null) {
        index.close();
        index = null;
      }
    }

    private Batch picked(Batch current, RowPairs found) {
      BatchMemory memory = new BatchMemory();
      try (BatchMemory scratch = new BatchMemory()) {
        HostBuffer streamedRows = indexes(found.streamed(), found.count(), scratch);
        HostBuffer heldRows = indexes(found.held(), found.count(), scratch);
        DenseBatch result = new DenseBatch(found.count(), columns().size(), memory);
        HostBuffer leftRows = holdsLeft ? heldRows : streamedRows;
        HostBuffer rightRows = holdsLeft ? streamedRows : heldRows;
        pick(result, left, 0, holdsLeft ? held : current, leftRows);
        pick(result, right, left.columns().size(), holdsLeft ? current : held, rightRows);
        return result;
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    private static HostBuffer indexes(int[] rows, int count, BatchMemory memory) {
      HostBuffer buffer = memory.pin((long) count * Integer.BYTES);
      buffer.write(0, rows, 0, count);
      return buffer;
    }

    private void pick(
        DenseBatch result, Source input, int first, Batch from, HostBuffer rowNumbers) {
      for (int i = 0; i < input.columns().size(); i++) {
        if (!needed.get(first + i)) {
          continue;
        }
        SqlTypeSpec type = input.columns().get(i).type();
        DenseColumn source =
            new DenseColumn(Launching.element(type), from.values(i), from.validity(i));
        DenseColumn column =
            gather.column(source, rowNumbers, result.rows(), false, result.memory());
        result.set(first + i, column.values(), column.validity());
        if (type.kind().isString()) {
          result.strings(first + i, from.strings(i));
        }
      }
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
      leaveIndex();
      streamed.close();
      blocks.close();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return left.hasSettledStrings() && right.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    double all = left.estimatedRows(x) * right.estimatedRows(x);
    return ranges == null ? all : Math.max(1, all * ranges.shareAssumed());
  }

  @Override
  public void explain(Outline outline) {
    outline.operator(
        ranges == null ? "all pairs of" : "pairs with " + ranges.text(left, right) + " of",
        ranges == null ? "kernel gather" : "host and kernel gather",
        this);
    outline.below(left);
    outline.below(right);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    left.kernels(kernels);
    right.kernels(kernels);
  }
}
