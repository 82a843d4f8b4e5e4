package io.gpdb.planner.run.table;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of one grouping set, with NULL for the keys that are not of the set. */
public final class KeySetSource extends Source {
  private final Source groups;
  private final List<Field> fields;

  /** What a column is of: a field of the groups, else a number for all of them, NULL for none. */
  public record Field(int group, @Nullable Long number) {
    public static Field of(int group) {
      return new Field(group, null);
    }

    public static Field ofNumber(long number) {
      return new Field(-1, number);
    }

    public static Field ofNull() {
      return new Field(-1, null);
    }
  }

  public KeySetSource(List<SourceColumn> columns, Source groups, List<Field> fields) {
    super(columns);
    this.groups = groups;
    this.fields = List.copyOf(fields);
    expectAllOf(List.of(groups));
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    BitSet read = new BitSet();
    needed.stream().map(i -> fields.get(i).group).filter(i -> i >= 0).forEach(read::set);
    Batches opened = groups.open(x, read);
    return new Batches() {
      @Override
      public @Nullable Batch next() {
        Batch batch = opened.next();
        return batch == null ? null : widened(batch, needed);
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }

  private Batch widened(Batch batch, BitSet needed) {
    BatchMemory memory = new BatchMemory();
    DenseBatch constants = new DenseBatch(batch.rows(), fields.size(), memory);
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      Field field = fields.get(i);
      if (field.group < 0) {
        putConstant(constants, i, field.number);
      }
    }
    return new Widened(batch, constants, fields);
  }

  private void putConstant(DenseBatch constants, int column, @Nullable Long number) {
    SqlTypeSpec type = columns().get(column).type();
    ElementType element = type.element();
    int rows = constants.rows();
    HostBuffer values = constants.memory().pin((long) rows * element.bytes());
    long raw = number == null ? 0 : number;
    for (int row = 0; row < rows; row++) {
      StopSignal.poll(row);
      element.setRawAt(values, row, raw);
    }
    constants.set(column, values, number == null ? constants.memory().bitmap(rows) : null);
    if (type.kind().isString()) {
      constants.strings(column, new StringDomain.Made());
    }
  }

  /** A batch of groups, and the columns that are the same for all of them. */
  private static final class Widened extends Batch {
    private final Batch groups;
    private final DenseBatch constants;
    private final List<Field> fields;

    Widened(Batch groups, DenseBatch constants, List<Field> fields) {
      this.groups = groups;
      this.constants = constants;
      this.fields = fields;
    }

    private Batch of(int column) {
      return fields.get(column).group < 0 ? constants : groups;
    }

    private int field(int column) {
      int group = fields.get(column).group;
      return group < 0 ? column : group;
    }

    @Override
    public int rows() {
      return groups.rows();
    }

    @Override
    public DeviceBuffer values(int column) {
      return of(column).values(field(column));
    }

    @Override
    public @Nullable DeviceBuffer validity(int column) {
      return of(column).validity(field(column));
    }

    @Override
    public StringDomain strings(int column) {
      return of(column).strings(field(column));
    }

    @Override
    public void close() {
      try (groups) {
        constants.close();
      }
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return groups.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).group < 0 && fields.get(i).number == null) {
        names.add(columns().get(i).name());
      }
    }
    outline.operator(
        names.isEmpty() ? "groups" : "groups without " + String.join(", ", names), "host", this);
    outline.below(groups);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    groups.kernels(kernels);
  }
}
