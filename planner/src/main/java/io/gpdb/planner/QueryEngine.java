package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.mapping.WholeTrees;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.planner.statistics.SampledFacts;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectAnalysis;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans statements and carries them out. A plan is cached under the statement's text, the version
 * of the catalog that it was made for, and, where values are bound, their types and how the values
 * fit the types of their parameters. A text that is not in the cache is looked up again with
 * parameters for its literals ({@link SharedText}). Thread-safe.
 */
public final class QueryEngine implements AutoCloseable {
  /** Enough for thousands of operators side by side; only what is used is taken. */
  private static final long STACK_BYTES = 256L << 20;

  /** Parsing and planning cannot be stopped and may take long: no statement waits for more. */
  private static final DetachedWork PLANNING = new DetachedWork("gpdb-planner", STACK_BYTES);

  /** Characters from which a text takes long to scan, and too much memory to be remembered. */
  private static final int LONG_TEXT = 1 << 16;

  /** A table of so many, a million rows, is large. */
  private static final int LARGE_TABLETS = 16;

  private final Catalog catalog;
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final Device device;
  private final Executions executions;
  private final EngineOptions options;
  private final @Nullable WholeTrees whole;
  private final AutomaticVacuum vacuum;
  private final TransactionManager transactions;
  private final PlanCache plans;
  private final DirectPlans directPlans;

  /** What the first statement that needs it makes: its classes take long to load. */
  private volatile @Nullable StatementPlanner planner;

  public QueryEngine(
      TransactionManager transactions, Catalog catalog, Device device, EngineOptions options) {
    this(transactions, catalog, device, options, null);
  }

  /** One whose queries run otherwise than by operators, for comparing answers. */
  QueryEngine(
      TransactionManager transactions,
      Catalog catalog,
      Device device,
      EngineOptions options,
      @Nullable WholeTrees whole) {
    this.transactions = transactions;
    this.catalog = catalog;
    this.device = device;
    this.options = options;
    this.whole = whole;
    vacuum = new AutomaticVacuum(transactions, catalog, options.autoVacuum());
    DatabaseFacts facts = new DatabaseFacts(transactions, device, vacuum);
    executions = new Executions(catalog, facts);
    plans = new PlanCache(options.planCacheSize());
    int rowsMax = device.memory().isHosts() ? options.hostRowsMax() : 0;
    directPlans = new DirectPlans(device, executions, rowsMax, () -> !FirstPlan.isDone());
  }

  private StatementPlanner planner() {
    StatementPlanner known = planner;
    return known != null ? known : makePlanner();
  }

  private synchronized StatementPlanner makePlanner() {
    StatementPlanner known = planner;
    if (known == null) {
      FirstPlan.require();
      known =
          new StatementPlanner(
              catalog,
              device,
              options.hostRowsMax(),
              whole,
              executions,
              new SampledFacts(transactions),
              PLANNING);
      planner = known;
    }
    return known;
  }

  /** The plan of a statement, cheap when the cache has it. */
  public Prepared prepare(String sql, Transaction tx) {
    return prepare(sql, tx, null, List.of());
  }

  /** As {@link #prepare(String, Transaction)}, of a statement that is executed again and again. */
  public Prepared prepare(String sql, Transaction tx, LastPlan last) {
    CatalogSnapshot snapshot = catalog.snapshot(tx);
    Prepared known = last.at(this, snapshot);
    if (known == null) {
      known = prepare(sql, snapshot, null, List.of());
      last.set(this, snapshot, known);
    }
    return known;
  }

  /** As {@link #prepare(String, Transaction)}, with the types of the bound values. */
  public Prepared prepare(String sql, Transaction tx, @Nullable List<SqlTypeSpec> parameterTypes) {
    return prepare(sql, tx, parameterTypes, List.of());
  }

  /**
   * {@code fits} says how the bound values fit the types of their parameters; empty where all types
   * can represent them.
   */
  public Prepared prepare(
      String sql,
      Transaction tx,
      @Nullable List<SqlTypeSpec> parameterTypes,
      List<ParameterFit> fits) {
    return prepare(sql, catalog.snapshot(tx), parameterTypes, fits);
  }

  private Prepared prepare(
      String sql,
      CatalogSnapshot snapshot,
      @Nullable List<SqlTypeSpec> parameterTypes,
      List<ParameterFit> fits) {
    PlanCache.Key key =
        new PlanCache.Key(sql, snapshot.version(), snapshot.path(), parameterTypes, fits);
    Prepared known = plans.plan(key);
    if (known != null) {
      return known;
    }
    boolean open = parameterTypes == null && fits.isEmpty();
    // What a parameter is compared with says its type; that of a literal may be another.
    SharedText text = open && !snapshot.hasDistinctTypes() ? sharedText(sql) : null;
    Prepared made = null;
    if (text != null) {
      made = shared(text, snapshot);
    } else if (open) {
      made = direct(sql, snapshot);
    }
    if (made == null) {
      made = planned(sql, snapshot, parameterTypes, fits);
    }
    if (sql.length() <= LONG_TEXT) {
      plans.add(key, made);
    }
    return made;
  }

