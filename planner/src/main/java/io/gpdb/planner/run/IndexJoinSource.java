package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.IndexBatch;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.query.IndexLookup;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.table.KeyRange;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An inner join that looks the rows of a stored table up in an index, for each row of its other
 * input: for few of these. The fields are the other input's and all of the table's.
 */
public final class IndexJoinSource extends Source {
  private final Source outer;
  private final TableDef table;
  private final boolean withRowId;
  private final IndexLookup lookup;

  public IndexJoinSource(Source outer, TableDef table, boolean withRowId, IndexLookup lookup) {
    super(columns(outer, table, withRowId));
    this.outer = outer;
    this.table = table;
    this.withRowId = withRowId;
    this.lookup = lookup;
  }

  private static List<SourceColumn> columns(Source outer, TableDef table, boolean withRowId) {
    List<SourceColumn> columns = new ArrayList<>(outer.columns());
    columns.addAll(TableSource.columns(table, withRowId));
    return columns;
  }

  public Source outer() {
    return outer;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return new Pairs(x, needed);
  }

  /** One execution: a place in the outer input, and in the rows that its row has. */
  private final class Pairs implements Batches {
    private final Execution x;
    private final BitSet needed;
    private final TableReader reader;
    private final List<SqlTypeSpec> types =
        TableSource.columns(table, withRowId).stream().map(SourceColumn::type).toList();
    private final int[] inner;
    private final boolean rowIds;
    private final Batches batches;
    private @Nullable Batch batch;
    private int row = -1;
    private @Nullable RowCursor cursor;
    private final long[] numbers = new long[64];
    private int known;
    private int next;

    Pairs(Execution x, BitSet needed) {
      this.x = x;
      this.needed = needed;
      reader = x.transaction().reader(table.tableId());
      int first = outer.columns().size();
      BitSet stored = needed.get(first, first + table.columns().size());
      inner = stored.stream().toArray();
      rowIds = withRowId && needed.get(first + table.columns().size());
      batches = outer.open(x);
    }

    @Override
    public @Nullable Batch next() {
      while (true) {
        Batch current = batch;
        if (current == null) {
          current = batches.next();
          if (current == null) {
            return null;
          }
          batch = current;
          row = -1;
          cursor = null;
        }
        Batch pairs = pairs(current);
        if (pairs != null) {
          return pairs;
        }
        current.close();
        batch = null;
      }
    }

    /** The next pairs with rows of the outer batch, or null. */
    private @Nullable Batch pairs(Batch current) {
      IndexBatch found = new IndexBatch(reader, types, inner, rowIds, RowsBuilder.ROWS);
      try {
        int[] rows = new int[RowsBuilder.ROWS];
        int count = 0;
        while (count < rows.length && advance(current)) {
          found.add(numbers[next++]);
          if (found.rows() > count) {
            rows[count++] = row;
          }
        }
        if (count > 0) {
          return new PairBatch(current, outer, needed, rows, count, found);
        }
      } catch (RuntimeException | Error e) {
        found.close();
        throw e;
      }
      found.close();
      return null;
    }

    /** Goes to the next row of the table that belongs to a row of the outer batch. */
    private boolean advance(Batch current) {
      while (next == known) {
        RowCursor rows = cursor;
        known = rows == null ? 0 : rows.next(numbers);
        next = 0;
        if (known == 0) {
          if (++row >= current.rows()) {
            return false;
          }
          StopSignal.poll(row);
          KeyRange range = lookup.range(x.parameters(), field -> value(current, field));
          cursor = range == null ? null : reader.scan(lookup.ordinal(), range, false);
        }
      }
      return true;
    }

    private KeyRange.@Nullable Value value(Batch current, int field) {
      if (current.isNull(field, row)) {
        return null;
      }
      SqlTypeSpec type = outer.columns().get(field).type();
      long raw = type.element().rawAt(current.hostValues(field), row);
      return type.kind().isString()
          ? KeyRange.Value.of(current.strings(field).bytes((int) raw))
          : KeyRange.Value.of(raw);
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
      batches.close();
    }
  }

  /** Rows of both inputs next to each other. */
  private static final class PairBatch extends Batch {
    private final int outerFields;
    private final @Nullable HostBuffer[] values;
    private final @Nullable HostBuffer[] validity;
    private final @Nullable StringDomain[] strings;
    private final IndexBatch inner;
    private final BatchMemory memory = new BatchMemory();
    private final int count;

    PairBatch(
        Batch outerBatch, Source outer, BitSet needed, int[] rows, int count, IndexBatch inner) {
      this.inner = inner;
      this.count = count;
      outerFields = outer.columns().size();
      values = new @Nullable HostBuffer[outerFields];
      validity = new @Nullable HostBuffer[outerFields];
      strings = new @Nullable StringDomain[outerFields];
      for (int f = needed.nextSetBit(0); f >= 0 && f < outerFields; f = needed.nextSetBit(f + 1)) {
        SqlTypeSpec type = outer.columns().get(f).type();
        HostBuffer from = outerBatch.hostValues(f);
        HostBuffer to = memory.pin((long) count * type.element().bytes());
        HostBuffer valid = memory.bitmap(count);
        for (int i = 0; i < count; i++) {
          type.element().setRawAt(to, i, type.element().rawAt(from, rows[i]));
          Bitmaps.set(valid, i, !outerBatch.isNull(f, rows[i]));
        }
        values[f] = to;
        validity[f] = outerBatch.validity(f) == null ? null : valid;
        strings[f] = type.kind().isString() ? outerBatch.strings(f) : null;
      }
    }

    @Override
    public int rows() {
      return count;
    }

    @Override
    public DeviceBuffer values(int field) {
      if (field >= outerFields) {
        return inner.values(field - outerFields);
      }
      HostBuffer column = values[field];
      if (column == null) {
        throw new IllegalStateException("field " + field + " was not asked for");
      }
      return column;
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return field >= outerFields ? inner.validity(field - outerFields) : validity[field];
    }

    @Override
    public StringDomain strings(int field) {
      if (field >= outerFields) {
        return inner.strings(field - outerFields);
      }
      StringDomain domain = strings[field];
      if (domain == null) {
        throw new IllegalStateException("field " + field + " has no strings");
      }
      return domain;
    }

    @Override
    public void close() {
      inner.close();
      memory.close();
    }
  }

  @Override
  public boolean hasSettledStrings() {
    return outer.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    return outer.estimatedRows(x);
  }

  @Override
  public void explain(Outline outline) {
    outline.operator(
        "inner join, looks up table " + table.name() + " by index " + lookup.name(), "host", this);
    outline.below(outer);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    outer.kernels(kernels);
  }
}
