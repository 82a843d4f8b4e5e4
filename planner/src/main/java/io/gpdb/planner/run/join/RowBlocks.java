package io.gpdb.planner.run.join;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All rows of an input, in blocks of which one at a time is in memory: one block that is held, or,
 * where memory does not have room for it, several in a temporary file.
 */
final class RowBlocks implements AutoCloseable {
  private static final int BLOCK_ROWS_MIN = 1 << 10;
  private static final int BLOCK_ROWS_MAX = 1 << 24;

  /** A block is one part in this many of the operator's share. */
  private static final int BLOCK_SHARE = 2;

  /** What a row in memory takes beside its fields: its number and its mark. */
  private static final int NUMBER_BYTES = 5;

  private final @Nullable SpilledRows file;
  private final List<List<Range>> blocks;

  /** The block that is in memory. */
  private @Nullable DenseBatch open;

  private RowBlocks(SpilledRows file, List<List<Range>> blocks) {
    this.file = file;
    this.blocks = blocks;
  }

  private RowBlocks(DenseBatch only) {
    file = null;
    blocks = List.of(List.of());
    open = only;
  }

  /** Reads all rows. */
  static RowBlocks of(Source source, Execution x, BitSet fields) {
    return of(source, x, fields, 0);
  }

  /**
   * Reads all rows.
   *
   * @param indexBytes what is made of each row of the block that is in memory
   */
  static RowBlocks of(Source source, Execution x, BitSet fields, int indexBytes) {
    SpilledRows file = null;
    try (HeldRows held = new HeldRows(source, fields)) {
      long workBytes = held.rowBytes() + NUMBER_BYTES + indexBytes;
      List<Range> ranges = new ArrayList<>();
      try (Batches stream = source.open(x, fields)) {
        stream.expectAll();
        for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
          held.add(batch);
          if (file != null || held.areTooMany(workBytes)) {
            file = file == null ? new SpilledRows(source.types(), fields) : file;
            held.spill(file, ranges);
          }
        }
      }
      DenseBatch only = file == null ? held(held) : null;
      if (only != null) {
        return new RowBlocks(only);
      }
      file = file == null ? new SpilledRows(source.types(), fields) : file;
      held.spill(file, ranges);
      long most = HeldRows.rowsOfShare(workBytes) / BLOCK_SHARE;
      int blockRows = Math.clamp(most, BLOCK_ROWS_MIN, BLOCK_ROWS_MAX);
      return new RowBlocks(file, SpilledRows.pieces(ranges, blockRows));
    } catch (RuntimeException | Error e) {
      if (file != null) {
        file.close();
      }
      throw e;
    }
  }

  /** Null where memory does not have room for them next to each other. */
  private static @Nullable DenseBatch held(HeldRows rows) {
    try {
      return rows.taken();
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
        throw e;
      }
      return null;
    }
  }

  int count() {
    return blocks.size();
  }

  boolean isEmpty() {
    return file == null && Objects.requireNonNull(open).rows() == 0;
  }

  /** How many rows a block has. */
  int rows(int number) {
    return file == null
        ? Objects.requireNonNull(open).rows()
        : blocks.get(number).stream().mapToInt(Range::rows).sum();
  }

  /** The rows of a block, which stays here until another is asked for. */
  DenseBatch block(int number) {
    DenseBatch known = open;
    if (file == null) {
      return Objects.requireNonNull(known);
    }
    if (known != null) {
      open = null;
      known.close();
    }
    DenseBatch read = file.read(blocks.get(number));
    open = read;
    return read;
  }

  /** The strings of a field. */
  StringDomain strings(int field) {
    return file == null
        ? Objects.requireNonNull(open).strings(field)
        : Objects.requireNonNull(file.strings(field));
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
      open = null;
    }
    if (file != null) {
      file.close();
    }
  }
}
