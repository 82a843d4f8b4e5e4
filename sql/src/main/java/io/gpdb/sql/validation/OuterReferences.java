package io.gpdb.sql.validation;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.GroupedSubQueries;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.tree.OuterValue;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.ListScope;
import org.apache.calcite.sql.validate.SqlQualified;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Says in a validated query, in place, which subquery reads which columns of which enclosing query:
 * such a column becomes a numbered {@link OuterValue}, and the subquery is bound to the columns
 * where it is written. So each column is converted among the expressions of its own query, after
 * its grouping and over any number of levels. Calcite's own correlation, which mixes up levels and
 * columns of grouped queries, is left to LATERAL alone.
 */
public final class OuterReferences {
  private final GpValidator validator;
  private final Deque<Place> places = new ArrayDeque<>();
  private final Map<Column, OuterValue> numbers = new HashMap<>();
  private final IdentityHashMap<SqlNode, SqlNode> bound = new IdentityHashMap<>();

  private OuterReferences(GpValidator validator) {
    this.validator = validator;
  }

  /** Returns whether a subquery reads outer columns. */
  public static boolean bind(SqlNode validated, GpValidator validator) {
    OuterReferences references = new OuterReferences(validator);
    references.query(validated, validator.getEmptyScope());
    return !references.numbers.isEmpty();
  }

  /**
   * A column of a query's tables, or an aggregate of its groups; one number wherever it is read.
   */
  private record Column(
      SqlValidatorScope tables, List<String> names, @Nullable SqlCall aggregate) {}

  /** A subquery that is being bound, and the columns of its enclosing query that it reads. */
  private record Place(Expressions around, Map<Integer, SqlNode> columns) {
    void add(int number, Column column, GpValidator validator) {
      SqlNode own =
          column.aggregate == null
              ? new SqlIdentifier(column.names, SqlParserPos.ZERO)
              : column.aggregate;
      validator.setValidatedNodeType(own, validator.deriveType(around.scope, own));
      columns.putIfAbsent(number, own);
    }
  }

  /**
   * Where expressions are written.
   *
   * @param scope resolves their names
   * @param tables the scope of the tables whose rows they see; null where they see none
   * @param grouped the query by whose groups they are evaluated, or null
   */
  private record Expressions(
      SqlValidatorScope scope, @Nullable SqlValidatorScope tables, @Nullable SqlSelect grouped) {
    Expressions ofRows() {
      return new Expressions(scope, tables, null);
    }
  }

  private void query(@Nullable SqlNode node, SqlValidatorScope around) {
    switch (node) {
      case null -> {}
      case SqlSelect select -> select(select);
      case SqlWith with -> {
        with.withList.forEach(item -> query(((SqlWithItem) item).query, around));
        query(with.body, around);
      }
      case SqlCall call when call.getKind() == SqlKind.VALUES ->
          replaceAll(call, new Expressions(around, null, null));
      case SqlCall call -> call.getOperandList().forEach(each -> query(each, around));
      default -> {}
    }
  }

  private void select(SqlSelect select) {
    SqlValidatorScope scope = validator.getWhereScope(select);
    from(select.getFrom(), scope);
    SharedKeys.in(select);
    Expressions rows = new Expressions(scope, scope, null);
    select.setWhere(replaced(select.getWhere(), rows));
    Expressions results =
        new Expressions(scope, scope, validator.isAggregate(select) ? select : null);
    replaceAll(select.getSelectList(), results);
    select.setHaving(replaced(select.getHaving(), results));
    select.setQualify(replaced(select.getQualify(), results));
    SqlNodeList order = select.getOrderList();
    if (order != null) {
      replaceAll(order, new Expressions(validator.getOrderScope(select), scope, results.grouped));
    }
    if (select.getGroup() != null) {
      replaceAll(select.getGroup(), rows);
    }
  }

  private void from(@Nullable SqlNode node, SqlValidatorScope scope) {
    switch (node) {
      case null -> {}
      case SqlJoin join -> {
        from(join.getLeft(), scope);
        from(join.getRight(), scope);
        if (join.getCondition() != null) {
          SqlValidatorScope tables = validator.getJoinScope(join);
          join.setOperand(5, replaced(join.getCondition(), new Expressions(tables, tables, null)));
        }
      }
      case SqlCall call
          when call.getKind() == SqlKind.AS
              || call.getKind() == SqlKind.LATERAL
              || call.getKind() == SqlKind.TABLE_REF ->
          from(call.operand(0), scope);
      case SqlCall call when call.isA(SqlKind.QUERY) -> query(call, scope);
      default -> {}
    }
  }

