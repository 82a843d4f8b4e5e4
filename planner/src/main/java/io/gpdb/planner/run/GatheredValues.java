package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.RowBatches;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of objects, see {@link HostValue}, that are all gathered before the first is used, and are
 * read once: few as they came, many as {@link GatheredRows}.
 */
public final class GatheredValues implements AutoCloseable {
  /** Buffers for more rows are not worth their while for fewer. */
  private static final int FEW = 256;

  private final List<SqlTypeSpec> types;
  private final List<@Nullable Object[]> few = new ArrayList<>();
  private @Nullable RowsBuilder builder;
  private @Nullable GatheredRows many;

  public GatheredValues(List<SqlTypeSpec> types) {
    this.types = types;
  }

  /** Adds a row behind the others. */
  public void add(@Nullable Object[] row) {
    GatheredRows to = many;
    if (to == null && few.size() < FEW) {
      few.add(row);
      return;
    }
    if (to == null) {
      to = new GatheredRows(types);
      many = to;
      builder = new RowsBuilder(types);
      for (@Nullable Object[] known : few) {
        build(to, builder, known);
      }
      few.clear();
    }
    build(to, Objects.requireNonNull(builder), row);
  }

  private static void build(GatheredRows to, RowsBuilder builder, @Nullable Object[] row) {
    for (int i = 0; i < row.length; i++) {
      builder.set(i, row[i]);
    }
    builder.endRow();
    if (builder.isFull()) {
      to.add(builder.batch());
    }
  }

  /** All rows, with which this is closed. */
  public Batches batches() {
    GatheredRows all = ended();
    many = null;
    return all == null ? new RowBatches(types, few.iterator()) : all.piecesAndEnd();
  }

  /** All rows one by one, until this is closed. */
  public Iterator<@Nullable Object[]> rows() {
    GatheredRows all = ended();
    return all == null ? few.iterator() : new Rows(all.pieces());
  }

  private @Nullable GatheredRows ended() {
    GatheredRows all = many;
    RowsBuilder last = builder;
    if (all != null && last != null) {
      builder = null;
      if (last.rows() > 0) {
        all.add(last.batch());
      }
      all.end();
    }
    return all;
  }

  @Override
  public void close() {
    few.clear();
    if (builder != null) {
      builder.discard();
      builder = null;
    }
    if (many != null) {
      many.close();
      many = null;
    }
  }

  private final class Rows implements Iterator<@Nullable Object[]> {
    private final Batches batches;
    private @Nullable Batch batch;
    private int row;

    Rows(Batches batches) {
      this.batches = batches;
    }

    @Override
    public boolean hasNext() {
      while (batch == null || row == batch.rows()) {
        if (batch != null) {
          batch.close();
        }
        row = 0;
        batch = batches.next();
        if (batch == null) {
          batches.close();
          return false;
        }
      }
      return true;
    }

    @Override
    public @Nullable Object[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Batch from = Objects.requireNonNull(batch);
      @Nullable Object[] values = new @Nullable Object[types.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = from.value(i, types.get(i), row);
      }
      row++;
      return values;
    }
  }
}
