package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.bridge.BridgeQuery;
import io.gpdb.planner.bridge.BridgeRows;
import io.gpdb.planner.bridge.BridgeValues;
import io.gpdb.planner.bridge.SubQueryValues;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/** A tree that Calcite's enumerable convention runs row by row over rows of our sources. */
final class BridgeSource extends Source {
  private final BridgeQuery query;
  private final IdentityHashMap<RelNode, Source> leaves;
  private final SubQueryPlans subQueries;
  private final @Nullable SqlTypeSpec[] parameterTypes;
  private final String reason;
  private final BridgeFaults faults;

  /**
   * @param parameterTypes null where the tree does not have the parameter
   */
  BridgeSource(
      List<SourceColumn> columns,
      BridgeQuery query,
      IdentityHashMap<RelNode, Source> leaves,
      SubQueryPlans subQueries,
      @Nullable SqlTypeSpec[] parameterTypes,
      String reason) {
    super(columns);
    this.query = query;
    this.leaves = leaves;
    this.subQueries = subQueries;
    this.parameterTypes = parameterTypes;
    this.reason = reason;
    this.faults = BridgeFaults.in(query.tree());
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    try {
      return new Rows(
          query.run(
              leaf -> rows(leaf, x),
              subQueries(x),
              parameters(x.parameters()),
              x.parameters().nowMicros()));
    } catch (GpdbException e) {
      throw faults.explained(e);
    }
  }

  private SubQueryValues subQueries(Execution x) {
    SubQueryPlans.Run run = subQueries.begin(x);
    return (function, arguments) -> {
      @Nullable Object[] encoded = new Object[arguments.length];
      for (int i = 0; i < encoded.length; i++) {
        encoded[i] = encoded(function.argumentTypes().get(i), arguments[i]);
      }
      Object value = run.value(function, encoded);
      SqlTypeSpec type = function.valueType();
      return switch (value) {
        case null -> null;
        case Bytes text -> BridgeValues.ofBytes(type, text.bytes());
        default -> BridgeValues.ofRaw(type, (Long) value);
      };
    };
  }

  private static @Nullable Object encoded(SqlTypeSpec type, @Nullable Object value) {
    return value == null
        ? null
        : type.kind().isString()
            ? new Bytes(BridgeValues.toBytes(type, value))
            : (Object) BridgeValues.toRaw(type, value);
  }

  private @Nullable Object[] parameters(ParameterValues bound) {
    @Nullable Object[] values = new Object[Math.max(parameterTypes.length, bound.count())];
    for (int i = 0; i < parameterTypes.length; i++) {
      SqlTypeSpec type = parameterTypes[i];
      if (type != null && !bound.isNull(i)) {
        values[i] =
            type.kind().isString()
                ? BridgeValues.ofBytes(type, bound.bytes(i))
                : BridgeValues.ofRaw(type, bound.raw(i));
      }
    }
    return values;
  }

  private Enumerable<@Nullable Object[]> rows(RelNode leaf, Execution x) {
    Source source = leaves.get(leaf);
    if (source == null) {
      throw new IllegalStateException("no rows for " + leaf);
    }
    return new AbstractEnumerable<@Nullable Object[]>() {
      @Override
      public Enumerator<@Nullable Object[]> enumerator() {
        return new LeafRows(source, x);
      }
    };
  }

  /** The rows of a leaf. */
  private static final class LeafRows implements Enumerator<@Nullable Object[]> {
    private final Source source;
    private final Execution x;
    private final SqlTypeSpec[] types;
    private Batches batches;
    private @Nullable Batch batch;
    private int row;

    LeafRows(Source source, Execution x) {
      this.source = source;
      this.x = x;
      types = source.types().toArray(SqlTypeSpec[]::new);
      batches = source.open(x);
    }

    @Override
    public boolean moveNext() {
      row++;
      while (batch == null || row >= batch.rows()) {
        if (batch != null) {
          batch.close();
        }
        batch = batches.next();
        row = 0;
        if (batch == null) {
          return false;
        }
      }
      return true;
    }

    @Override
    public @Nullable Object[] current() {
      Batch current = batch;
      if (current == null) {
        throw new IllegalStateException("not on a row");
      }
      @Nullable Object[] values = new Object[types.length];
      for (int i = 0; i < values.length; i++) {
        if (!current.isNull(i, row)) {
          long raw = types[i].element().rawAt(current.hostValues(i), row);
          values[i] =
              types[i].kind().isString()
                  ? BridgeValues.ofBytes(types[i], current.strings(i).bytes((int) raw))
                  : BridgeValues.ofRaw(types[i], raw);
        }
      }
      return values;
    }

    @Override
    public void reset() {
      close();
      batches = source.open(x);
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
        batch = null;
      }
      batches.close();
    }
  }

  /** Rows of the bridge as batches. */
  private final class Rows implements Batches {
    private final BridgeRows rows;
    private final RowsBuilder builder = new RowsBuilder(types());
    private final List<SqlTypeSpec> types = types();
    private boolean ended;

    Rows(BridgeRows rows) {
      this.rows = rows;
    }

    @Override
    public @Nullable Batch next() {
      while (!ended && !builder.isFull()) {
        @Nullable Object @Nullable [] row = nextRow();
        if (row == null) {
          ended = true;
          break;
        }
        for (int i = 0; i < types.size(); i++) {
          set(i, row[i]);
        }
        builder.endRow();
      }
      return builder.rows() == 0 ? null : builder.batch();
    }

    private @Nullable Object @Nullable [] nextRow() {
      try {
        return rows.next();
      } catch (GpdbException e) {
        throw faults.explained(e);
      }
    }

    private void set(int field, @Nullable Object value) {
      SqlTypeSpec type = types.get(field);
      if (value == null) {
        builder.set(field, null);
      } else if (type.kind().isString()) {
        builder.setRaw(field, builder.intern(field, BridgeValues.toBytes(type, value)));
      } else {
        builder.setRaw(field, BridgeValues.toRaw(type, value));
      }
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return leaves.values().stream().mapToDouble(leaf -> leaf.estimatedRows(x)).sum();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("Calcite enumerable, for " + reason, "host", this);
    query.plan().strip().lines().forEach(line -> outline.line("  | " + line));
    leaves.values().forEach(outline::below);
    subQueries.explain(outline);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    leaves.values().forEach(leaf -> leaf.kernels(kernels));
    subQueries.kernels(kernels);
  }
}