  private Prepared planned(
      String sql,
      CatalogSnapshot snapshot,
      @Nullable List<SqlTypeSpec> parameterTypes,
      List<ParameterFit> fits) {
    if (!FirstPlan.isDone() && snapshot.tables().stream().anyMatch(this::isLarge)) {
      device.expectScans(); // it has as long as the first plan takes
    }
    StatementPlanner planner = planner();
    return PLANNING.run(() -> planner.plan(frontEnd.analyze(sql, snapshot, parameterTypes, fits)));
  }

  private boolean isLarge(TableDef table) {
    TableStore store = transactions.table(table.tableId());
    return store != null && store.tabletCount() >= LARGE_TABLETS;
  }

  /** The plan that the words of the statement say, or null. */
  private @Nullable Prepared direct(String sql, CatalogSnapshot snapshot) {
    if (whole != null || !options.sharesPlans()) {
      return null;
    }
    DirectStatement statement = DirectAnalysis.of(sql, snapshot);
    return statement == null
        ? null
        : directPlans.of(statement, snapshot, () -> planned(sql, snapshot, null, List.of()));
  }

  /** What rewrites tables by itself. */
  public AutomaticVacuum vacuum() {
    return vacuum;
  }

  /** Ends what runs in the background; before the transactions are closed. */
  @Override
  public void close() {
    vacuum.close();
  }

  /** The plan that the statement shares with those that differ from it in literals, or null. */
  private @Nullable Prepared shared(SharedText text, CatalogSnapshot snapshot) {
    PlanCache.Key key =
        new PlanCache.Key(text.text(), snapshot.version(), snapshot.path(), null, List.of());
    if (plans.isUnshared(key)) {
      return null;
    }
    Prepared plan = plans.plan(key);
    if (plan == null) {
      try {
        plan = direct(text.text(), snapshot);
        if (plan == null) {
          plan = planned(text.text(), snapshot, null, List.of());
        }
      } catch (GpdbException e) {
        if (e.code() == ErrorCode.CANCELLED) {
          throw e;
        }
        // Analysing the statement's own text reports what is wrong, if anything is.
        plans.addUnshared(key);
        return null;
      }
      if (plan.kind() == StatementKind.SESSION) {
        // The session reads the statement's own text.
        plans.addUnshared(key);
        return null;
      }
      plans.add(key, plan);
    }
    return LiteralPlan.of(plan, text.literals());
  }

  private @Nullable SharedText sharedText(String sql) {
    if (!options.sharesPlans()) {
      return null;
    }
    return sql.length() < LONG_TEXT ? SharedText.of(sql) : sharedLongText(sql);
  }

  private static @Nullable SharedText sharedLongText(String sql) {
    return PLANNING.run(() -> Optional.ofNullable(SharedText.of(sql))).orElse(null);
  }

  /** The single statements of a text. */
  public List<String> split(String sql) {
    if (sql.indexOf(';') < 0) {
      return List.of(sql);
    }
    return sql.length() < LONG_TEXT
        ? SqlFrontEnd.splitStatements(sql)
        : PLANNING.run(() -> SqlFrontEnd.splitStatements(sql));
  }

  /**
   * Makes the changes of COPY, which is no statement of the engine's own, and holds them to the
   * constraints of their tables and to the views through which they are made.
   *
   * @param change takes what it stores rows in where a view is to judge them, else null
   */
  public <T> T keepingConstraints(
      Transaction tx, Analyzed.CopyFrom copy, Function<@Nullable ChosenRows, T> change) {
    StatementPlanner planner = planner();
    CatalogSnapshot snapshot = catalog.snapshot(tx);
    if (copy.checks().isEmpty()) {
      return planner.constraints().keeping(tx, snapshot, () -> change.apply(null));
    }
    ChosenRows rows = new ChosenRows(copy.table().tableId());
    return planner
        .constraints()
        .keeping(
            tx,
            snapshot,
            () -> {
              T result = change.apply(rows);
              PLANNING
                  .run(() -> planner.views(copy.table(), copy.checks()))
                  .judge(executions.begin(tx), rows);
              return result;
            });
  }

  /** The plan of a query that another statement holds (COPY … TO); not cached. */
  public Prepared prepare(Analyzed.Query query, Transaction tx) {
    StatementPlanner planner = planner();
    return PLANNING.run(() -> planner.plan(query));
  }
}