  private void replaceAll(SqlNodeList nodes, Expressions place) {
    for (int i = 0; i < nodes.size(); i++) {
      SqlNode node = nodes.get(i);
      SqlNode replaced = replaced(node, place);
      if (replaced != null && !replaced.equals(node)) {
        nodes.set(i, replaced);
      }
    }
  }

  private void replaceAll(SqlCall call, Expressions place) {
    int end = call.getKind() == SqlKind.AS ? 1 : call.operandCount();
    for (int i = 0; i < end; i++) {
      SqlNode operand = call.operand(i);
      SqlNode replaced = replaced(operand, place);
      if (!Objects.equals(replaced, operand)) {
        call.setOperand(i, replaced);
      }
    }
  }

  private @Nullable SqlNode replaced(@Nullable SqlNode node, Expressions place) {
    Expressions own = node != null && isGroupKey(node, place) ? place.ofRows() : place;
    return switch (node) {
      case null -> null;
      case SqlIdentifier id -> column(id, own);
      case SqlNodeList list -> {
        replaceAll(list, own);
        yield list;
      }
      case SqlCall call when call.getOperator() instanceof OuterValue value ->
          value.binds() ? subQuery(call.operand(0), own) : seenAgain(call, value);
      case SqlCall call when OuterAggregates.MARK.equals(call.getOperator()) ->
          outerAggregate(call, own);
      case SqlCall call when NodeSearch.isSubQuery(call) -> subQuery(call, own);
      case SqlCall call when call.isA(SqlKind.QUERY) -> {
        query(call, own.scope);
        yield call;
      }
      case SqlCall call when call.getKind() == SqlKind.OVER -> {
        replaceAll(call.<SqlCall>operand(0), own);
        call.setOperand(1, replaced(call.operand(1), own));
        yield call;
      }
      case SqlCall call when isFilter(call) -> {
        checkArguments(call.operand(0), call, own);
        replaceAll(call.<SqlCall>operand(0), own.ofRows());
        call.setOperand(1, replaced(call.operand(1), own.ofRows()));
        yield call;
      }
      case SqlCall call when GroupedSubQueries.isOfRows(call) -> {
        checkArguments(call, call, own);
        replaceAll(call, own.ofRows());
        yield call;
      }
      case SqlCall call -> {
        replaceAll(call, own);
        yield call;
      }
      default -> node;
    };
  }

  private static boolean isFilter(SqlCall call) {
    return call.getKind() == SqlKind.FILTER
        && call.operand(0) instanceof SqlCall aggregate
        && GroupedSubQueries.isOfRows(aggregate);
  }

  private static boolean isGroupKey(SqlNode node, Expressions place) {
    SqlSelect select = place.grouped;
    return select != null
        && select.getGroup() != null
        && select.getGroup().stream().anyMatch(key -> isKey(key, node));
  }

  private static boolean isKey(SqlNode key, SqlNode node) {
    return switch (key.getKind()) {
      case ROLLUP, CUBE, GROUPING_SETS, ROW ->
          ((SqlCall) key).getOperandList().stream().anyMatch(each -> isKey(each, node));
      default ->
          key instanceof SqlNodeList list
              ? list.stream().anyMatch(each -> isKey(each, node))
              : key.equalsDeep(node, org.apache.calcite.util.Litmus.IGNORE);
    };
  }

