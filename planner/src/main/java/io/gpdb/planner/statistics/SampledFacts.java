package io.gpdb.planner.statistics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.planner.rewrite.ColumnFacts;
import io.gpdb.planner.rewrite.TableFacts;
import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of rows as the tables have them. What is said of a column is what ANALYZE found, or what
 * a sample of rows shows: where there was no ANALYZE, and, but for the number of different values,
 * when the table has a quarter more or less rows than then. What was found in a sample is kept
 * until the table has changed as much again. Thread-safe.
 */
public final class SampledFacts implements TableFacts {
  private static final int SAMPLE = 200;
  private static final long[] NO_BOUNDS = {};

  /** Multiples of it, without their whole parts, are spread evenly and fall in with no period. */
  private static final double GOLDEN_SECTION = 0.6180339887498949;

  /** Rows for each different value from which on the values are few. */
  private static final int FEW = 10;

  private static final int COLUMNS_KEPT_MAX = 10_000;

  private final TransactionManager transactions;
  private volatile @Nullable Cache<Column, Values> known;

  private record Column(int tableId, int column) {}

  /**
   * What was found when the table had that many rows.
   *
   * @param analyzed what ANALYZE had found by then
   */
  private record Values(double rows, @Nullable ColumnStatistics analyzed, ColumnFacts facts) {
    boolean holdFor(double rowsNow, @Nullable ColumnStatistics analyzedNow) {
      return Objects.equals(analyzed, analyzedNow) && !isFar(rows, rowsNow);
    }
  }

  public SampledFacts(TransactionManager transactions) {
    this.transactions = transactions;
  }

  @Override
  public double rows(TableDef table) {
    TableStore store = transactions.table(table.tableId());
    if (store == null) {
      return 0; // dropped meanwhile
    }
    long rows = 0;
    for (int i = 0, n = store.tabletCount(); i < n; i++) {
      rows += store.tablet(i).liveCount();
    }
    return rows;
  }

  /** Of a key nothing need be looked at. */
  @Override
  public double distinct(TableDef table, int column) {
    return isKey(table, column) ? Math.max(1, rows(table)) : column(table, column).distinct();
  }

  @Override
  public ColumnFacts column(TableDef table, int column) {
    double rows = rows(table);
    Column key = new Column(table.tableId(), column);
    ColumnStatistics analyzed = table.column(column).statistics();
    Cache<Column, Values> kept = known();
    Values values = kept.getIfPresent(key);
    if (values == null || !values.holdFor(rows, analyzed)) {
      values = new Values(rows, analyzed, found(table, column, rows));
      kept.put(key, values);
    }
    return values.facts;
  }

  private static boolean isFar(double rows, double rowsNow) {
    return Math.abs(rowsNow - rows) * 4 > rows;
  }

  private ColumnFacts found(TableDef table, int column, double rows) {
    ColumnStatistics analyzed = table.column(column).statistics();
    ColumnFacts facts =
        analyzed == null || isFar((double) analyzed.rows(), rows)
            ? sampled(table, column, rows)
            : new ColumnFacts(
                analyzed.rows() == 0 ? 0 : (double) analyzed.nulls() / analyzed.rows(),
                Math.max(1, analyzed.distinct()),
                analyzed.bounds());
    double distinct =
        isKey(table, column)
            ? rows
            : analyzed != null && analyzed.rows() > 0 ? scaled(analyzed, rows) : facts.distinct();
    return new ColumnFacts(facts.nullShare(), Math.max(1, distinct), facts.bounds());
  }

  /**
   * How many different values there are now: where they were few among the rows, new rows are taken
   * to have the old ones, else to have as many new ones as those before.
   */
  private static double scaled(ColumnStatistics analyzed, double rows) {
    return analyzed.distinct() * FEW < analyzed.rows()
        ? Math.min(rows, (double) analyzed.distinct())
        : analyzed.distinct() * (rows / analyzed.rows());
  }

  /** Made for the first column: many a process asks for none. */
  private Cache<Column, Values> known() {
    Cache<Column, Values> made = known;
    return made != null ? made : makeKnown();
  }

  private synchronized Cache<Column, Values> makeKnown() {
    Cache<Column, Values> made = known;
    if (made == null) {
      made = Caffeine.newBuilder().maximumSize(COLUMNS_KEPT_MAX).build();
      known = made;
    }
    return made;
  }

  private static boolean isKey(TableDef table, int column) {
    for (KeyDef key : table.keys()) {
      if (key.columns().length == 1 && key.columns()[0] == column) {
        return true;
      }
    }
    return table.indexes().stream()
        .anyMatch(i -> i.unique() && i.columns().length == 1 && i.columns()[0] == column);
  }

  private ColumnFacts sampled(TableDef table, int column, double rows) {
    Transaction tx = transactions.begin();
    try {
      ElementType type = table.column(column).type().element();
      return sampled(tx.reader(table.tableId()), column, type, rows);
    } finally {
      tx.rollback();
    }
  }

  private static ColumnFacts sampled(
      TableReader reader, int column, ElementType type, double rows) {
    int[] columns = {column};
    long[] value = new long[1];
    boolean[] isNull = new boolean[1];
    long[] values = new long[SAMPLE];
    int read = 0;
    int nulls = 0;
    long limit = reader.rowLimit();
    for (int i = 0; i < SAMPLE && i < limit; i++) {
      long row = limit <= SAMPLE ? i : (long) (limit * (i * GOLDEN_SECTION % 1));
      if (reader.read(row, columns, value, isNull)) {
        if (isNull[0]) {
          nulls++;
        } else {
          values[read++] = ColumnRange.ordered(type, value[0]);
        }
      }
    }
    Arrays.sort(values, 0, read);
    double all = rows * read / Math.max(1, read + nulls);
    return new ColumnFacts(
        read + nulls == 0 ? 0 : (double) nulls / (read + nulls),
        distinct(values, read, Math.min(all, room(type, values, read))),
        type == ElementType.CODE ? NO_BOUNDS : Arrays.copyOf(values, read));
  }

  /**
   * How many different whole numbers there may be: as many as from the least to the greatest, which
   * are about as far beyond those of the sample as its values are from each other.
   */
  private static double room(ElementType type, long[] sorted, int read) {
    if (type == ElementType.CODE || type.isFloat() || read < 2) {
      return Double.MAX_VALUE;
    }
    double width = (double) sorted[read - 1] - sorted[0];
    return width * (read + 1) / (read - 1) + 1;
  }

  /**
   * The estimate of Chao: what a sample shows, and as much more as it has values once rather than
   * twice.
   *
   * @param sorted the values of the sample, of which there are {@code read}
   * @param all how many there may be
   */
  private static double distinct(long[] sorted, int read, double all) {
    double seen = 0;
    double once = 0;
    double twice = 0;
    for (int i = 0; i < read; ) {
      int end = i + 1;
      while (end < read && sorted[end] == sorted[i]) {
        end++;
      }
      seen++;
      once += end - i == 1 ? 1 : 0;
      twice += end - i == 2 ? 1 : 0;
      i = end;
    }
    double unseen = read >= all ? 0 : once * (once - 1) / (2 * (twice + 1));
    return Math.clamp(seen + unseen, 1, Math.max(1, all));
  }
}
