package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.change.Analyze;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.ChangeOfView;
import io.gpdb.planner.change.ChangeSequence;
import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.planner.change.InsertSelect;
import io.gpdb.planner.change.InsertValues;
import io.gpdb.planner.change.LockTables;
import io.gpdb.planner.change.MergeChange;
import io.gpdb.planner.change.RecomputedColumns;
import io.gpdb.planner.change.ReturnedRows;
import io.gpdb.planner.change.SourceChange;
import io.gpdb.planner.change.StoredValue;
import io.gpdb.planner.change.Truncate;
import io.gpdb.planner.change.Vacuum;
import io.gpdb.planner.constraint.CheckedViews;
import io.gpdb.planner.constraint.Constraints;
import io.gpdb.planner.definition.AlterDomain;
import io.gpdb.planner.definition.AlterTable;
import io.gpdb.planner.definition.ChangeIndex;
import io.gpdb.planner.definition.CommentOn;
import io.gpdb.planner.definition.CreateAndInsert;
import io.gpdb.planner.definition.CreateSequence;
import io.gpdb.planner.definition.CreateView;
import io.gpdb.planner.definition.DropRelations;
import io.gpdb.planner.definition.InnerStatements;
import io.gpdb.planner.definition.PrivilegeChange;
import io.gpdb.planner.definition.RenameView;
import io.gpdb.planner.definition.SchemaChange;
import io.gpdb.planner.definition.SetConstraints;
import io.gpdb.planner.keyed.KeyedChange;
import io.gpdb.planner.keyed.KeyedMerge;
import io.gpdb.planner.mapping.QueryMapper;
import io.gpdb.planner.mapping.WholeTrees;
import io.gpdb.planner.query.ExtremeQuery;
import io.gpdb.planner.query.OneRowJoin;
import io.gpdb.planner.query.PaddedConstants;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.rewrite.TableFacts;
import io.gpdb.planner.run.LockedRows;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ConflictAction;
import io.gpdb.sql.statement.InsertSource;
import io.gpdb.sql.statement.ViewCheck;
import io.gpdb.sql.text.CalciteFaults;
import io.gpdb.sql.tree.HiddenQueries;
import io.gpdb.storage.error.DetachedWork;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** Makes the plan of an analysed statement: the shortest path that can carry it out. */
final class StatementPlanner {
  private static final int[] NO_COLUMNS = {};

  private final Catalog catalog;
  private final boolean shortcuts;
  private final Executions executions;
  private final Device device;
  private final QueryMapper mapper;
  private final Constraints constraints;
  private final RexBuilder rexBuilder = new GpRexBuilder();
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final InnerStatements innerStatements = new Inner();

  StatementPlanner(
      Catalog catalog,
      Device device,
      int hostRowsMax,
      @Nullable WholeTrees whole,
      Executions executions,
      TableFacts facts,
      DetachedWork planning) {
    this.catalog = catalog;
    this.shortcuts = whole == null;
    this.executions = executions;
    this.device = device;
    this.mapper = new QueryMapper(device, hostRowsMax, facts, planning, whole);
    RecomputedColumns recomputed =
        new RecomputedColumns(
            (table, columns) -> planning.run(() -> recomputation(table, columns)));
    this.constraints = new Constraints(frontEnd, mapper, executions::begin, planning, recomputed);
  }

  private StatementPlanner(StatementPlanner other, QueryMapper mapper) {
    catalog = other.catalog;
    shortcuts = other.shortcuts;
    executions = other.executions;
    device = other.device;
    constraints = other.constraints;
    this.mapper = mapper;
  }

  /** The same for plans that are shown. */
  private StatementPlanner showing() {
    return new StatementPlanner(this, mapper.showing());
  }

