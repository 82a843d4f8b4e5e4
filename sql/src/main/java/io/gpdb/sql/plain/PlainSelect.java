package io.gpdb.sql.plain;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/** One SELECT as a relational tree. */
final class PlainSelect {
  private final PlainContext context;
  private final SqlSelect select;
  private final PlainScope scope;
  private final @Nullable PlainOuter outer;
  private final PlainExpressions expressions;
  private final List<PlainItem> items;

  /** The expressions of the items without pluses, once they are compared. */
  private final List<SqlNode> stripped = new ArrayList<>();

  private final Set<CorrelationId> variables = new LinkedHashSet<>();

  /** The subqueries that read rows of this query. */
  private final List<SqlSelect> bound = new ArrayList<>();

  PlainSelect(PlainContext context, SqlSelect select, @Nullable PlainOuter outer) {
    this(context, select, outer, false);
  }

  /** The rows of a table that a statement changes, with their row ids. */
  static PlainSelect ofChange(PlainContext context, SqlSelect select) {
    if (select.getFrom() instanceof SqlJoin || select.getGroup() != null || select.isDistinct()) {
      throw NotPlain.here();
    }
    return new PlainSelect(context, select, null, true);
  }

  private PlainSelect(
      PlainContext context, SqlSelect select, @Nullable PlainOuter outer, boolean ofChange) {
    requirePlain(select);
    this.context = context;
    this.select = select;
    this.outer = outer;
    scope =
        new PlainScope(
            select.getFrom(), context.catalog(), context.cluster(), ofChange, this::derived);
    expressions = new PlainExpressions(context.rex(), new Rows());
    items = items();
  }

  private static void requirePlain(SqlSelect select) {
    if (select.getFetch() != null
        || select.getOffset() != null
        || select.getQualify() != null
        || select.getOrderList() != null
        || !select.getWindowList().isEmpty()
        || select.hasHints()) {
      throw NotPlain.here();
    }
  }

  private PlainScope.Derived derived(SqlSelect query) {
    PlainSelect of = new PlainSelect(context, query, null);
    RelNode rows = of.tree(new PlainOrder(context, null));
    return new PlainScope.Derived(rows, of.items.stream().map(PlainItem::name).toList());
  }

  PlainScope scope() {
    return scope;
  }

  List<PlainItem> columns() {
    return items;
  }

  /** What expressions over the rows of FROM are made of. */
  private class Rows implements PlainExpressions.Places {
    @Override
    public RexNode column(SqlIdentifier name) {
      int field = scope.field(name);
      if (field >= 0) {
        return context.rex().makeInputRef(scope.rows(), field);
      }
      if (outer == null) {
        throw NotPlain.here();
      }
      return outer.column(name);
    }

    @Override
    public RexNode call(SqlCall call) {
      return switch (call.getKind()) {
        case SELECT -> scalar((SqlSelect) call);
        case SCALAR_QUERY -> call.operand(0) instanceof SqlSelect query ? scalar(query) : refused();
        case EXISTS -> call.operand(0) instanceof SqlSelect query ? exists(query) : refused();
        default -> refused();
      };
    }

    @Override
    public RexNode parameter(SqlDynamicParam parameter, RelDataType type) {
      context.parameters().put(parameter.getIndex(), type);
      return context.rex().makeDynamicParam(type, parameter.getIndex());
    }
  }

  /** What the items of a query that does not group are made of. */
  private final class Items extends Rows {
    private final PlainWindows windows = new PlainWindows(context, expressions);

    @Override
    public RexNode call(SqlCall call) {
      return call.getKind() == SqlKind.OVER && !select.isDistinct() // whose columns are items only
          ? windows.over(call, scope.rows())
          : super.call(call);
    }
  }

  private static RexNode refused() {
    throw NotPlain.here();
  }

  // Subqueries

  private RexNode scalar(SqlSelect query) {
    RelNode tree = subQuery(query);
    if (tree.getRowType().getFieldCount() != 1) {
      throw NotPlain.here();
    }
    return RexSubQuery.scalar(tree);
  }

  /** Whatever the query selects does not matter. */
  private RexNode exists(SqlSelect query) {
    if (query.isDistinct() || query.getGroup() != null || query.getHaving() != null) {
      throw NotPlain.here();
    }
    if (subQuery(query) instanceof Project project) {
      return RexSubQuery.exists(project.getInput());
    }
    throw NotPlain.here();
  }

  private RelNode subQuery(SqlSelect query) {
    PlainOuter around = new PlainOuter(context, scope);
    RelNode tree = new PlainSelect(context, query, around).tree(new PlainOrder(context, null));
    CorrelationId variable = around.variable();
    if (variable != null) {
      // Calcite finds a subquery that is written twice to be one.
      if (bound.stream().anyMatch(known -> known.equalsDeep(query, Litmus.IGNORE))) {
        throw NotPlain.here();
      }
      bound.add(query);
      variables.add(variable);
    }
    return tree;
  }

  private ImmutableSet<CorrelationId> takenVariables() {
    ImmutableSet<CorrelationId> taken = ImmutableSet.copyOf(variables);
    variables.clear();
    return taken;
  }

  // The parts of the query

