package io.gpdb.planner.run.join;

import io.gpdb.exec.library.lane.RowMatch;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.FoundFields;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a join whose pairs are found by the kernel that reads them: those of the probed
 * input, with the built input's columns beside.
 */
final class FusedJoin implements Batches {
  private final JoinTable table;
  private final Batches probed;
  private final BitSet builtFields = new BitSet();

  /**
   * @param table closed with this, as are the probed batches
   */
  FusedJoin(JoinTable table, Batches probed) {
    this.table = table;
    this.probed = probed;
    int first = table.builtFirst();
    if (first >= 0) {
      builtFields.set(first, first + table.builtColumns());
    }
  }

  @Override
  public @Nullable Batch next() {
    return paired(probed.next());
  }

  @Override
  public @Nullable Batch nextTogether() {
    return paired(probed.nextTogether());
  }

  @Override
  public void expectAll() {
    probed.expectAll();
  }

  private @Nullable Batch paired(@Nullable Batch batch) {
    return batch == null ? null : new Paired(batch);
  }

  @Override
  public void close() {
    try (table) {
      probed.close();
    }
  }

  /** Rows of the probed input that make a pair or none. */
  private final class Paired extends Batch implements FoundFields {
    private final Batch rows;

    Paired(Batch rows) {
      this.rows = rows;
    }

    @Override
    public FoundFields found() {
      return this;
    }

    @Override
    public BitSet fields() {
      return builtFields;
    }

    @Override
    public RowMatch match(BitSet inputs) {
      return table.fused(rows, inputs);
    }

    private Batch of(int field) {
      return builtFields.get(field) ? table.held() : rows;
    }

    private int in(int field) {
      return field - (builtFields.get(field) ? table.builtFirst() : table.probedFirst());
    }

    @Override
    public int rows() {
      return rows.rows();
    }

    @Override
    public @Nullable DeviceBuffer live() {
      return rows.live();
    }

    @Override
    public long storedBytes() {
      return rows.storedBytes();
    }

    @Override
    public long copiedBytes() {
      return rows.copiedBytes();
    }

    @Override
    public DeviceBuffer values(int field) {
      return of(field).values(in(field));
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return of(field).validity(in(field));
    }

    @Override
    public StringDomain strings(int field) {
      return of(field).strings(in(field));
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
