package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.ForwardingBatches;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Fields of another source in another order: nothing is copied. */
public final class FieldsSource extends Source {
  private final Source input;
  private final int[] fields;

  /** Field i is field {@code fields[i]} of the input, whose rows all exist. */
  public FieldsSource(Source input, int[] fields, List<SourceColumn> columns) {
    super(columns);
    this.input = input;
    this.fields = fields.clone();
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = new BitSet();
    for (int i = needed.nextSetBit(0); i >= 0 && i < fields.length; i = needed.nextSetBit(i + 1)) {
      read.set(fields[i]);
    }
    return new Views(input.open(x, read));
  }

  /** Batches seen through the fields. */
  private final class Views extends ForwardingBatches {
    Views(Batches batches) {
      super(batches);
    }

    @Override
    public @Nullable Batch next() {
      return view(super.next());
    }

    @Override
    public @Nullable Batch nextTogether() {
      return view(super.nextTogether());
    }

    private @Nullable Batch view(@Nullable Batch batch) {
      return batch == null ? null : new View(batch);
    }
  }

  /** A batch seen through the fields. */
  private final class View extends Batch {
    private final Batch batch;

    View(Batch batch) {
      this.batch = batch;
    }

    @Override
    public int rows() {
      return batch.rows();
    }

    @Override
    public boolean ownsColumns() {
      return batch.ownsColumns() && batch.live() == null;
    }

    @Override
    public @Nullable InTablet inTablet(int field) {
      return batch.inTablet(fields[field]);
    }

    @Override
    public long copiedBytes() {
      return batch.copiedBytes();
    }

    @Override
    public long storedBytes() {
      return batch.storedBytes();
    }

    @Override
    public DeviceBuffer values(int field) {
      return batch.values(fields[field]);
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return batch.validity(fields[field]);
    }

    @Override
    public StringDomain strings(int field) {
      return batch.strings(fields[field]);
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    List<String> names =
        IntStream.of(fields).mapToObj(field -> input.columns().get(field).name()).toList();
    outline.operator("fields " + String.join(", ", names), "in place", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
