package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.mapping.QueryMapper;
import io.gpdb.planner.query.PaddedConstants;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.ChangeWatch;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes every change of rows keep CHECK and FOREIGN KEY. A transaction's writers report what they
 * change, whichever way a statement takes; the constraints are judged when the statement has made
 * all its changes. Thread-safe.
 */
public final class Constraints {
  private final SqlFrontEnd frontEnd;
  private final QueryMapper mapper;
  private final Function<Transaction, Execution> executions;
  private final DetachedWork planning;
  private final Recomputation recomputation;
  private final CheckPlans checks = new CheckPlans(this::plan);
  private final RowConstraints rowConstraints = new RowConstraints(checks);
  private final OrphanPlans orphans;
  private volatile @Nullable Known latest;

  /** The constraints of one version of the catalog. */
  private record Known(long version, ConstraintGraph graph) {}

  /**
   * @param executions begin one without parameters
   * @param recomputation of generated columns, after actions of foreign keys
   */
  public Constraints(
      SqlFrontEnd frontEnd,
      QueryMapper mapper,
      Function<Transaction, Execution> executions,
      DetachedWork planning,
      Recomputation recomputation) {
    this.frontEnd = frontEnd;
    this.mapper = mapper;
    this.executions = executions;
    this.planning = planning;
    this.recomputation = recomputation;
    orphans = new OrphanPlans(frontEnd, mapper, planning);
  }

  private CheckPlan plan(TableDef table, CheckDef check) {
    return planning.run(() -> CheckPlan.of(table, frontEnd.violations(table, check), mapper));
  }

  private ConstraintGraph graph(CatalogSnapshot catalog) {
    Known known = latest;
    if (known == null || known.version() != catalog.version()) {
      known = new Known(catalog.version(), new ConstraintGraph(catalog));
      latest = known;
    }
    return known.graph();
  }

  /** Makes changes of rows, then carries out what constraints make of them, and judges them. */
  public <T> T keeping(Transaction tx, CatalogSnapshot catalog, Supplier<T> change) {
    ConstraintGraph graph = graph(catalog);
    if (graph.isEmpty()) {
      return change.get();
    }
    TransactionConstraints all = of(tx);
    if (all.statement() != null) {
      return change.get(); // a part of a statement that is watched
    }
    StatementConstraints statement =
        new StatementConstraints(
            executions.apply(tx),
            graph,
            rowConstraints,
            orphans,
            this::defaultOf,
            recomputation,
            all);
    all.statement(statement);
    try {
      T result = change.get();
      statement.finish();
      return result;
    } finally {
      all.statement(null);
    }
  }

  private TransactionConstraints of(Transaction tx) {
    ChangeWatch watch = tx.watch();
    if (watch == null) {
      TransactionConstraints made =
          new TransactionConstraints(tx, executions, x -> graph(x.catalog()), rowConstraints);
      tx.watch(made);
      return made;
    }
    return (TransactionConstraints) watch;
  }

  /** Before tables get other definitions: what waits for the transaction's end is checked. */
  public void beforeDefinition(Transaction tx) {
    if (tx.watch() instanceof TransactionConstraints all) {
      all.checkAll();
    }
  }

  /** SET CONSTRAINTS; without names, of all. */
  public void set(Transaction tx, List<String> names, boolean deferred) {
    of(tx).set(names, deferred);
  }

  /** Refuses a CHECK that a row of the table makes FALSE. */
  public void validate(Execution x, TableDef table, CheckDef check) {
    long row = checks.of(table, check).firstViolation(x);
    if (row >= 0) {
      throw RowConstraints.violation(x, table, check, row);
    }
  }

  /** Refuses a foreign key that a row of the table violates. */
  public void validate(Execution x, TableDef table, ForeignKeyDef key) {
    Reference reference = ConstraintGraph.reference(table, key, x.catalog());
    if (!orphans.areNone(x, reference, null)) {
      new ReferenceCheck(reference, x.transaction())
          .ofChildren(allKeys(reference, x.transaction().reader(table.tableId())));
    }
  }

  /** Refuses a DEFERRABLE key that two rows of the table have. */
  public void validate(Execution x, TableDef table, IndexDef key) {
    new KeyCheck(table, key, x.transaction()).ofAll();
  }

  private static KeyTable allKeys(Reference reference, TableReader reader) {
    KeyTable keys = new KeyTable(reference.width());
    long[] key = new long[reference.width()];
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, reference.columns())) {
        for (int r = 0; r < view.rowCount(); r++) {
          StopSignal.poll(r);
          if (ChildRows.isLive(view, r)) {
            if (ChildRows.read(view, r, key)) {
              keys.add(key);
            } else if (reference.key().matchesFull() && !isNull(view, r, reference.width())) {
              throw ReferenceCheck.nullInPart(reference, reader, (long) t * Tablet.ROWS + r);
            }
          }
        }
      }
    }
    return keys;
  }

  /** Whether all of the view's first columns are NULL. */
  private static boolean isNull(TabletView view, int row, int columns) {
    for (int c = 0; c < columns; c++) {
      if (!view.column(c).isNull(row)) {
        return false;
      }
    }
    return true;
  }

  /** The default of a column, computed as a query. */
  private ColumnDefaults.Value defaultOf(TableDef table, int column, Transaction tx) {
    String text = table.column(column).defaultSql();
    if (text == null) {
      return new ColumnDefaults.Value(0, true);
    }
    SqlTypeSpec type = table.column(column).type();
    Execution x = executions.apply(tx);
    CatalogSnapshot catalog = x.catalog().inSchemaOf(table);
    Source source =
        planning.run(
            () -> {
              String query = "SELECT CAST((" + text + "\n) AS " + type + ")";
              if (frontEnd.analyze(query, catalog, List.of()) instanceof Analyzed.Query analyzed) {
                return mapper.map(PaddedConstants.in(analyzed.root().project()));
              }
              throw new GpdbException(ErrorCode.INTERNAL, "a default that is no value: " + text);
            });
    try (Batches batches = source.open(x);
        Batch batch = batches.next()) {
      if (batch == null || batch.rows() == 0 || batch.isNull(0, 0)) {
        return new ColumnDefaults.Value(0, true);
      }
      long raw = type.element().rawAt(batch.hostValues(0), 0);
      CodedStrings strings = tx.reader(table.tableId()).strings(column);
      if (strings == null) {
        return new ColumnDefaults.Value(raw, false);
      }
      byte[] bytes = batch.strings(0).bytes((int) raw);
      return new ColumnDefaults.Value(strings.intern(bytes, 0, bytes.length), false);
    }
  }
}
