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
import org.jspecify.annotations.Nullable;

/**
 * All pairs of the rows of two inputs, in blocks: a nested-loop join, whose condition is a filter
 * above. The input that has fewer rows is kept in memory, or, where that has no room for it, in
 * blocks in a temporary file: a batch of the other meets block after block.
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

  /** The product of inputs all of whose rows exist. */
  public ProductSource(Device device, Source left, Source right) {
    super(columns(left, right));
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
    RowBlocks held = holdsLeft ? RowBlocks.of(left, x, ofLeft) : RowBlocks.of(right, x, ofRight);
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

  /** One execution: a batch of the streamed input, a block, a row of both. */
  private final class Blocks implements Batches {
    private final BitSet needed;
    private final RowBlocks blocks;
    private final boolean holdsLeft;
    private final Batches streamed;
    private final int pairsMax;
    private @Nullable Batch batch;
    private int row;
    private int block;
    private DenseBatch held;
    private int heldRow;

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
      Batch current = batch;
      while (current == null || row == current.rows()) {
        if (current == null || block + 1 == blocks.count()) {
          if (current != null) {
            current.close();
            batch = null;
          }
          current = streamed.next();
          batch = current;
          turnTo(0);
          if (current == null) {
            return null;
          }
        } else {
          turnTo(block + 1);
        }
      }
      return pairs(current);
    }

    /** Begins with a block and the first row of the batch. */
    private void turnTo(int next) {
      if (next != block) {
        held = blocks.block(next);
        block = next;
      }
      row = 0;
    }

    private Batch pairs(Batch current) {
      BatchMemory memory = new BatchMemory();
      try (BatchMemory scratch = new BatchMemory()) {
        int heldRows = Math.min(held.rows() - heldRow, pairsMax);
        int rows = Math.min(Math.max(1, pairsMax / held.rows()), current.rows() - row);
        int pairs = rows * heldRows;
        int[] ofStreamed = new int[pairs];
        int[] ofHeld = new int[pairs];
        for (int i = 0, pair = 0; i < rows; i++) {
          for (int j = 0; j < heldRows; j++, pair++) {
            ofStreamed[pair] = row + i;
            ofHeld[pair] = heldRow + j;
          }
        }
        HostBuffer streamedRows = indexes(ofStreamed, scratch);
        HostBuffer heldRowNumbers = indexes(ofHeld, scratch);
        DenseBatch result = new DenseBatch(pairs, columns().size(), memory);
        pick(
            result, left, 0, holdsLeft ? held : current, holdsLeft ? heldRowNumbers : streamedRows);
        pick(
            result,
            right,
            left.columns().size(),
            holdsLeft ? current : held,
            holdsLeft ? streamedRows : heldRowNumbers);
        advance(rows, heldRows);
        return result;
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    private void advance(int rows, int heldRows) {
      heldRow += heldRows;
      if (heldRow == held.rows()) {
        heldRow = 0;
        row += rows;
      }
    }

    private static HostBuffer indexes(int[] rows, BatchMemory memory) {
      HostBuffer buffer = memory.pin((long) rows.length * Integer.BYTES);
      buffer.write(0, rows, 0, rows.length);
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
    return left.estimatedRows(x) * right.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("all pairs of", "kernel gather", this);
    outline.below(left);
    outline.below(right);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    left.kernels(kernels);
    right.kernels(kernels);
  }
}
