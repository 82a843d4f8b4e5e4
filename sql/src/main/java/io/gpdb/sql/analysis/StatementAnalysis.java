package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.change.ChangeScope;
import io.gpdb.sql.change.CopyAnalysis;
import io.gpdb.sql.change.InsertAnalysis;
import io.gpdb.sql.change.LockingAnalysis;
import io.gpdb.sql.change.MergeAnalysis;
import io.gpdb.sql.change.ReturningList;
import io.gpdb.sql.change.RowChangeAnalysis;
import io.gpdb.sql.change.UpsertAnalysis;
import io.gpdb.sql.change.ViewExpansion;
import io.gpdb.sql.conversion.Assignment;
import io.gpdb.sql.conversion.GeneratedValues;
import io.gpdb.sql.conversion.PlainConversion;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.define.AlterAnalysis;
import io.gpdb.sql.define.DomainAlteration;
import io.gpdb.sql.define.DomainDefinition;
import io.gpdb.sql.define.IndexAnalysis;
import io.gpdb.sql.define.SequenceAnalysis;
import io.gpdb.sql.define.TableDefinition;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.ParsedStatement.Overriding;
import io.gpdb.sql.parser.RoutineReference;
import io.gpdb.sql.parser.StatementNode;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.GeneratedColumn;
import io.gpdb.sql.statement.GrantKind;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSetOption;
import org.jspecify.annotations.Nullable;

/** Resolves one parsed statement against the catalog. */
public final class StatementAnalysis {
  private final SqlText text;
  private final CatalogSnapshot catalog;
  private final @Nullable List<SqlTypeSpec> boundTypes;
  private final List<ParameterFit> fits;
  private final ParameterGuesses guesses;
  private @Nullable Overriding overriding;

  public StatementAnalysis(
      SqlText text,
      CatalogSnapshot catalog,
      @Nullable List<SqlTypeSpec> boundTypes,
      List<ParameterFit> fits,
      ParameterGuesses guesses) {
    this.text = text;
    this.catalog = catalog;
    this.boundTypes = boundTypes;
    this.fits = fits;
    this.guesses = guesses;
  }

  /** A row of the defaults of the table's columns; null where no column has one. */
  public static Analyzed.@Nullable Insert defaults(TableDef table, CatalogSnapshot catalog) {
    ParameterGuesses none = new ParameterGuesses(SqlTypeSpec.VARCHAR);
    return new InsertAnalysis(catalog, () -> new QueryConversion(catalog, null, List.of(), none))
        .defaultsAlone(table);
  }

  /** The UPDATE that computes the generated columns of what the columns have; null for none. */
  public static Analyzed.@Nullable Update recomputation(TableDef table, int[] columns) {
    return RowChangeAnalysis.recomputation(table, columns);
  }

  /** The generated columns of a table with their values over its row. */
  public static List<GeneratedColumn> generated(TableDef table) {
    return GeneratedValues.of(table);
  }

  public Analyzed analyze(SqlNode parsed) {
    if (parsed instanceof StatementNode statement) {
      return own(statement.statement());
    }
    SqlNode node = SequenceCalls.resolved(parsed, catalog);
    NodeSearch.checkSupported(node);
    if (boundTypes == null) {
      guesses.wrap(node);
    }
    if (!node.isA(SqlKind.QUERY)) {
      return change(ViewExpansion.in(node, catalog));
    }
    return query(node);
  }