  /** Walks through a subquery again where it has two places: what is around may be another. */
  private SqlNode subQuery(SqlCall call, Expressions around) {
    Place place = new Place(around, new TreeMap<>());
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode operand = call.operand(i);
      if (operand.isA(SqlKind.QUERY)) {
        places.push(place);
        query(operand, around.scope);
        places.pop();
      } else {
        call.setOperand(i, replaced(operand, around));
      }
    }
    return place.columns.isEmpty() ? call : bound.computeIfAbsent(call, _ -> binding(call, place));
  }

  /** A column that has its number already, in syntax that has two places. */
  private SqlNode seenAgain(SqlCall call, OuterValue value) {
    int number = value.numbers().getFirst();
    numbers.forEach(
        (column, known) -> {
          if (known.numbers().getFirst() == number) {
            places.stream()
                .filter(open -> column.tables.equals(open.around.tables))
                .findFirst()
                .ifPresent(open -> open.add(number, column, validator));
          }
        });
    return call;
  }

  private SqlNode binding(SqlCall call, Place place) {
    List<SqlNode> operands = new ArrayList<>();
    operands.add(call);
    for (SqlNode column : place.columns.values()) {
      if (column instanceof SqlIdentifier name) {
        checkGrouped(name, place.around);
      }
      operands.add(column);
    }
    SqlNode binding =
        OuterValue.binding(List.copyOf(place.columns.keySet()))
            .createCall(call.getParserPosition(), operands);
    validator.setValidatedNodeType(binding, validator.deriveType(place.around.scope, call));
    return binding;
  }

  private static void checkGrouped(SqlIdentifier column, Expressions around) {
    if (around.grouped != null && !isGroupKey(column, around)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          column.names.getLast() + " is neither in GROUP BY nor in an aggregate");
    }
  }

  /** The column itself, or its number where it is one of a query around a subquery at hand. */
  private SqlNode column(SqlIdentifier id, Expressions place) {
    SqlQualified name = qualified(id, place.scope);
    SqlValidatorScope tables = name == null ? null : tables(name, place.scope);
    if (name == null || tables == null || tables.equals(place.tables)) {
      return id;
    }
    for (Place open : places) {
      if (tables.equals(open.around.tables)) {
        return number(new Column(tables, name.identifier.names, null), id, place, open);
      }
    }
    return id; // of a table next to LATERAL
  }

  private SqlNode number(Column column, SqlNode node, Expressions place, Place open) {
    RelDataType written = validator.deriveType(place.scope, node);
    RelDataType type =
        GpTypes.FACTORY.createTypeWithNullability(written, written.isNullable() || totals(open));
    OuterValue value = numbers.computeIfAbsent(column, _ -> OuterValue.of(numbers.size(), type));
    open.add(value.numbers().getFirst(), column, validator);
    SqlNode call = value.createCall(SqlParserPos.ZERO, List.of());
    validator.setValidatedNodeType(call, type);
    return call;
  }

  /** Whether rows of the enclosing query have NULL where a key is totalled over. */
  private static boolean totals(Place open) {
    SqlSelect select = open.around.grouped;
    return select != null
        && select.getGroup() != null
        && select.getGroup().stream()
            .anyMatch(
                key ->
                    switch (key.getKind()) {
                      case ROLLUP, CUBE, GROUPING_SETS -> true;
                      default -> false;
                    });
  }

  private @Nullable SqlQualified qualified(SqlIdentifier id, SqlValidatorScope scope) {
    if (id.isStar() || validator.makeNullaryCall(id) != null) {
      return null;
    }
    try {
      SqlQualified name = scope.fullyQualify(id);
      return name.prefixLength == 0 || name.suffix().isEmpty() ? null : name;
    } catch (RuntimeException e) {
      return null; // an alias: what is no name at all, validation has refused
    }
  }

  private @Nullable SqlValidatorScope tables(SqlQualified name, SqlValidatorScope scope) {
    SqlValidatorScope.ResolvedImpl found = new SqlValidatorScope.ResolvedImpl();
    scope.resolve(name.prefix(), validator.getCatalogReader().nameMatcher(), false, found);
    SqlValidatorScope tables = found.count() == 1 ? found.only().scope : null;
    return tables instanceof ListScope ? tables : null;
  }

  /** The number of an aggregate of an enclosing query, all of whose columns are that query's. */
  private SqlNode outerAggregate(SqlCall mark, Expressions place) {
    SqlCall aggregate = mark.operand(0);
    for (Place open : places) {
      boolean isOwn =
          open.around.grouped != null
              && NodeSearch.columns(aggregate).stream()
                  .allMatch(id -> isOf(id, open.around.tables, place.scope));
      if (isOwn) {
        List<String> written = List.of(aggregate.toString());
        return number(
            new Column(Objects.requireNonNull(open.around.tables), written, aggregate),
            mark,
            place,
            open);
      }
    }
    throw ofEnclosingQuery(aggregate);
  }

  private boolean isOf(
      SqlIdentifier id, @Nullable SqlValidatorScope wanted, SqlValidatorScope scope) {
    SqlQualified name = qualified(id, scope);
    SqlValidatorScope tables = name == null ? null : tables(name, scope);
    return tables != null && tables.equals(wanted);
  }

  private static GpdbException ofEnclosingQuery(SqlCall aggregate) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        "%s of columns of an enclosing query alone".formatted(aggregate.getOperator().getName()));
  }

  /**
   * An aggregate whose columns are all of an enclosing query would be that query's aggregate.
   *
   * @param whole the aggregate with its FILTER
   */
  private void checkArguments(SqlCall aggregate, SqlCall whole, Expressions place) {
    if (!OuterAggregates.hasColumns(aggregate)) {
      return;
    }
    boolean outer = false;
    for (SqlIdentifier id : NodeSearch.columns(whole)) {
      SqlQualified name = qualified(id, place.scope);
      SqlValidatorScope tables = name == null ? null : tables(name, place.scope);
      if (tables != null && tables.equals(place.tables)) {
        return;
      }
      outer |= tables != null;
    }
    if (outer) {
      throw ofEnclosingQuery(aggregate);
    }
  }
}
