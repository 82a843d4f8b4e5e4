package io.gpdb.sql.plain;

import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.syntax.NodeSearch;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/** Groups of the rows of one SELECT, by columns or all in one, and what is computed of them. */
final class PlainGrouping {
  private static final Set<String> NAMES = Set.of("COUNT", "SUM", "MIN", "MAX", "AVG");

  /** The functions of those names, from the table of all functions. */
  private static final Map<String, SqlAggFunction> FUNCTIONS =
      GpOperatorTable.INSTANCE.getOperatorList().stream()
          .filter(
              operator -> operator instanceof SqlAggFunction && NAMES.contains(operator.getName()))
          .map(SqlAggFunction.class::cast)
          .collect(Collectors.toUnmodifiableMap(SqlAggFunction::getName, f -> f, (a, b) -> a));

  private final PlainContext context;
  private final SqlSelect select;
  private final PlainScope scope;
  private final PlainExpressions ofRows;
  private final List<PlainItem> items;

  /** What the groups are computed of: keys first, then arguments. */
  private final List<RexNode> inputs = new ArrayList<>();

  private final List<@Nullable String> inputNames = new ArrayList<>();
  private final List<Integer> keys = new ArrayList<>();
  private final List<AggregateCall> calls = new ArrayList<>();
  private final Map<AggregateCall, RexNode> known = new HashMap<>();
  private final IdentityHashMap<SqlCall, RexNode> values = new IdentityHashMap<>();

  PlainGrouping(
      PlainContext context,
      SqlSelect select,
      PlainScope scope,
      PlainExpressions ofRows,
      List<PlainItem> items) {
    this.context = context;
    this.select = select;
    this.scope = scope;
    this.ofRows = ofRows;
    this.items = items;
  }

  /** Whether the query groups its rows. */
  static boolean isIn(SqlSelect select, List<PlainItem> items) {
    return select.getGroup() != null
        || select.getHaving() != null
        || items.stream().anyMatch(item -> hasCall(item.expression()));
  }

  private static boolean hasCall(@Nullable SqlNode node) {
    return switch (node) {
      case SqlSelect ignored -> false;
      case SqlNodeList list -> list.stream().anyMatch(PlainGrouping::hasCall);
      case SqlCall call when call.getKind() == SqlKind.OVER -> false;
      case SqlCall call ->
          function(call) != null || call.getOperandList().stream().anyMatch(PlainGrouping::hasCall);
      case null, default -> false;
    };
  }

  private static @Nullable SqlAggFunction function(SqlCall call) {
    return FUNCTIONS.get(call.getOperator().getName().toUpperCase(Locale.ROOT));
  }

  RelNode over(RelNode rows) {
    addKeys();
    for (PlainItem item : items) {
      addCalls(item.expression());
    }
    SqlNode having = select.getHaving();
    if (having != null
        && NodeSearch.columns(having).stream()
            .anyMatch(id -> !id.isStar() && isAlias(id, scope.field(id)))) {
      throw NotPlain.here();
    }
    addCalls(having);
    if (inputs.isEmpty()) {
      inputs.add(context.rex().makeExactLiteral(BigDecimal.ZERO));
      inputNames.add(null);
    }
    RelBuilder builder = context.rows();
    builder.push(builder.push(rows).projectNamed(inputs, inputNames, false).build());
    ImmutableBitSet all = ImmutableBitSet.range(keys.size());
    builder.push(builder.aggregate(builder.groupKey(all, List.of(all)), calls).build());
    RelNode grouped = builder.peek();
    PlainExpressions ofGroups = new PlainExpressions(context.rex(), new Groups(grouped));
    if (having != null) {
      builder.filter(context.condition(ofGroups.truth(PlainNegations.pushed(having))));
    }
    List<RexNode> outputs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (PlainItem item : items) {
      outputs.add(ofGroups.ofOwn(item.expression()));
      names.add(item.name());
    }
    return builder.project(outputs, names).rename(names).build();
  }

  /** What expressions over groups are made of. */
  private final class Groups implements PlainExpressions.Places {
    private final RelNode grouped;

    Groups(RelNode grouped) {
      this.grouped = grouped;
    }

    @Override
    public RexNode column(SqlIdentifier name) {
      int key = keys.indexOf(scope.field(name));
      if (key < 0) {
        throw NotPlain.here();
      }
      return context.rex().makeInputRef(grouped, key);
    }

    @Override
    public RexNode call(SqlCall call) {
      RexNode value = values.get(call);
      if (value == null) {
        throw NotPlain.here();
      }
      return value;
    }

    @Override
    public RexNode parameter(SqlDynamicParam parameter, RelDataType type) {
      throw NotPlain.here();
    }
  }

