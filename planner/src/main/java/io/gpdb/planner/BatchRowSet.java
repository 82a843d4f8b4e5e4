package io.gpdb.planner;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query's batches, one at a time. Whoever reads them works under the stop signal of
 * the statement that began the query, in addition to their own, and takes memory from its account.
 */
final class BatchRowSet implements RowSet {
  private final Batches batches;
  private final StopSignal stop = StopSignal.current();
  private final MemoryAccount memory = MemoryAccount.current();
  private final ElementType[] elements;
  private final @Nullable StringDomain[] domains;
  private final HostBuffer[] values;
  private final @Nullable HostBuffer[] validity;
  private @Nullable Batch batch;
  private @Nullable HostBuffer live;
  private int rows;
  private int row = -1;

  BatchRowSet(Batches batches, List<OutputColumn> columns) {
    this.batches = batches;
    elements = columns.stream().map(c -> c.type().element()).toArray(ElementType[]::new);
    domains = new StringDomain[elements.length];
    values = new HostBuffer[elements.length];
    validity = new @Nullable HostBuffer[elements.length];
  }

  @Override
  public boolean next() {
    while (true) {
      row++;
      if (row < rows) {
        HostBuffer bits = live;
        if (bits == null || Bitmaps.test(bits, row)) {
          return true;
        }
      } else if (!advance()) {
        return false;
      }
    }
  }

  /** Goes before the first row of the next batch. */
  private boolean advance() {
    closeBatch();
    Batch next;
    try (StopSignal.Scope _ = stop.or(StopSignal.current()).bind();
        MemoryAccount.Scope _ = memory.bind()) {
      next = batches.next();
    }
    if (next == null) {
      rows = 0;
      return false;
    }
    batch = next;
    rows = next.rows();
    DeviceBuffer bits = next.live();
    live = bits == null ? null : bits.onHost();
    row = -1;
    for (int c = 0; rows > 0 && c < values.length; c++) {
      values[c] = next.values(c).onHost();
      validity[c] = DeviceBuffer.onHostOrNull(next.validity(c));
      domains[c] = elements[c] == ElementType.CODE ? next.strings(c) : null;
    }
    return true;
  }

  private void closeBatch() {
    Batch current = batch;
    if (current != null) {
      batch = null;
      current.close();
    }
  }

  @Override
  public boolean isNull(int column) {
    HostBuffer present = validity[column];
    return present != null && !Bitmaps.test(present, row);
  }

  @Override
  public long raw(int column) {
    return elements[column].rawAt(values[column], row);
  }

  private StringDomain domain(int column) {
    StringDomain domain = domains[column];
    if (domain == null) {
      throw new IllegalStateException("column " + column + " is no string");
    }
    return domain;
  }

  @Override
  public byte[] bytes(int column) {
    return isNull(column) ? new byte[0] : domain(column).bytes((int) raw(column));
  }

  @Override
  public String string(int column) {
    return isNull(column) ? "" : domain(column).string((int) raw(column));
  }

  @Override
  public void close() {
    closeBatch();
    rows = 0;
    batches.close();
  }
}
