package io.gpdb.planner;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.planner.rewrite.TableFacts;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TableReader;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of rows as the tables have them, and numbers of different values from keys, or from a
 * sample of rows, kept until the table has a quarter more or less rows. Thread-safe.
 */
final class SampledFacts implements TableFacts {
  private static final int SAMPLE = 200;

  /** Multiples of it, without their whole parts, are spread evenly and fall in with no period. */
  private static final double GOLDEN_SECTION = 0.6180339887498949;

  private static final int COLUMNS_KEPT_MAX = 10_000;

  private final TransactionManager transactions;
  private volatile @Nullable Cache<Column, Values> known;

  private record Column(int tableId, int column) {}

  /** What was found when the table had that many rows. */
  private record Values(double rows, double distinct) {}

  SampledFacts(TransactionManager transactions) {
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

  @Override
  public double distinct(TableDef table, int column) {
    double rows = rows(table);
    if (isKey(table, column) || rows <= 1) {
      return rows;
    }
    Column key = new Column(table.tableId(), column);
    Cache<Column, Values> kept = known();
    Values values = kept.getIfPresent(key);
    if (values == null || Math.abs(rows - values.rows) * 4 > values.rows) {
      values = new Values(rows, sampled(table, column, rows));
      kept.put(key, values);
    }
    return values.distinct;
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

  private double sampled(TableDef table, int column, double rows) {
    Transaction tx = transactions.begin();
    try {
      return sampled(tx.reader(table.tableId()), column, rows);
    } finally {
      tx.rollback();
    }
  }

  /**
   * The estimate of Chao: what a sample shows, and as much more as it has values once rather than
   * twice.
   */
  private static double sampled(TableReader reader, int column, double rows) {
    int[] columns = {column};
    long[] value = new long[1];
    boolean[] isNull = new boolean[1];
    Map<Long, Integer> counts = new HashMap<>();
    long limit = reader.rowLimit();
    int read = 0;
    for (int i = 0; i < SAMPLE && i < limit; i++) {
      long row = limit <= SAMPLE ? i : (long) (limit * (i * GOLDEN_SECTION % 1));
      if (reader.read(row, columns, value, isNull) && !isNull[0]) {
        counts.merge(value[0], 1, Integer::sum);
        read++;
      }
    }
    if (read >= rows) {
      return Math.max(1, counts.size());
    }
    double once = counts.values().stream().filter(count -> count == 1).count();
    double twice = counts.values().stream().filter(count -> count == 2).count();
    double unseen = once * (once - 1) / (2 * (twice + 1));
    return Math.max(1, Math.min(rows, counts.size() + unseen));
  }
}
