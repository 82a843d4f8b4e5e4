package io.gpdb.planner.mapping;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.rewrite.AskedForTree;
import io.gpdb.planner.rewrite.Estimates;
import io.gpdb.planner.rewrite.NotedFacts;
import io.gpdb.planner.rewrite.SharedTree;
import io.gpdb.planner.rewrite.TableFacts;
import io.gpdb.planner.rewrite.TreeRewriting;
import io.gpdb.planner.run.AskedForSource;
import io.gpdb.planner.run.FieldsSource;
import io.gpdb.planner.run.HostRows;
import io.gpdb.planner.run.LimitSource;
import io.gpdb.planner.run.SeriesSource;
import io.gpdb.planner.run.SharedSource;
import io.gpdb.planner.run.SharingSource;
import io.gpdb.planner.run.ValuesSource;
import io.gpdb.planner.run.WorkingTable;
import io.gpdb.planner.run.sort.SortSource;
import io.gpdb.planner.run.sort.TopRowsSource;
import io.gpdb.planner.run.table.HostTableSource;
import io.gpdb.planner.run.table.IndexOrScanSource;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.dialect.SeriesFunction;
import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.DependentJoin;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.schema.TransientTable;
import org.jspecify.annotations.Nullable;

/**
 * Maps relational trees to sources. Filters and projections melt into the operator above them; what
 * neither kernels nor the host cover is refused. Thread-safe.
 */
public final class QueryMapper implements TreeMapper {
  private static final int INLINED_NODES_MAX = 400;

  private static final Pattern CALCITES_NAMES =
      Pattern.compile("Logical[A-Z]|\\$|^Collect|^Uncollect");

  /** Beyond this limit, ORDER BY sorts all rows. */
  private static final int TOP_MAX = 100_000;

  private final Device device;
  private final int hostRowsMax;
  private final TableFacts facts;
  private final DetachedWork planning;
  private final PipelineMapping steps;
  private final RexBuilder rexBuilder = new GpRexBuilder();

  /** Of a mapper that makes one plan with indexes; null for all others. */
  private final @Nullable IndexMapping indexes;

  /** By name, the tables that the steps of enclosing recursions read. */
  private final Map<String, WorkingTable> workingTables;

  /** What runs whole queries in the place of operators; null for all but tests. */
  private final @Nullable WholeTrees whole;

  private final PlanModel model;

  /** What places of the tree that is being mapped share. */
  private final SharedRows shared;

  /**
   * @param hostRowsMax up to how many rows the host computes whole numbers where kernels could
   * @param planning where a plan is made again while its statement runs
   * @param whole what runs whole queries in the place of operators
   */
  public QueryMapper(
      Device device,
      int hostRowsMax,
      TableFacts facts,
      DetachedWork planning,
      @Nullable WholeTrees whole) {
    this(
        device,
        device.memory().isHosts() ? hostRowsMax : 0,
        facts,
        planning,
        null,
        whole,
        Map.of(),
        PlanModel.NOT_ASKED,
        SharedRows.NONE);
  }

  private QueryMapper(
      Device device,
      int hostRowsMax,
      TableFacts facts,
      DetachedWork planning,
      @Nullable IndexMapping indexes,
      @Nullable WholeTrees whole,
      Map<String, WorkingTable> workingTables,
      PlanModel model,
      SharedRows shared) {
    this.device = device;
    this.hostRowsMax = hostRowsMax;
    this.facts = facts;
    this.planning = planning;
    this.steps = new PipelineMapping(this);
    this.indexes = indexes;
    this.whole = whole;
    this.workingTables = workingTables;
    this.model = model;
    this.shared = shared;
  }

  private QueryMapper with(
      @Nullable IndexMapping other, Map<String, WorkingTable> tables, PlanModel known) {
    return with(other, tables, known, shared);
  }

  private QueryMapper with(
      @Nullable IndexMapping other,
      Map<String, WorkingTable> tables,
      PlanModel known,
      SharedRows rows) {
    return new QueryMapper(device, hostRowsMax, facts, planning, other, whole, tables, known, rows);
  }

  /** The same for plans that are shown, whose operators know what the model expects of them. */
  public QueryMapper showing() {
    return with(indexes, workingTables, PlanModel.SHOWN);
  }