  private void addKeys() {
    if (select.getGroup() == null) {
      return;
    }
    for (SqlNode key : select.getGroup()) {
      int column = key instanceof SqlIdentifier name ? scope.field(name) : -1;
      if (column < 0) {
        throw NotPlain.here();
      }
      if (!keys.contains(column)) {
        keys.add(column);
        add(ofRows.of(key), name(key));
      }
    }
    if (keys.isEmpty()) {
      throw NotPlain.here();
    }
  }

  /** Whether a name may be that of an item that is not the column. */
  private boolean isAlias(SqlIdentifier name, int column) {
    return items.stream()
        .anyMatch(item -> item.name().equals(name.names.getLast()) && item.column() != column);
  }

  /** The name of the last item that is that expression. */
  private @Nullable String name(SqlNode expression) {
    String name = null;
    for (PlainItem item : items) {
      if (isSame(item.expression(), expression)) {
        name = item.name();
      }
    }
    return name;
  }

  private boolean isSame(SqlNode a, SqlNode b) {
    return (a instanceof SqlIdentifier x && b instanceof SqlIdentifier y)
        ? scope.field(x) == scope.field(y)
        : a.equalsDeep(b, Litmus.IGNORE);
  }

  private void add(RexNode input, @Nullable String name) {
    String own =
        name == null && input instanceof RexInputRef ref
            ? scope.rows().getRowType().getFieldNames().get(ref.getIndex())
            : name;
    inputs.add(input);
    inputNames.add(inputNames.contains(own) ? null : own);
  }

  private void addCalls(@Nullable SqlNode node) {
    switch (node) {
      case SqlSelect ignored -> throw NotPlain.here();
      case SqlNodeList list -> list.forEach(this::addCalls);
      case SqlCall call -> {
        SqlAggFunction function = function(call);
        if (function != null) {
          addCall(call, function);
        } else {
          call.getOperandList().forEach(this::addCalls);
        }
      }
      case null, default -> {}
    }
  }

  private void addCall(SqlCall call, SqlAggFunction function) {
    if (call.operandCount() != 1
        || hasCall(call.operand(0))
        || NodeSearch.hasQuery(call.operand(0))) {
      throw NotPlain.here();
    }
    List<Integer> arguments = new ArrayList<>();
    SqlNode operand = call.operand(0);
    if (operand instanceof SqlIdentifier name && name.isStar() && name.names.size() == 1) {
      if (!function.getName().equals("COUNT")) {
        throw NotPlain.here();
      }
    } else {
      if (NodeSearch.columns(operand).stream().anyMatch(id -> scope.field(id) < 0)) {
        throw NotPlain.here(); // perhaps an aggregate of the query around
      }
      RexNode argument = ofRows.ofOwn(operand);
      requireArgument(function, argument.getType());
      int at = inputs.indexOf(argument);
      if (at < 0) {
        at = inputs.size();
        add(argument, null);
      }
      arguments.add(at);
    }
    values.put(call, value(call, function, arguments));
  }

  /** Refuses what the function does not take, and what plain queries do not know. */
  static void requireArgument(SqlAggFunction function, RelDataType type) {
    boolean takesText =
        switch (function.getKind()) {
          case COUNT, MIN, MAX -> true;
          default -> false;
        };
    switch (type.getSqlTypeName()) {
      case INTEGER, BIGINT, REAL, DOUBLE, DECIMAL -> {}
      case CHAR, VARCHAR -> {
        if (!takesText) {
          throw NotPlain.here();
        }
      }
      default -> throw NotPlain.here();
    }
  }

  private RexNode value(SqlCall call, SqlAggFunction function, List<Integer> arguments) {
    SqlLiteral quantifier = call.getFunctionQuantifier();
    boolean distinct =
        quantifier != null && Objects.equals(quantifier.getValue(), SqlSelectKeyword.DISTINCT);
    List<RelDataType> types = inputs.stream().map(RexNode::getType).toList();
    RelDataType type =
        function.inferReturnType(
            new Aggregate.AggCallBinding(
                context.rex().getTypeFactory(),
                function,
                List.of(),
                arguments.stream().map(types::get).toList(),
                keys.isEmpty(),
                false));
    AggregateCall aggregate =
        AggregateCall.create(
            call.getParserPosition(),
            function,
            distinct,
            false,
            false,
            List.of(),
            arguments,
            -1,
            null,
            RelCollations.EMPTY,
            type,
            name(call));
    return context
        .rex()
        .addAggCall(
            aggregate, keys.size(), calls, known, i -> inputs.get(i).getType().isNullable());
  }
}
