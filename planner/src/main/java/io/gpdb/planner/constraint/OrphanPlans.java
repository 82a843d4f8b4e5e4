package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.mapping.QueryMapper;
import io.gpdb.planner.query.PaddedConstants;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.TableReader;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Foreign keys of many rows judged by one anti join: kernels look for rows whose key no parent has.
 * It says only whether there are such rows. Which one is named, and what others have done unseen,
 * is for {@link ReferenceCheck} to find out.
 */
final class OrphanPlans {
  /** Fewer rows are looked up by the parent's index; tests set another number. */
  private static final int ROWS_MIN = Integer.getInteger("gpdb.orphans", 10_000);

  /**
   * Rows that were judged before a plan is made: a process's first takes as much as the look-ups of
   * that many.
   */
  private static final long PLANNED_ROWS_MIN = 30L * ROWS_MIN;

  /** Parents for each row, from which looking the keys up costs less than reading all parents. */
  private static final int PARENTS_MAX = 4;

  private final SqlFrontEnd frontEnd;
  private final QueryMapper mapper;
  private final DetachedWork planning;
  private final KeptPlans<Key, Orphans> plans = new KeptPlans<>(Orphans::new);

  /** A foreign key with the definitions of its tables, on which the plan depends. */
  private record Key(TableDef child, ForeignKeyDef key, TableDef parent) {}

  OrphanPlans(SqlFrontEnd frontEnd, QueryMapper mapper, DetachedWork planning) {
    this.frontEnd = frontEnd;
    this.mapper = mapper;
    this.planning = planning;
  }

  /**
   * Whether a kernel has found that the foreign key holds for those rows of the child. If not, it
   * may hold all the same.
   *
   * @param rows null for all rows
   */
  boolean areNone(Execution x, Reference reference, @Nullable ChosenRows rows) {
    Transaction transaction = x.transaction();
    long count =
        rows == null
            ? transaction.reader(reference.child().tableId()).estimatedRows()
            : rows.count();
    if (count < ROWS_MIN) {
      return false;
    }
    TableReader parent = transaction.reader(reference.parent().tableId());
    return parent.estimatedRows() <= count * PARENTS_MAX
        && isComparable(reference)
        && !notesReads(transaction)
        && isEmpty(rows == null ? x : x.limitedTo(rows), reference, count)
        && parent.seesNewest(reference.parentColumns());
  }

  /** A whole table that is read by SERIALIZABLE conflicts with every writer of it. */
  private static boolean notesReads(Transaction transaction) {
    return transaction.isolation() == IsolationLevel.SERIALIZABLE;
  }

  /**
   * Whether an equal comparison is what the key means. A reference of a table to itself is left
   * out: the rows would limit the parents too.
   */
  private static boolean isComparable(Reference reference) {
    return reference.child().tableId() != reference.parent().tableId()
        && !(reference.key().matchesFull() && reference.width() > 1)
        && IntStream.range(0, reference.width()).noneMatch(reference::isString);
  }

  private boolean isEmpty(Execution x, Reference reference, long rows) {
    Key key = new Key(reference.child(), reference.key(), reference.parent());
    Source source = plans.of(key).plan(rows);
    if (source == null) {
      return false;
    }
    try (Batches batches = source.open(x)) {
      while (true) {
        try (Batch batch = batches.next()) {
          if (batch == null || batch.rows() > 0) {
            return batch == null;
          }
        }
      }
    }
  }

  /** A foreign key's rows that no parent has. */
  private final class Orphans {
    private final Key key;
    private long judged;
    private @Nullable Source source;

    Orphans(Key key) {
      this.key = key;
    }

    /** Null where too few rows were judged for one. */
    synchronized @Nullable Source plan(long rows) {
      judged += rows;
      if (source == null && judged >= PLANNED_ROWS_MIN) {
        source = planned(key);
      }
      return source;
    }
  }

  private Source planned(Key key) {
    return planning.run(
        () -> {
          CatalogSnapshot both = CatalogSnapshot.of(List.of(key.child(), key.parent()));
          if (frontEnd.analyze(query(key), both, List.of()) instanceof Analyzed.Query query) {
            return mapper.map(PaddedConstants.in(query.root().project()));
          }
          throw new GpdbException(ErrorCode.INTERNAL, "a foreign key that is no query: " + key);
        });
  }

  private static String query(Key key) {
    List<Integer> columns = IntStream.of(key.key().columns()).boxed().toList();
    List<String> parents = key.key().parentColumns();
    String notNull =
        columns.stream()
            .map(c -> childColumn(key, c) + " IS NOT NULL")
            .collect(Collectors.joining(" AND "));
    String equal =
        IntStream.range(0, columns.size())
            .mapToObj(
                i ->
                    "P."
                        + ObjectName.quoted(parents.get(i))
                        + " = "
                        + childColumn(key, columns.get(i)))
            .collect(Collectors.joining(" AND "));
    return "SELECT C."
        + GpTable.ROW_ID
        + " FROM "
        + new ObjectName(NameResolution.rowsSchema(key.child().schema()), key.child().name()).sql()
        + " AS C WHERE "
        + notNull
        + " AND NOT EXISTS (SELECT 1 FROM "
        + key.parent().fullName().sql()
        + " AS P WHERE "
        + equal
        + ")";
  }

  private static String childColumn(Key key, int column) {
    return "C." + ObjectName.quoted(key.child().column(column).name());
  }
}