  private List<PlainItem> items() {
    List<PlainItem> all = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        if (name.names.size() > 1 || select.getSelectList().size() > 1) {
          throw NotPlain.here();
        }
        star(all);
      } else if (item.getKind() == SqlKind.AS) {
        String alias = ((SqlCall) item).<SqlIdentifier>operand(1).getSimple();
        all.add(item(PlainItem.withoutPlus(((SqlCall) item).operand(0)), alias));
      } else if (item instanceof SqlIdentifier name) {
        all.add(item(name, name.names.getLast()));
      } else {
        throw NotPlain.here();
      }
    }
    return all;
  }

  private PlainItem item(SqlNode value, String name) {
    int column = value instanceof SqlIdentifier id ? scope.field(id) : -1;
    return new PlainItem(value, name, name, column);
  }

  private void star(List<PlainItem> all) {
    if (scope.tables().isEmpty()) {
      throw NotPlain.here();
    }
    Set<String> taken = new HashSet<>();
    for (PlainTable table : scope.tables()) {
      for (String column : table.columns()) {
        SqlIdentifier own =
            new SqlIdentifier(List.of(table.name(), column), select.getParserPosition());
        String unique = alias(column, taken);
        all.add(new PlainItem(own, unique, column, table.field(column)));
      }
    }
  }

  /** The rows that pass WHERE. */
  private RelNode filtered() {
    RelNode rows = scope.rows();
    SqlNode where = select.getWhere();
    if (where == null) {
      return rows;
    }
    RexNode condition = context.condition(expressions.truth(PlainNegations.pushed(where)));
    ImmutableSet<CorrelationId> taken = takenVariables();
    return condition.isAlwaysTrue()
        ? rows
        : LogicalFilter.create(
            rows, condition, condition.isAlwaysFalse() ? ImmutableSet.of() : taken);
  }

  /** The tree of the query in that order. */
  RelNode tree(PlainOrder order) {
    RelNode rows = filtered();
    List<SqlNode> sorting = new ArrayList<>();
    List<RelFieldCollation> collation = order.collation(key -> field(key, sorting));
    if (PlainGrouping.isIn(select, items)) {
      if (!sorting.isEmpty()) {
        throw NotPlain.here();
      }
      rows = new PlainGrouping(context, select, scope, expressions, items).over(rows);
      if (!variables.isEmpty()) {
        throw NotPlain.here(); // a subquery among the groups, which no node binds
      }
    } else {
      rows = projected(rows, sorting);
    }
    if (select.isDistinct()) {
      rows = distinct(rows, sorting);
    }
    return order.sorted(rows, collation);
  }

  /** The type of the result's rows, which may be less than those of its tree. */
  RelDataType row(RelNode tree) {
    List<RelDataType> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (PlainItem item : items) {
      types.add(tree.getRowType().getFieldList().get(names.size()).getType());
      names.add(item.name());
    }
    return context.rex().getTypeFactory().createStructType(types, names);
  }

  /** Whether its rows are rows of one table, each at most once. */
  boolean isOfRows() {
    return scope.tables().size() == 1 && !select.isDistinct() && !PlainGrouping.isIn(select, items);
  }

  private RelNode projected(RelNode rows, List<SqlNode> sorting) {
    List<RexNode> outputs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Set<String> aliases = new HashSet<>();
    PlainExpressions ofItems = new PlainExpressions(context.rex(), new Items());
    for (PlainItem item : items) {
      outputs.add(ofItems.ofOwn(item.expression()));
      names.add(alias(item.name(), aliases));
    }
    for (SqlNode key : sorting) {
      outputs.add(expressions.of(key));
      names.add(alias(((SqlIdentifier) key).names.getLast(), aliases));
    }
    ImmutableSet<CorrelationId> taken = takenVariables();
    List<String> unique = SqlValidatorUtil.uniquify(names, true);
    if (!taken.isEmpty()) { // the builder would merge it with a projection below: other fields
      return LogicalProject.create(rows, List.of(), outputs, unique, taken);
    }
    return context.rows().push(rows).projectNamed(outputs, unique, true).build();
  }

  private static String alias(String name, Set<String> taken) {
    String alias = name;
    for (int i = 0; !taken.add(alias); i++) {
      alias = name + i;
    }
    return alias;
  }

  private RelNode distinct(RelNode rows, List<SqlNode> sorting) {
    boolean repeats =
        rows instanceof Project project
            && new HashSet<>(project.getProjects()).size() < project.getProjects().size();
    if (repeats || !sorting.isEmpty()) {
      throw NotPlain.here();
    }
    RelBuilder builder = context.rows().push(rows);
    return builder.aggregate(builder.groupKey(builder.fields()), List.<AggregateCall>of()).build();
  }

  // ORDER BY

  private int field(SqlNode key, List<SqlNode> sorting) {
    if (key instanceof SqlNumericLiteral number) {
      return first(items.get(PlainOrder.ordinal(number, items.size())));
    }
    if (!(key instanceof SqlIdentifier name)) {
      throw NotPlain.here();
    }
    if (name.isSimple()) {
      List<PlainItem> named =
          items.stream().filter(item -> item.name().equals(name.getSimple())).toList();
      if (named.size() > 1) {
        throw NotPlain.here(); // ambiguous
      }
      if (named.size() == 1) {
        return first(named.getFirst());
      }
    }
    int column = scope.field(name);
    if (column < 0) {
      throw NotPlain.here();
    }
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).column() == column) {
        return i;
      }
    }
    for (int i = 0; i < sorting.size(); i++) {
      if (scope.field((SqlIdentifier) sorting.get(i)) == column) {
        return items.size() + i;
      }
    }
    sorting.add(name);
    return items.size() + sorting.size() - 1;
  }

  /** The first item that is the same as that one. */
  private int first(PlainItem item) {
    if (item.column() >= 0) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i).column() == item.column()) {
          return i;
        }
      }
    }
    if (stripped.isEmpty()) {
      items.forEach(each -> stripped.add(each.withoutPluses()));
    }
    SqlNode wanted = stripped.get(items.indexOf(item));
    for (int i = 0; i < items.size(); i++) {
      if (stripped.get(i).equalsDeep(wanted, Litmus.IGNORE)) {
        return i;
      }
    }
    throw NotPlain.here();
  }
}