  /** What the planner cannot take is refused with an error of SQL. */
  Prepared plan(Analyzed statement) {
    try {
      return planned(statement);
    } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
      throw CalciteFaults.of(e);
    }
  }

  private Prepared planned(Analyzed statement) {
    return switch (statement) {
      case Analyzed.Query query -> query(query);
      case Analyzed.LockingQuery locking -> locking(locking);
      case Analyzed.LockTables lock ->
          definition(lock, new LockTables(lock.tables(), lock.alone()), lock.waitMillis());
      case Analyzed.Insert insert -> change(insert, insert(insert, null));
      case Analyzed.Upsert upsert -> change(upsert, insert(upsert.insert(), upsert.action()));
      case Analyzed.Merge merge -> change(merge, merge(merge));
      case Analyzed.Update update ->
          change(update, rowChange(update.table(), update.source(), update.setColumns(), false));
      case Analyzed.ChangeOfView of ->
          change(
              of,
              new ChangeOfView(
                  of.table(),
                  ((ChangePlan) planned(of.change())).change(),
                  views(of.table(), of.checks())));
      case Analyzed.RenameView rename ->
          definition(rename, new RenameView(rename, innerStatements));
      case Analyzed.Delete delete ->
          change(delete, rowChange(delete.table(), delete.source(), NO_COLUMNS, true));
      case Analyzed.Truncate truncate ->
          change(truncate, new Truncate(truncate.tables(), truncate.restart()));
      case Analyzed.CreateTable create -> definition(create, createTable(create));
      case Analyzed.DropTable drop -> definition(drop, new DropRelations(catalog, drop));
      case Analyzed.AlterTable alter -> definition(alter, new AlterTable(alter, innerStatements));
      case Analyzed.CreateSequence create ->
          definition(create, new CreateSequence(create.def(), create.ifNotExists()));
      case Analyzed.AlterSequence alter ->
          definition(alter, new ChangeSequence(alter.changed(), false));
      case Analyzed.DropSequence drop ->
          definition(drop, new ChangeSequence(drop.sequence(), true));
      case Analyzed.CreateIndex _, Analyzed.DropIndex _, Analyzed.RenameIndex _ ->
          definition(statement, new ChangeIndex(statement, innerStatements));
      case Analyzed.CreateView create ->
          definition(
              create,
              new CreateView(
                  catalog,
                  create.def(),
                  create.orReplace(),
                  create.ifNotExists(),
                  innerStatements));
      case Analyzed.DropView drop -> definition(drop, new DropRelations(catalog, drop));
      case Analyzed.CreateSchema create -> definition(create, SchemaChange.create(catalog, create));
      case Analyzed.DropSchema drop -> definition(drop, SchemaChange.drop(catalog, drop));
      case Analyzed.CreateDomain create ->
          definition(create, SchemaChange.create(catalog, create, innerStatements));
      case Analyzed.AlterDomain alter ->
          definition(alter, new AlterDomain(catalog, alter, innerStatements));
      case Analyzed.DropDomain drop -> definition(drop, SchemaChange.drop(catalog, drop));
      case Analyzed.CreateRoutine create ->
          definition(create, SchemaChange.create(catalog, create));
      case Analyzed.DropRoutine drop -> definition(drop, SchemaChange.drop(catalog, drop));
      case Analyzed.CreateRole create ->
          definition(create, PrivilegeChange.create(catalog, create));
      case Analyzed.DropRole drop -> definition(drop, PrivilegeChange.drop(catalog, drop));
      case Analyzed.GrantRoles grant -> definition(grant, PrivilegeChange.roles(catalog, grant));
      case Analyzed.Grant grant -> definition(grant, PrivilegeChange.privileges(catalog, grant));
      case Analyzed.Comment comment -> definition(comment, new CommentOn(catalog, comment));
      case Analyzed.CommentOnSchema comment ->
          definition(comment, SchemaChange.comment(catalog, comment));
      case Analyzed.SetConstraints set ->
          new ChangePlan(
              StatementKind.DEFINITION,
              set,
              new SetConstraints(set, constraints),
              executions,
              Constraining.NOTHING,
              null,
              null);
      case Analyzed.Vacuum vacuum -> definition(vacuum, new Vacuum(catalog, vacuum.tables()));
      case Analyzed.Analyze analyze -> definition(analyze, new Analyze(catalog, analyze.tables()));
      case Analyzed.Returning returning -> returning(returning);
      case Analyzed.Explain explain ->
          new ExplainPlan(explain, showing().plan(explain.inner()), executions, mapper.device());
      case Analyzed.Begin _,
          Analyzed.Commit _,
          Analyzed.Rollback _,
          Analyzed.Savepoint _,
          Analyzed.RollbackTo _,
          Analyzed.Release _,
          Analyzed.SetOption _,
          Analyzed.SetTransaction _,
          Analyzed.CreateFullSchema _,
          Analyzed.Call _,
          Analyzed.DeclareCursor _,
          Analyzed.OpenCursor _,
          Analyzed.CloseCursor _,
          Analyzed.Fetch _,
          Analyzed.Positioned _,
          Analyzed.Show _,
          Analyzed.CopyFrom _,
          Analyzed.CopyTo _,
          Analyzed.Checkpoint _,
          Analyzed.Backup _ ->
          new SessionPlan(statement);
    };
  }

  private ChangePlan returning(Analyzed.Returning returning) {
    ReturnedRows rows = ReturnedRows.of(ScanShape.of(tree(returning.list())), returning.output());
    ChangePlan inner = (ChangePlan) plan(returning.change());
    return new ChangePlan(
        StatementKind.CHANGE,
        returning.change(),
        inner.change(),
        executions,
        constraining(false),
        rows,
        null);
  }

  private ChangePlan change(Analyzed statement, Change change) {
    return new ChangePlan(
        StatementKind.CHANGE, statement, change, executions, constraining(false), null, null);
  }

  private ChangePlan definition(Analyzed statement, Change change) {
    return definition(statement, change, null);
  }

  private ChangePlan definition(Analyzed statement, Change change, @Nullable Long waitMillis) {
    return new ChangePlan(
        StatementKind.DEFINITION,
        statement,
        change,
        executions,
        constraining(true),
        null,
        waitMillis);
  }

  private Constraining constraining(boolean definition) {
    return new Constraining(constraints, definition);
  }

  CheckedViews views(TableDef table, List<ViewCheck> checks) {
    return CheckedViews.of(table, checks, mapper);
  }

  Constraints constraints() {
    return constraints;
  }

  static RelNode tree(RelRoot root) {
    return PaddedConstants.in(root.project());
  }

  private QueryPlan query(Analyzed.Query query) {
    RelNode tree = tree(query.root());
    ScanShape shape = shortcuts ? ScanShape.of(tree) : null;
    PointQuery point = shape == null ? null : PointQuery.of(shape);
    Source source = point == null ? mapper.map(tree) : null;
    ExtremeQuery extreme = shortcuts && point == null ? ExtremeQuery.of(tree) : null;
    return new QueryPlan(query, executions, point, extreme, source);
  }

  private LockingPlan locking(Analyzed.LockingQuery locking) {
    RelNode tree = tree(locking.query().root());
    boolean limited = locking.offset() != null || locking.fetch() != null;
    ScanShape shape = shortcuts && !limited ? ScanShape.of(tree) : null;
    PointQuery point = shape == null ? null : PointQuery.of(shape);
    int[] tableIds = locking.tables().stream().mapToInt(TableDef::tableId).toArray();
    LockedRows rows =
        point != null
            ? null
            : new LockedRows(
                mapper.map(tree), tableIds, locking.skips(), locking.offset(), locking.fetch());
    return new LockingPlan(locking, executions, point, rows);
  }

  private Change createTable(Analyzed.CreateTable create) {
    Analyzed.Query rows = create.asSelect();
    // Refuses expressions that no INSERT could compute.
    var _ = GeneratedColumns.of(create.def());
    Analyzed.Insert defaults = create.defaults();
    return new CreateAndInsert(
        catalog,
        create.def(),
        create.identities(),
        create.ifNotExists(),
        defaults == null || !(defaults.source() instanceof InsertSource.Rows row)
            ? null
            : insertValues(defaults, row, null),
        rows == null ? null : mapper.map(tree(rows.root())),
        innerStatements);
  }

  private Change insert(Analyzed.Insert insert, @Nullable ConflictAction action) {
    return switch (insert.source()) {
      case InsertSource.Rows rows -> insertValues(insert, rows, action);
      case InsertSource.Select select -> {
        RelNode tree = tree(select.root());
        yield InsertSelect.of(
            insert.table(),
            insert.columns(),
            insert.numbered(),
            new GeneratedColumns(insert.table(), insert.generated(), rexBuilder),
            mapper.map(tree),
            reads(tree, insert.table()),
            rexBuilder,
            action);
      }
    };
  }

  private InsertValues insertValues(
      Analyzed.Insert insert, InsertSource.Rows rows, @Nullable ConflictAction action) {
    return new InsertValues(
        insert.table(),
        insert.columns(),
        rows.rows(),
        insert.generated(),
        rexBuilder,
        value -> mapper.map(oneRow(rows.cluster(), value)),
        action);
  }

  /** Statements that the statements planned here consist of. */
  private final class Inner implements InnerStatements {
    @Override
    public Result run(Execution x, String sql) {
      Prepared prepared = plan(frontEnd.analyze(sql, x.catalog(), List.of()));
      return prepared instanceof ChangePlan(_, _, Change change, _, _, _, _)
          ? new Result.UpdateCount(change.apply(x))
          : ((Explainable) prepared).run(x);
    }

    @Override
    public long insert(Execution x, TableDef table, int[] columns, String query) {
      if (!(frontEnd.analyze(query, x.catalog(), List.of()) instanceof Analyzed.Query rows)) {
        throw new IllegalStateException("no query: " + query);
      }
      RelNode tree = tree(frontEnd.assigned(rows, table, columns).root());
      return InsertSelect.of(
              table,
              columns,
              List.of(),
              GeneratedColumns.none(table),
              mapper.map(tree),
              false,
              rexBuilder,
              null)
          .apply(x);
    }

    @Override
    public StoredValue defaultOf(Execution x, TableDef table) {
      Analyzed.Insert defaults = frontEnd.defaults(table, x.catalog());
      if (defaults != null && defaults.source() instanceof InsertSource.Rows row) {
        InsertValues values = insertValues(defaults, row, null);
        values.tryDefaults(x);
        return values.storedValue(x, 0);
      }
      return StoredValue.NULL;
    }

    @Override
    public boolean isValid(Execution x, ViewDef view) {
      return SqlFrontEnd.described(view, x.catalog()) != null;
    }

    @Override
    public ViewDef described(Execution x, ViewDef view) {
      ViewDef described = SqlFrontEnd.described(view, x.catalog());
      return described == null ? view : described;
    }

    @Override
    public void validate(Execution x, TableDef table, CheckDef check) {
      constraints.validate(x, table, check);
    }

    @Override
    public void validate(Execution x, TableDef table, IndexDef key) {
      constraints.validate(x, table, key);
    }

    @Override
    public void validate(Execution x, TableDef table, ForeignKeyDef key) {
      constraints.validate(x, table, key);
    }
  }

  private static RelNode oneRow(RelOptCluster cluster, RexNode value) {
    return LogicalProject.create(
        LogicalValues.createOneRow(cluster), List.of(), List.of(value), List.of("V"), Set.of());
  }

  private static boolean reads(RelNode tree, TableDef table) {
    return HiddenQueries.scans(tree).stream()
        .map(scan -> scan.getTable().unwrap(GpTable.class))
        .anyMatch(
            found ->
                found != null
                    && !found.isHostTable()
                    && found.table().tableId() == table.tableId());
  }

  private @Nullable Change recomputation(TableDef table, int[] columns) {
    Analyzed.Update update = SqlFrontEnd.recomputation(table, columns);
    if (update == null) {
      return null;
    }
    RelNode tree = tree(update.source());
    boolean plainScan = ScanShape.of(tree) != null;
    return new SourceChange(table, mapper.map(tree), plainScan, update.setColumns(), false);
  }

  private Change merge(Analyzed.Merge merge) {
    RelNode tree = tree(merge.source());
    OneRowJoin join = OneRowJoin.of(tree);
    GeneratedColumns generated = GeneratedColumns.of(merge.table());
    KeyedMerge keyed = join == null ? null : KeyedMerge.of(join, merge.branches(), generated);
    return keyed != null
        ? keyed
        : new MergeChange(merge.table(), mapper.map(tree), merge.branches(), generated);
  }

  private Change rowChange(TableDef table, RelRoot root, int[] setColumns, boolean delete) {
    RelNode tree = tree(root);
    ScanShape shape = ScanShape.of(tree);
    OneRowJoin join = shape == null ? OneRowJoin.of(tree) : null;
    ScanShape rows = join == null || join.outer() ? shape : join.asScan();
    KeyedChange keyed = rows == null ? null : KeyedChange.of(device, rows, setColumns, delete);
    return keyed != null
        ? keyed
        : new SourceChange(table, mapper.map(tree), shape != null, setColumns, delete);
  }
}
