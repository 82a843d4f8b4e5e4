package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowReader;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.tree.DependentJoin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each row of the input with the rows that a query returns for its values. The query is run once
 * for each combination of values, as long as its rows are few enough to be remembered.
 */
final class DependentJoinSource extends Source {
  private static final int REMEMBERED_ROWS_MAX = 256;

  private final DependentJoin join;
  private final Source input;
  private final Source query;

  DependentJoinSource(List<SourceColumn> columns, DependentJoin join, Source input, Source query) {
    super(columns);
    this.join = join;
    this.input = input;
    this.query = query;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return new Rows(x);
  }

  /** The state of one execution: a row of the input and a position in the rows of its query. */
  private final class Rows implements Batches {
    private final Execution x;
    private final SubQueryMemo memo;
    private final RowsBuilder builder = new RowsBuilder(types());
    private final RowReader left;
    private @Nullable QueryRows current;

    Rows(Execution x) {
      this.x = x;
      memo = OuterBindings.memo(x.parameters());
      left = new RowReader(input, x);
    }

    @Override
    public @Nullable Batch next() {
      while (!builder.isFull()) {
        QueryRows open = current == null ? advance() : current;
        if (open == null) {
          break;
        }
        current = open;
        @Nullable Object @Nullable [] found = open.next();
        if (found != null) {
          add(found);
          continue;
        }
        if (open.count == 0 && join.keepsEveryRow()) {
          add(new @Nullable Object[query.columns().size()]);
        }
        open.close();
        current = null;
      }
      return builder.rows() == 0 ? null : builder.batch();
    }

    /** The query of the next row of the input; null at the end. */
    private @Nullable QueryRows advance() {
      if (!left.advance()) {
        return null;
      }
      int own = join.fields().size();
      @Nullable Object[] values = new Object[own];
      @Nullable Object[] outer = new Object[own + join.outer().size()];
      for (int i = 0; i < own; i++) {
        values[i] = left.value(join.fields().get(i));
        outer[i] = values[i];
      }
      for (int i = own; i < outer.length; i++) {
        outer[i] = OuterBindings.outerValue(x.parameters(), join.outer().get(i - own));
      }
      SubQueryMemo.Key key = SubQueryMemo.key(DependentJoinSource.this, outer);
      SubQueryMemo.Answer known = memo.find(key);
      if (known != null) {
        return new QueryRows(key, known.rows(), null);
      }
      Execution inner = x.with(new OuterBindings(x.parameters(), join.parameters(), values, memo));
      return new QueryRows(key, new ArrayList<>(), new RowReader(query, inner));
    }

    private void add(@Nullable Object[] found) {
      int width = input.columns().size();
      for (int i = 0; i < width; i++) {
        set(i, left.value(i));
      }
      for (int i = 0; i < found.length; i++) {
        set(width + i, found[i]);
      }
      builder.endRow();
    }

    private void set(int field, @Nullable Object value) {
      switch (value) {
        case null -> builder.set(field, null);
        case Bytes text -> builder.setRaw(field, builder.intern(field, text.bytes()));
        default -> builder.setRaw(field, (Long) value);
      }
    }

    /** The rows of the query for one combination of values, read or remembered. */
    private final class QueryRows {
      private final SubQueryMemo.Key key;
      private final List<@Nullable Object[]> rows;
      private final @Nullable RowReader reader;
      int count;

      QueryRows(SubQueryMemo.Key key, List<@Nullable Object[]> rows, @Nullable RowReader reader) {
        this.key = key;
        this.rows = rows;
        this.reader = reader;
      }

      @Nullable Object @Nullable [] next() {
        if (reader == null) {
          return count < rows.size() ? rows.get(count++) : null;
        }
        if (!reader.advance()) {
          if (count <= REMEMBERED_ROWS_MAX) {
            memo.add(key, new SubQueryMemo.Answer(rows));
          }
          return null;
        }
        @Nullable Object[] values = reader.values();
        if (count++ < REMEMBERED_ROWS_MAX) {
          rows.add(values);
        }
        return values;
      }

      void close() {
        if (reader != null) {
          reader.close();
        }
      }
    }

    @Override
    public void close() {
      if (current != null) {
        current.close();
      }
      left.close();
    }
  }

  @Override
  public double estimatedRows(Execution x) {
    return input.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("for each row", "host", this);
    outline.below(input);
    outline.below(
        query, OuterBindings.unknown(outline.execution().parameters(), join.parameters()));
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
    query.kernels(kernels);
  }
}
