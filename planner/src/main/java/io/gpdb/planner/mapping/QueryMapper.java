package io.gpdb.planner.mapping;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.RowLimit;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.bridge.BridgeQuery;
import io.gpdb.planner.bridge.LeafChoice;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.rewrite.NotedFacts;
import io.gpdb.planner.rewrite.TableFacts;
import io.gpdb.planner.rewrite.TreeRewriting;
import io.gpdb.planner.run.FieldsSource;
import io.gpdb.planner.run.HostTableSource;
import io.gpdb.planner.run.IndexOrScanSource;
import io.gpdb.planner.run.LimitSource;
import io.gpdb.planner.run.SortSource;
import io.gpdb.planner.run.TableSource;
import io.gpdb.planner.run.TopRowsSource;
import io.gpdb.planner.run.ValuesSource;
import io.gpdb.planner.run.WorkingTable;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.DependentJoin;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.DetachedWork;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.schema.TransientTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Maps relational trees to sources. Filters and projections melt into the operator above them; what
 * neither kernels nor the host cover runs in Calcite's enumerable convention, with the subtrees
 * below it as its leaves. Thread-safe.
 */
public final class QueryMapper implements TreeMapper {
  private static final int INLINED_NODES_MAX = 400;

  /** Beyond this limit, ORDER BY sorts all rows. */
  private static final int TOP_MAX = 100_000;

  private final Device device;
  private final boolean kernels;
  private final TableFacts facts;
  private final DetachedWork planning;
  private final PipelineMapping steps;
  private final RexBuilder rexBuilder = new GpRexBuilder();

  /** Of a mapper that makes one plan with indexes; null for all others. */
  private final @Nullable IndexMapping indexes;

  /** Of a mapper that uses no bridge, but for queries within expressions and dependent joins. */
  private final @Nullable Bridgeless bridgeless;

  /** By name, the tables that the steps of enclosing recursions read. */
  private final Map<String, WorkingTable> workingTables;

  /** What was mapped, and the mapper of the statement. */
  private record Bridgeless(QueryMapper statement, MappedOnce nodes) {}

  /**
   * @param planning where a plan is made again while its statement runs
   */
  public QueryMapper(
      Device device, EngineOptions options, TableFacts facts, DetachedWork planning) {
    this(device, options.kernels(), facts, planning, null, null, Map.of());
  }

  private QueryMapper(
      Device device,
      boolean kernels,
      TableFacts facts,
      DetachedWork planning,
      @Nullable IndexMapping indexes,
      @Nullable Bridgeless bridgeless,
      Map<String, WorkingTable> workingTables) {
    this.device = device;
    this.kernels = kernels;
    this.facts = facts;
    this.planning = planning;
    this.steps = new PipelineMapping(this, kernels);
    this.indexes = indexes;
    this.bridgeless = bridgeless;
    this.workingTables = workingTables;
  }

  private QueryMapper with(@Nullable IndexMapping other) {
    return new QueryMapper(device, kernels, facts, planning, other, anew(), workingTables);
  }

  @Override
  public TreeMapper ofStep(String name, WorkingTable table) {
    Map<String, WorkingTable> all = new HashMap<>(workingTables);
    all.put(name, table);
    return new QueryMapper(device, kernels, facts, planning, null, anew(), all);
  }

  /** Nodes are mapped anew where indexes or tables of steps differ. */
  private @Nullable Bridgeless anew() {
    return bridgeless == null ? null : new Bridgeless(bridgeless.statement, new MappedOnce());
  }

  @Override
  public Device device() {
    return device;
  }