  @Override
  public TreeMapper ofStep(String name, WorkingTable table) {
    Map<String, WorkingTable> all = new HashMap<>(workingTables);
    all.put(name, table);
    return with(null, all, model);
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public RexBuilder rexBuilder() {
    return rexBuilder;
  }

  @Override
  public boolean isByIndex() {
    return indexes != null;
  }

  /** A source for a tree as the front end makes it. Its batches hold no tablet. */
  public Source map(RelNode tree) {
    try {
      return whole == null
          ? PlacedSource.of(forSizes(tree), tree, device.hostRows())
          : dense(whole.of(tree, this::map, this::table));
    } catch (NotCovered e) {
      throw new GpdbException(ErrorCode.NOT_SUPPORTED, "not supported: " + reason(e), e);
    }
  }

  /** What is not covered, without names that are Calcite's own. */
  private static String reason(NotCovered e) {
    String reason = String.valueOf(e.getMessage());
    return CALCITES_NAMES.matcher(reason).find() ? "an operator of this query" : reason;
  }

  private Source forSizes(RelNode tree) throws NotCovered {
    NotedFacts sizes = new NotedFacts(facts);
    Source source = mapped(TreeRewriting.rewritten(tree, sizes), sizes);
    Map<TableDef, Double> rows = sizes.rowsAskedFor();
    return rows.isEmpty()
        ? source
        : new ResizedSource(
            new ResizedSource.Made(source, rows), () -> planning.run(() -> again(tree)));
  }

  private ResizedSource.Made again(RelNode tree) {
    try {
      NotedFacts sizes = new NotedFacts(facts);
      Source source = mapped(TreeRewriting.rewritten(tree, sizes), sizes);
      return new ResizedSource.Made(source, sizes.rowsAskedFor());
    } catch (NotCovered e) {
      throw new GpdbException(ErrorCode.INTERNAL, "planned before: " + e.getMessage(), e);
    }
  }

  /**
   * @param sizes what was asked for the order of the tree's joins
   */
  private Source mapped(RelNode tree, NotedFacts sizes) throws NotCovered {
    boolean ordered = !sizes.rowsAskedFor().isEmpty();
    PlanModel known = model.of(ordered ? sizes : facts, ordered);
    SharedRows within = shared.within(SharedTree.in(tree));
    boolean shares = within != shared;
    QueryMapper byScan =
        indexes == null && known.equals(model) && !shares
            ? this
            : with(null, workingTables, known, within);
    Source scan = byScan.dense(byScan.pipeline(tree));
    Source best = IndexMapping.isPossible(tree, rexBuilder) ? byScan.byIndexOr(scan, tree) : scan;
    return shares && !within.sources().isEmpty() ? new SharingSource(best, within.sources()) : best;
  }

  private SharedSource shared(SharedTree.Rows place) throws NotCovered {
    return shared.source(
        place, (rows, number) -> new SharedSource(forSizes(rows.tree()), rows.read(), number));
  }

  /** A plan of the tree that uses indexes, or that one where few rows are not to be expected. */
  private Source byIndexOr(Source scan, RelNode tree) throws NotCovered {
    IndexMapping mapping = new IndexMapping(rexBuilder);
    QueryMapper byIndex = with(mapping, workingTables, model);
    Source indexed = byIndex.dense(byIndex.pipeline(tree));
    return mapping.used().isEmpty()
        ? scan
        : new IndexOrScanSource(indexed, mapping.used(), mapping.joins(), scan);
  }

  @Override
  public Source ofFewOr(Source scan, RelNode step, RelDataType rowType) throws NotCovered {
    IndexMapping mapping = new IndexMapping(rexBuilder);
    QueryMapper few = with(mapping, workingTables, model);
    Source planned = few.dense(SetMapping.cast(few, few.pipeline(step), rowType));
    return mapping.used().isEmpty() && mapping.joins().isEmpty()
        ? planned
        : new IndexOrScanSource(planned, mapping.used(), mapping.joins(), scan);
  }

  @Override
  public Pipeline pipeline(RelNode tree) throws NotCovered {
    Pipeline mapped = covered(tree);
    steps.requireRunnable(mapped);
    return model.expecting(tree, mapped);
  }

  /** What the model of the joins' order says of the tree. */
  PlanModel model() {
    return model;
  }

  /** What the model expects, for choices that a plan seldom has. */
  Estimates estimates() {
    return model.estimates(facts);
  }

  private Pipeline covered(RelNode tree) throws NotCovered {
    return switch (tree) {
      case TableScan scan -> identity(table(scan));
      case Filter filter -> filter(filter);
      case Project project -> project(project);
      case DependentCalc calc -> dependent(calc);
      case AskedForTree asked ->
          identity(
              new AskedForSource(
                  dense(pipeline(asked.getInput())), dense(pipeline(asked.askedBy()))));
      case KeptRowsNode kept -> identity(kept.rows());
      case SharedTree place -> identity(shared(place.rows()));
      case DependentJoin join ->
          identity(
              new DependentJoinSource(
                  TreeMapper.columns(join), join, map(join.getInput()), map(join.query())));
      case Aggregate aggregate -> new AggregateMapping(this, aggregate).mapped();
      case Join join -> new JoinMapping(this, join).mapped();
      case WantedPairs pairs -> new JoinMapping(this, pairs.join(), pairs.condition()).mapped();
      case Sort sort -> sort(sort);
      case RepeatUnion union -> new RecursionMapping(this, union).mapped();
      case TableSpool spool -> pipeline(spool.getInput());
      case SetOp set -> new SetMapping(this, set).mapped();
      case Values values ->
          identity(new ValuesSource(TreeMapper.columns(values), values.getTuples()));
      case TableFunctionScan scan -> identity(series(scan));
      default -> throw new NotCovered(tree.getRelTypeName());
    };
  }

  private Source table(TableScan scan) throws NotCovered {
    GpTable table = scan.getTable().unwrap(GpTable.class);
    if (table == null) {
      WorkingTable working = workingTables.get(scan.getTable().getQualifiedName().getLast());
      if (working != null && scan.getTable().unwrap(TransientTable.class) != null) {
        return working;
      }
      throw new NotCovered("table " + scan.getTable().getQualifiedName());
    }
    return table.isHostTable()
        ? new HostTableSource(table.hostTable())
        : new TableSource(table.table(), table.hasRowId());
  }

  /** GENERATE_SERIES, the one function of FROM. */
  private Source series(TableFunctionScan scan) throws NotCovered {
    if (!(scan.getCall() instanceof RexCall call)
        || !(call.getOperator() instanceof SeriesFunction)) {
      throw new NotCovered("a function in FROM");
    }
    return new SeriesSource(
        device, rexBuilder, TreeMapper.columns(scan).getFirst(), call.getOperands());
  }

  private Pipeline filter(Filter filter) throws NotCovered {
    if (!filter.getVariablesSet().isEmpty() || RexOver.containsOver(filter.getCondition())) {
      throw new NotCovered("correlated or windowed filter");
    }
    Pipeline filtered =
        OnceConditions.filtered(pipeline(filter.getInput()), filter.getCondition(), rexBuilder);
    return indexes == null ? filtered : indexes.bounded(filtered);
  }

  /** What joins by indexes, null where the plan uses none. */
  @Nullable IndexJoins indexJoins() {
    return indexes == null ? null : new IndexJoins(this, indexes);
  }

  /** The input of an aggregation, with the one row alone that it needs where an index knows it. */
  Pipeline input(Aggregate aggregate) throws NotCovered {
    Pipeline input = pipeline(aggregate.getInput());
    return indexes == null ? input : indexes.extreme(aggregate, input);
  }

  /** A filter or projection with subqueries, done before anything above is. */
  private Pipeline dependent(DependentCalc calc) throws NotCovered {
    RexNode condition = calc.condition();
    RelNode rows = calc.getInput();
    Pipeline input = pipeline(condition == null ? rows : WantedPairs.in(rows, condition));
    Pipeline all =
        condition == null
            ? RexOver.containsOver(calc.outputs(), null)
                ? windows(input, calc.outputs(), TreeMapper.columns(calc))
                : input.projected(calc.outputs(), TreeMapper.columns(calc))
            : input.filtered(condition, rexBuilder);
    steps.requireRunnable(all);
    Pipeline together = new TogetherMapping(this, calc).over(input);
    return together == null ? identity(dense(all)) : together;
  }

  @Override
  public Source ofPart(RelNode tree) throws NotCovered {
    return forSizes(tree);
  }

  private Pipeline project(Project project) throws NotCovered {
    Pipeline input = pipeline(project.getInput());
    List<SourceColumn> columns = TreeMapper.columns(project);
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    for (int i = 0; i < columns.size(); i++) {
      RexNode output = project.getProjects().get(i);
      columns.set(i, columns.get(i).told(() -> RexText.of(output, names)));
    }
    if (project.containsOver()) {
      return windows(input, project.getProjects(), columns);
    }
    Pipeline merged = input.projected(project.getProjects(), columns);
    int nodes = merged.outputs().stream().mapToInt(RexNode::nodeCount).sum();
    if (nodes <= INLINED_NODES_MAX) {
      return merged;
    }
    return identity(dense(input)).projected(project.getProjects(), columns);
  }

  private Pipeline windows(Pipeline input, List<RexNode> outputs, List<SourceColumn> columns)
      throws NotCovered {
    WindowMapping mapping = new WindowMapping(rexBuilder, input, outputs);
    return mapping.above(device, dense(mapping.below()), columns);
  }

  private Pipeline sort(Sort sort) throws NotCovered {
    Pipeline pipeline = pipeline(sort.getInput());
    List<RelFieldCollation> order = sort.getCollation().getFieldCollations();
    if (order.isEmpty()) {
      return identity(new LimitSource(dense(pipeline), sort.offset, sort.fetch));
    }
    Pipeline ordered = indexes == null ? null : indexes.ordered(pipeline, sort);
    if (ordered != null) {
      return identity(new LimitSource(dense(ordered), sort.offset, sort.fetch));
    }
    Pipeline sorted = sort.fetch == null ? pipeline : firstRows(pipeline, sort, order);
    return identity(
        new SortSource(
            device,
            rexBuilder,
            dense(sorted),
            order,
            sort.offset,
            sort.fetch,
            "sort",
            hostRows(sorted.source()).isSome()));
  }

  @Override
  public HostRows hostRows(Source input) {
    return isByIndex() || input.isOneRow() ? HostRows.ofFew() : hostRows();
  }

  /** The same of an input of which nothing is known. */
  HostRows hostRows() {
    return new HostRows(0, hostRowsMax);
  }

  /** The pipeline with only the rows that the limit can let through. */
  private Pipeline firstRows(Pipeline p, Sort sort, List<RelFieldCollation> order) {
    if (isByIndex() && IndexMapping.isDriven(p.source())) {
      return p; // few rows are sorted at once
    }
    boolean many = sort.fetch instanceof RexLiteral rows && RowLimit.rows(rows) > TOP_MAX;
    if (many) {
      return p;
    }
    List<RexNode> keys = order.stream().map(o -> p.outputs().get(o.getFieldIndex())).toList();
    RowLimit limit = new RowLimit(sort.offset, sort.fetch);
    try {
      Source first =
          new TopRowsSource(device, rexBuilder, p.source(), p.filter(), keys, order, limit);
      return new Pipeline(first, null, p.outputs(), p.columns());
    } catch (NotCovered e) {
      return p; // all rows are sorted
    }
  }

  // Sources

  @Override
  public Source source(Pipeline pipeline) throws NotCovered {
    if (pipeline.isIdentity()) {
      return pipeline.source();
    }
    int[] fields = pipeline.source().hasDeadRows() ? null : pipeline.fields();
    if (fields == null) {
      return steps.applied(pipeline);
    }
    Source view = new FieldsSource(pipeline.source(), fields, pipeline.columns());
    view.expect(pipeline.expectedRows());
    return view;
  }

  @Override
  public Source dense(Pipeline pipeline) throws NotCovered {
    Source source = source(pipeline);
    return dense(source);
  }

  @Override
  public Source dense(Source source) throws NotCovered {
    return source.hasDeadRows() ? steps.applied(identity(source)) : source;
  }
}