  private Analyzed change(SqlNode node) {
    return switch (node) {
      case SqlInsert insert ->
          new InsertAnalysis(catalog, this::conversion).insert(insert, overriding);
      case SqlSetOption option -> new Analyzed.SetOption(option.name().toString(), null);
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, node.getKind().sql.replace('_', ' ') + " is not supported");
    };
  }

  private Analyzed locking(ParsedStatement.LockingQuery locking) {
    ResultNames.nameExpressions(locking.query(), text);
    return new LockingAnalysis(catalog, this::completed, conversion()).query(locking);
  }

  private CursorAnalysis cursors() {
    return new CursorAnalysis(
        text, catalog, select -> conversion().validator().isAggregate(select));
  }

  /** A query of rows of one table, with their row ids in the last field. */
  private Analyzed.Query withRowIds(SqlNode query) {
    ResultNames.nameExpressions(query, text);
    return new LockingAnalysis(catalog, this::completed, conversion()).withRowIds(query);
  }

  private ChangeScope scope() {
    return new ChangeScope(catalog, this::completed, this::conversion);
  }

  /** A query of a change as it was parsed, ready to be converted. */
  private SqlNode completed(SqlNode parsed) {
    SqlNode query = SequenceCalls.resolved(parsed, catalog);
    NodeSearch.checkSupported(query);
    if (boundTypes == null) {
      guesses.wrap(query);
    }
    return ViewExpansion.in(query, catalog);
  }

  private QueryConversion conversion() {
    return new QueryConversion(catalog, boundTypes, fits, guesses);
  }

  private Analyzed.Query query(SqlNode node) {
    ResultNames.nameExpressions(node, text);
    if (boundTypes == null) {
      guesses.wrap(node);
      Analyzed.Query plain = PlainConversion.of(node, catalog, fits, guesses);
      if (plain != null) {
        return plain;
      }
    }
    QueryConversion.Converted query = conversion().query(ViewExpansion.in(node, catalog));
    return new Analyzed.Query(query.root(), query.parameters(), query.output());
  }

  private Analyzed own(ParsedStatement statement) {
    return switch (statement) {
      case ParsedStatement.Control control -> control.command();
      case ParsedStatement.Explain explain ->
          new Analyzed.Explain(analyze(explain.inner()), explain.kind());
      case ParsedStatement.CreateTable create -> createTable(create);
      case ParsedStatement.CreateSchema create -> createSchema(create);
      case ParsedStatement.DropTable drop ->
          new Analyzed.DropTable(named(drop.names()), drop.ifExists(), drop.behavior());
      case ParsedStatement.AlterTable alter -> AlterAnalysis.of(alter, text, catalog);
      case ParsedStatement.CreateIndex create -> IndexAnalysis.of(create, catalog);
      case ParsedStatement.DropIndex drop -> IndexAnalysis.of(drop, catalog);
      case ParsedStatement.RenameIndex rename -> IndexAnalysis.of(rename, catalog);
      case ParsedStatement.CreateSequence create -> new SequenceAnalysis(catalog).create(create);
      case ParsedStatement.AlterSequence alter -> new SequenceAnalysis(catalog).alter(alter);
      case ParsedStatement.DropSequence drop -> new SequenceAnalysis(catalog).drop(drop);
      case ParsedStatement.Returning returning -> returning(returning);
      case ParsedStatement.InsertOverriding insert -> {
        overriding = insert.overriding();
        yield analyze(insert.insert());
      }
      case ParsedStatement.CreateView create -> createView(create);
      case ParsedStatement.RenameView rename ->
          new Analyzed.RenameView(
              TableNames.named(rename.name(), catalog),
              rename.ifExists(),
              TableDefinition.checkedName(rename.to().getSimple(), rename.to()));
      case ParsedStatement.DropView drop ->
          new Analyzed.DropView(named(drop.names()), drop.ifExists(), drop.behavior());
      case ParsedStatement.Truncate truncate ->
          new Analyzed.Truncate(
              truncate.names().stream().map(name -> TableNames.table(name, catalog)).toList(),
              truncate.restart());
      case ParsedStatement.Comment comment -> Comments.of(comment, catalog);
      case ParsedStatement.CreateDomain create ->
          new Analyzed.CreateDomain(DomainDefinition.of(create, text, catalog));
      case ParsedStatement.CreateType create ->
          new Analyzed.CreateDomain(DomainDefinition.of(create, text, catalog));
      case ParsedStatement.AlterDomain alter -> new DomainAlteration(text, catalog).of(alter);
      case ParsedStatement.DropDomain drop ->
          new Analyzed.DropDomain(
              drop.kind(),
              TableNames.named(drop.name(), catalog),
              drop.ifExists(),
              drop.behavior());
      case ParsedStatement.CreateRoutine create ->
          new Analyzed.CreateRoutine(
              new RoutineDefinition(text, catalog).of(create.routine(), this::query, this::step));
      case ParsedStatement.DropRoutine drop ->
          new Analyzed.DropRoutine(
              new RoutineDefinition(text, catalog).named(drop.routine(), drop.ifExists()),
              drop.behavior());
      case ParsedStatement.Call call -> call(call.called());
      case ParsedStatement.Grant grant ->
          new Analyzed.Grant(
              granted(grant),
              grant.privileges().target(),
              grant.privileges().of(grant.grantees(), grant.kind() == GrantKind.GRANT_WITH_OPTION),
              grant.kind());
      case ParsedStatement.Vacuum vacuum -> new Analyzed.Vacuum(oneOrAll(vacuum.name()));
      case ParsedStatement.Analyze analyze -> new Analyzed.Analyze(oneOrAll(analyze.name()));
      case ParsedStatement.InsertDefaults insert ->
          new InsertAnalysis(catalog, this::conversion).insertDefaults(insert.name());
      case ParsedStatement.Upsert upsert -> new UpsertAnalysis(scope()).upsert(upsert);
      case ParsedStatement.Update update -> new RowChangeAnalysis(scope()).update(update);
      case ParsedStatement.Delete delete -> new RowChangeAnalysis(scope()).delete(delete);
      case ParsedStatement.Merge merge -> new MergeAnalysis(scope()).merge(merge);
      case ParsedStatement.LockingQuery locking -> locking(locking);
      case ParsedStatement.DeclareCursor cursor ->
          cursors().declare(cursor, query -> (Analyzed.Query) analyze(query), this::withRowIds);
      case ParsedStatement.Positioned change -> cursors().positioned(change, this::analyze);
      case ParsedStatement.LockTables lock -> LockingAnalysis.tables(lock, catalog);
      case ParsedStatement.Copy copy ->
          new CopyAnalysis(catalog, this::conversion).copy(copy, this::query);
    };
  }

  private Analyzed call(SqlNode called) {
    RoutineDef procedure = ProcedureCall.called(called, catalog);
    if (procedure == null) {
      return analyze(ProcedureCall.values(called));
    }
    NodeSearch.checkSupported(called);
    return new ProcedureCall(procedure, catalog).of(called, this::conversion);
  }

  /** Analyses one statement of a procedure, to see whether it is valid. */
  private Analyzed step(String sql) {
    SqlText own = new SqlText(sql);
    ParameterGuesses none = new ParameterGuesses(SqlTypeSpec.VARCHAR);
    try {
      return new StatementAnalysis(own, catalog, null, List.of(), none).analyze(own.statement());
    } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
      throw new ErrorTranslation(own, catalog).translate(e);
    }
  }

  private ObjectName granted(ParsedStatement.Grant grant) {
    RoutineReference routine = grant.privileges().routine();
    return routine == null
        ? TableNames.named(grant.on(), catalog)
        : new RoutineDefinition(text, catalog).existing(routine).fullName();
  }

  private Analyzed createSchema(ParsedStatement.CreateSchema create) {
    if (create.elements().isEmpty()) {
      return new Analyzed.CreateSchema(create.name(), create.ifNotExists());
    }
    return new Analyzed.CreateFullSchema(
        create.name(), create.ifNotExists(), SchemaElements.of(create.elements(), text));
  }

  private List<ObjectName> named(List<SqlIdentifier> names) {
    return names.stream().map(name -> TableNames.named(name, catalog)).toList();
  }

  private Analyzed returning(ParsedStatement.Returning returning) {
    SqlNodeList items = returning.items();
    NodeSearch.checkSupported(items);
    if (NodeSearch.hasParameter(items)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "a parameter in RETURNING" + TableNames.at(items));
    }
    SqlNode list = ReturningList.of(returning.change(), items, catalog);
    ResultNames.nameExpressions(list, text);
    Analyzed change = analyze(returning.change());
    QueryConversion.Converted query = conversion().query(ViewExpansion.in(list, catalog));
    return new Analyzed.Returning(change, query.root(), query.output());
  }

  private List<TableDef> oneOrAll(@Nullable SqlIdentifier name) {
    return name == null ? catalog.visibleTables() : List.of(TableNames.table(name, catalog));
  }

  private Analyzed createView(ParsedStatement.CreateView create) {
    NodeSearch.checkSupported(create.query());
    ViewDefinition.check(create);
    String written = WrittenColumns.of(create.query(), create.text(), text, catalog);
    ResultNames.nameExpressions(create.query(), text);
    List<ObjectName> uses = ViewExpansion.uses(create.query(), catalog);
    List<ObjectName> calls = ViewExpansion.calls(create.query(), catalog);
    List<OutputColumn> output = query(create.query()).output();
    return new Analyzed.CreateView(
        ViewDefinition.of(create, output, uses, calls, written, catalog),
        create.orReplace(),
        create.ifNotExists());
  }

  private Analyzed createTable(ParsedStatement.CreateTable create) {
    Analyzed.Query query = null;
    if (create.query() != null) {
      NodeSearch.checkSupported(create.query());
      query = query(create.query());
    }
    OnCommit onCommit = create.onCommit();
    ObjectName name =
        onCommit == null
            ? TableNames.newName(create.name(), catalog)
            : TableNames.newTemporaryName(create.name(), catalog);
    TableDefinition.checkedName(name.name(), create.name());
    TableDefinition definition = new TableDefinition(text, catalog, name, onCommit);
    TableDef table = definition.define(create, query == null ? null : query.output());
    return new Analyzed.CreateTable(
        table,
        definition.identities(),
        create.ifNotExists(),
        create.withData() ? assigned(query, table) : null,
        new InsertAnalysis(catalog, this::conversion).defaultsAlone(table));
  }

  /** CREATE TABLE AS with declared types assigns the query's values to them. */
  private static Analyzed.@Nullable Query assigned(Analyzed.@Nullable Query query, TableDef table) {
    if (query == null) {
      return null;
    }
    int[] columns = new int[table.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i;
    }
    return assigned(query, table, columns);
  }

  /** The query, whose values are assigned to columns of the table. */
  public static Analyzed.Query assigned(Analyzed.Query query, TableDef table, int[] columns) {
    RelRoot root = Assignment.assigned(query.root(), 0, table, columns, List.of());
    return new Analyzed.Query(root, query.params(), query.output());
  }
}
