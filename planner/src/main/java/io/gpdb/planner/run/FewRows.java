package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Bytes;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of batches of which the first ones are held until it is known whether they are all and
 * have few rows. Launching a kernel costs more than what the host does for so few.
 */
public final class FewRows implements Batches {
  /** More rows of an index, or of what is not stored, are the kernels'. */
  public static final int ROWS_MAX = 512;

  /** What EXPLAIN says of operators that the host does for few rows. */
  public static final String OR_HOST = orHost(ROWS_MAX);

  private final Batches rest;
  private final int rowsMax;
  private final ArrayDeque<Batch> held = new ArrayDeque<>();
  private boolean areAll;

  private FewRows(Batches rest, int rowsMax) {
    this.rest = rest;
    this.rowsMax = rowsMax;
  }

  public static String orHost(int rowsMax) {
    return "host up to " + rowsMax + " rows, then ";
  }

  /** Takes the stream over, and looks at its first rows. */
  public static FewRows of(Batches batches) {
    return of(batches, ROWS_MAX);
  }

  /** As {@link #of(Batches)}, where more rows than {@code rowsMax} are many. */
  public static FewRows of(Batches batches, int rowsMax) {
    batches.expectAll();
    FewRows few = new FewRows(batches, rowsMax);
    try {
      few.look();
      return few;
    } catch (RuntimeException | Error e) {
      few.close();
      throw e;
    }
  }

  private void look() {
    long rows = 0;
    while (rows <= rowsMax) {
      Batch batch = rest.next();
      if (batch == null) {
        areAll = true;
        return;
      }
      rows += batch.rows();
      if (batch.rows() == 0) {
        batch.close();
      } else {
        held.add(batch);
      }
    }
  }

  /** Whether the batches held are all, and few. */
  public boolean areAll() {
    return areAll;
  }

  /** Those held, which stay open until this is closed. */
  public List<Batch> all() {
    return new ArrayList<>(held);
  }

  @Override
  public @Nullable Batch next() {
    Batch first = held.poll();
    return first == null && !areAll ? rest.next() : first;
  }

  @Override
  public @Nullable Batch nextTogether() {
    Batch first = held.poll();
    return first == null && !areAll ? rest.nextTogether() : first;
  }

  @Override
  public void close() {
    held.forEach(Batch::close);
    held.clear();
    rest.close();
  }

  /** A place in the batches, whose row expressions are evaluated for. */
  public static final class Row implements HostRow {
    private final List<SqlTypeSpec> types;
    private final ParameterValues parameters;
    private @Nullable Batch batch;
    private int row;

    public Row(List<SqlTypeSpec> types, ParameterValues parameters) {
      this.types = types;
      this.parameters = parameters;
    }

    /** Goes to a row; false where it does not exist. */
    public boolean moveTo(Batch next, int number) {
      StopSignal.poll(number);
      batch = next;
      row = number;
      return next.isLive(number);
    }

    private Batch batch() {
      Batch known = batch;
      if (known == null) {
        throw new IllegalStateException("not on a row");
      }
      return known;
    }

    @Override
    public @Nullable Object column(int index) {
      return batch().value(index, types.get(index), row);
    }

    @Override
    public ParameterValues parameters() {
      return parameters;
    }

    /** A value as its bits, its {@link Bytes}, or null. */
    public @Nullable Object encoded(int column, HostExpression expression, SqlTypeSpec type) {
      return column >= 0
          ? Bytes.encoded(batch(), column, type, row)
          : Bytes.encoded(type, expression.evaluate(this));
    }
  }
}