  /** What maps queries within expressions and dependent joins, which may use the bridge. */
  QueryMapper statement() {
    return bridgeless == null ? this : bridgeless.statement;
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
      return kernels ? forSizes(tree) : dense(bridge(tree, "all"));
    } catch (NotCovered e) {
      throw new GpdbException(ErrorCode.NOT_SUPPORTED, "not supported: " + e.getMessage(), e);
    }
  }

  private Source forSizes(RelNode tree) throws NotCovered {
    NotedFacts sizes = new NotedFacts(facts);
    Source source = mapped(TreeRewriting.rewritten(tree, sizes));
    Map<TableDef, Double> rows = sizes.rowsAskedFor();
    return rows.isEmpty()
        ? source
        : new ResizedSource(
            new ResizedSource.Made(source, rows), () -> planning.run(() -> again(tree)));
  }

  private ResizedSource.Made again(RelNode tree) {
    try {
      NotedFacts sizes = new NotedFacts(facts);
      Source source = mapped(TreeRewriting.rewritten(tree, sizes));
      return new ResizedSource.Made(source, sizes.rowsAskedFor());
    } catch (NotCovered e) {
      throw new GpdbException(ErrorCode.INTERNAL, "planned before: " + e.getMessage(), e);
    }
  }

  private Source mapped(RelNode tree) throws NotCovered {
    QueryMapper byScan = indexes == null ? this : with(null);
    Source scan = byScan.dense(byScan.pipeline(tree));
    return IndexMapping.isPossible(tree, rexBuilder) ? byIndexOr(scan, tree) : scan;
  }

  /** A plan of the tree that uses indexes, or that one where few rows are not to be expected. */
  private Source byIndexOr(Source scan, RelNode tree) throws NotCovered {
    IndexMapping mapping = new IndexMapping(rexBuilder);
    QueryMapper byIndex = with(mapping);
    Source indexed = byIndex.dense(byIndex.pipeline(tree));
    return mapping.used().isEmpty()
        ? scan
        : new IndexOrScanSource(indexed, mapping.used(), mapping.joins(), scan);
  }

  @Override
  public Source ofFewOr(Source scan, RelNode step, RelDataType rowType) throws NotCovered {
    IndexMapping mapping = new IndexMapping(rexBuilder);
    QueryMapper few = with(mapping);
    Source planned = few.dense(SetMapping.cast(few, few.pipeline(step), rowType));
    return mapping.used().isEmpty() && mapping.joins().isEmpty()
        ? planned
        : new IndexOrScanSource(planned, mapping.used(), mapping.joins(), scan);
  }

  @Override
  public Pipeline pipeline(RelNode tree) throws NotCovered {
    if (bridgeless != null) {
      return bridgeless.nodes.of(tree, this::runnable);
    }
    try {
      return runnable(tree);
    } catch (NotCovered e) {
      return identity(bridge(tree, String.valueOf(e.getMessage())));
    }
  }

  /** The operator, and whatever covers what is below. */
  private Pipeline runnable(RelNode tree) throws NotCovered {
    Pipeline mapped = covered(tree);
    steps.requireRunnable(mapped);
    return mapped;
  }

  private Pipeline covered(RelNode tree) throws NotCovered {
    return switch (tree) {
      case TableScan scan -> identity(table(scan));
      case Filter filter -> filter(filter);
      case Project project -> project(project);
      case DependentCalc calc -> dependent(calc);
      case DependentJoin join ->
          identity(
              new DependentJoinSource(
                  TreeMapper.columns(join),
                  join,
                  statement().map(join.getInput()),
                  statement().map(join.query())));
      case Aggregate aggregate -> new AggregateMapping(this, aggregate).mapped();
      case Join join -> new JoinMapping(this, join).mapped();
      case Sort sort -> sort(sort);
      case RepeatUnion union -> new RecursionMapping(this, union).mapped();
      case TableSpool spool -> pipeline(spool.getInput());
      case SetOp set -> new SetMapping(this, set).mapped();
      case Values values ->
          identity(new ValuesSource(TreeMapper.columns(values), values.getTuples()));
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

  private Pipeline filter(Filter filter) throws NotCovered {
    if (!filter.getVariablesSet().isEmpty() || RexOver.containsOver(filter.getCondition())) {
      throw new NotCovered("correlated or windowed filter");
    }
    Pipeline filtered = pipeline(filter.getInput()).filtered(filter.getCondition(), rexBuilder);
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
    Pipeline input = pipeline(calc.getInput());
    RexNode condition = calc.condition();
    Pipeline all =
        condition == null
            ? RexOver.containsOver(calc.outputs(), null)
                ? windows(input, calc.outputs(), TreeMapper.columns(calc))
                : input.projected(calc.outputs(), TreeMapper.columns(calc))
            : input.filtered(condition, rexBuilder);
    steps.requireRunnable(all);
    return identity(dense(all));
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
            isByIndex()));
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
    return fields == null
        ? steps.applied(pipeline)
        : new FieldsSource(pipeline.source(), fields, pipeline.columns());
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

  // The bridge

  private Source bridge(RelNode tree, String reason) throws NotCovered {
    MappedOnce nodes = new MappedOnce();
    QueryMapper below =
        new QueryMapper(
            device, kernels, facts, planning, indexes, new Bridgeless(this, nodes), workingTables);
    LeafChoice choice =
        kernels ? subtree -> isBelow(tree, subtree) && below.covers(subtree) : LeafChoice.SCANS;
    BridgeQuery query = BridgeQuery.compile(tree, choice);
    IdentityHashMap<RelNode, Source> leaves = new IdentityHashMap<>();
    for (RelNode leaf : query.leaves()) {
      Pipeline known = nodes.known(leaf);
      leaves.put(leaf, dense(known == null ? leaf(leaf) : known));
    }
    return new BridgeSource(
        TreeMapper.columns(tree),
        query,
        leaves,
        new SubQueryPlans(this::map, query.functions()),
        parameterTypes(tree),
        reason);
  }

  /** A leaf that the bridge has whether it is covered or not. */
  private Pipeline leaf(RelNode leaf) throws NotCovered {
    return leaf instanceof TableScan scan ? identity(table(scan)) : runnable(leaf);
  }

  @SuppressWarnings("ReferenceEquality") // a node, not one like it
  private static boolean isBelow(RelNode tree, RelNode subtree) {
    return subtree != tree;
  }

  /** Whether the subtree runs without the bridge. */
  private boolean covers(RelNode subtree) {
    try {
      pipeline(subtree);
      return true;
    } catch (NotCovered e) {
      return false;
    }
  }

  private static @Nullable SqlTypeSpec[] parameterTypes(RelNode tree) {
    Map<Integer, SqlTypeSpec> found = new TreeMap<>();
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        node.accept(
            new RexShuttle() {
              @Override
              public RexNode visitDynamicParam(RexDynamicParam parameter) {
                if (parameter.getType().getSqlTypeName() != SqlTypeName.NULL) {
                  found.put(parameter.getIndex(), GpTypes.spec(parameter.getType()));
                }
                return parameter;
              }
            });
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    int count = found.keySet().stream().mapToInt(i -> i + 1).max().orElse(0);
    @Nullable SqlTypeSpec[] types = new SqlTypeSpec[count];
    found.forEach((index, type) -> types[index] = type);
    return types;
  }
}
