package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.mapping.WholeTrees;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
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

  private final Catalog catalog;
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final Device device;
  private final Executions executions;
  private final EngineOptions options;
  private final @Nullable WholeTrees whole;
  private final AutomaticVacuum vacuum;
  private final TransactionManager transactions;
  private volatile @Nullable Planning planning;

  /** What the first statement makes: opening should not wait for its classes. */
  private record Planning(PlanCache plans, StatementPlanner planner) {}

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
  }

  /** Loads what planning takes, on a thread of its own: to be called before a long opening. */
  public static void warmUp() {
    FirstPlan.begin();
  }

  private Planning planning() {
    Planning known = planning;
    return known != null ? known : makePlanning();
  }

  private synchronized Planning makePlanning() {
    Planning known = planning;
    if (known == null) {
      PlanCache plans = new PlanCache(options.planCacheSize());
      FirstPlan.await();
      known =
          new Planning(
              plans,
              new StatementPlanner(
                  catalog,
                  device,
                  options.hostRowsMax(),
                  whole,
                  executions,
                  new SampledFacts(transactions),
                  PLANNING));
      planning = known;
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
    Prepared known = last.at(snapshot);
    if (known == null) {
      known = prepare(sql, snapshot, null, List.of());
      last.set(snapshot, known);
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
    Planning planning = planning();
    PlanCache.Key key =
        new PlanCache.Key(sql, snapshot.version(), snapshot.path(), parameterTypes, fits);
    Prepared known = planning.plans.plan(key);
    if (known != null) {
      return known;
    }
    boolean open = parameterTypes == null && fits.isEmpty();
    // What a parameter is compared with says its type; that of a literal may be another.
    Prepared made = open && !snapshot.hasDistinctTypes() ? shared(sql, snapshot, planning) : null;
    if (made == null) {
      made =
          PLANNING.run(
              () -> planning.planner.plan(frontEnd.analyze(sql, snapshot, parameterTypes, fits)));
    }
    if (sql.length() <= LONG_TEXT) {
      planning.plans.add(key, made);
    }
    return made;
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
  private @Nullable Prepared shared(String sql, CatalogSnapshot snapshot, Planning planning) {
    SharedText text = sharedText(sql);
    if (text == null) {
      return null;
    }
    PlanCache.Key key =
        new PlanCache.Key(text.text(), snapshot.version(), snapshot.path(), null, List.of());
    if (planning.plans.isUnshared(key)) {
      return null;
    }
    Prepared plan = planning.plans.plan(key);
    if (plan == null) {
      try {
        plan =
            PLANNING.run(
                () -> planning.planner.plan(frontEnd.analyze(text.text(), snapshot, null)));
      } catch (GpdbException e) {
        if (e.code() == ErrorCode.CANCELLED) {
          throw e;
        }
        // Analysing the statement's own text reports what is wrong, if anything is.
        planning.plans.addUnshared(key);
        return null;
      }
      if (plan.kind() == StatementKind.SESSION) {
        // The session reads the statement's own text.
        planning.plans.addUnshared(key);
        return null;
      }
      planning.plans.add(key, plan);
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
    StatementPlanner planner = planning().planner;
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
    StatementPlanner planner = planning().planner;
    return PLANNING.run(() -> planner.plan(query));
  }
}
