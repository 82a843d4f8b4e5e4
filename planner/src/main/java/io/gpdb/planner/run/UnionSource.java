package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Concatenation;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** UNION ALL: the rows of one input after those of another, strings in one domain of their own. */
public final class UnionSource extends Source {
  private final List<Source> inputs;

  public UnionSource(List<SourceColumn> columns, List<Source> inputs) {
    super(columns);
    this.inputs = List.copyOf(inputs);
    expectAllOf(this.inputs);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return new Union(x, needed);
  }

  /** The inputs one after another. */
  private final class Union implements Batches {
    private final Execution x;
    private final BitSet needed;
    private final List<Recoding> recodings = new ArrayList<>();
    private @Nullable Batches current;
    private boolean expectsAll;
    private int next;

    Union(Execution x, BitSet needed) {
      this.x = x;
      this.needed = needed;
      for (SourceColumn column : columns()) {
        recodings.add(new Recoding(column.type().kind().isString()));
      }
    }

    @Override
    public @Nullable Batch next() {
      while (true) {
        Batches open = current;
        if (open == null) {
          if (next == inputs.size()) {
            return null;
          }
          open = inputs.get(next++).open(x, needed);
          current = open;
          if (expectsAll) {
            open.expectAll();
          }
        }
        Batch batch = open.next();
        if (batch != null) {
          try (batch) {
            return copy(batch);
          }
        }
        open.close();
        current = null;
      }
    }

    @Override
    public void expectAll() {
      expectsAll = true;
    }

    private Batch copy(Batch batch) {
      BatchMemory memory = new BatchMemory();
      int rows = batch.rows();
      DenseBatch copy = new DenseBatch(rows, columns().size(), memory);
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        Concatenation column = new Concatenation(columns().get(i).type(), rows, memory);
        column.add(batch, i, 0, rows);
        Recoding recoding = recodings.get(i);
        DeviceBuffer values = column.values();
        if (recoding.strings != null) {
          HostBuffer codes = memory.pin((long) rows * Integer.BYTES);
          recoding.recode(batch.strings(i), values.onHost(), rows, column.validity(), codes);
          values = codes;
        }
        copy.set(i, values, column.validity()).strings(i, recoding.strings);
      }
      return copy;
    }

    @Override
    public void close() {
      if (current != null) {
        current.close();
      }
    }
  }

  /** Codes of the inputs as codes of one domain. */
  private static final class Recoding {
    final StringDomain.@Nullable Made strings;
    private @Nullable StringDomain from;
    private int[] codes = new int[0];

    Recoding(boolean isString) {
      strings = isString ? new StringDomain.Made() : null;
    }

    void recode(
        StringDomain domain,
        HostBuffer values,
        int rows,
        @Nullable HostBuffer validity,
        HostBuffer recoded) {
      if (from == null || !from.isSameAs(domain)) {
        from = domain;
        codes = new int[0];
      }
      for (int row = 0; row < rows; row++) {
        StopSignal.poll(row);
        if (validity != null && !Bitmaps.test(validity, row)) {
          recoded.setInt(row, 0);
        } else {
          recoded.setInt(row, recoded(domain, values.intAt(row)));
        }
      }
    }

    private int recoded(StringDomain domain, int code) {
      if (code >= codes.length) {
        int known = codes.length;
        codes = Arrays.copyOf(codes, Math.max(domain.size(), code + 1));
        Arrays.fill(codes, known, codes.length, -1);
      }
      if (codes[code] < 0) {
        StringDomain.Made target = strings;
        if (target == null) {
          throw new IllegalStateException("not a string");
        }
        codes[code] = target.intern(domain.bytes(code));
      }
      return codes[code];
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return inputs.stream().mapToDouble(input -> input.estimatedRows(x)).sum();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("union all", "host", this);
    inputs.forEach(outline::below);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    inputs.forEach(input -> input.kernels(kernels));
  }
}
