package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Aggregate;
import io.gpdb.sql.direct.DirectStatement.Grouping;
import io.gpdb.sql.direct.DirectStatement.Selection;
import io.gpdb.sql.direct.DirectStatement.Sorted;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** SELECT of expressions over the rows of tables each with each, or over groups of them. */
final class DirectSelect implements DirectExpressions.Places {
  /** Subqueries in one another. */
  private static final int DEPTH_MAX = 4;

  private final DirectText text;
  private final DirectScope scope;
  private final DirectExpressions expressions;

  /** The query around it. */
  private final @Nullable DirectSelect outer;

  private final int depth;

  private final DirectClauses clauses;

  /** Null where each row is one of the result. */
  private final @Nullable DirectGroups groups;

  private final DirectItems items;

  /** Whether names mean fields of rows, not of groups. */
  private boolean ofRows = true;

  /** Whether it is the argument of an aggregate that is read. */
  private boolean inArgument;

  private final List<Selection> queries = new ArrayList<>();

  private final DirectParameters params;

  /** The query that these words say. */
  DirectSelect(DirectText text, int begin, int end, DirectParameters params) {
    this(text, begin, end, params, null);
  }

  private DirectSelect(
      DirectText text, int begin, int end, DirectParameters params, @Nullable DirectSelect outer) {
    this.text = text;
    this.params = params;
    this.outer = outer;
    depth = outer == null ? 0 : outer.depth + 1;
    clauses = DirectClauses.of(text, begin, end);
    scope = new DirectScope(text, Math.min(clauses.from() + 1, clauses.where()), clauses.where());
    expressions = new DirectExpressions(text, this);
    groups = clauses.areGrouped() || hasAggregate() ? new DirectGroups() : null;
    items = new DirectItems(text, clauses, scope, expressions, groups);
    boolean ofTables = clauses.areGrouped() || clauses.from() < clauses.where();
    if (depth > DEPTH_MAX || (ofTables && scope.tables().isEmpty())) {
      throw NotDirect.here();
    }
  }

  /** Whether it has an ORDER BY, or a LIMIT. */
  boolean isSorted() {
    return clauses.order() < clauses.end();
  }

  /** Whether an aggregate is called in the select list, but for those in subqueries. */
  private boolean hasAggregate() {
    for (int i = clauses.begin() + 1; i < clauses.from(); i++) {
      if (text.is(i, "(") && text.is(i + 1, "SELECT")) {
        i = text.closing(i + 1);
      } else if (text.is(i + 1, "(") && Aggregate.of(text.word(i)) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * What it selects.
   *
   * @param parameters says which ones the statement has, once all of it was read
   */
  Selection selection(Supplier<List<ParameterDef>> parameters) {
    DirectExpression condition = where();
    Grouping grouping = groups == null ? null : grouping(groups);
    if (grouping == null) {
      items.read();
    }
    List<OutputColumn> output = items.output();
    List<Sorted> sorting = clauses.order() < clauses.limit() ? items.sorting() : List.of();
    if (items.isDistinct()) {
      for (DirectExpression item : items.all()) {
        DirectOperations.distinguishable(item);
      }
    }
    if (clauses.limit() < clauses.end() && scope.tables().size() > 1) {
      throw NotDirect.here(); // in which order tables are joined says which rows come first
    }
    DirectExpression offset = null;
    DirectExpression fetch = null;
    int at = clauses.limit();
    if (text.is(at, "LIMIT")) {
      fetch = rows(at + 1);
      at += 2;
    }
    if (text.is(at, "OFFSET")) {
      offset = rows(at + 1);
      at += 2;
    }
    if (at != clauses.end()) {
      throw NotDirect.here();
    }
    return new Selection(
        List.copyOf(queries),
        List.copyOf(scope.tables()),
        condition,
        grouping,
        List.copyOf(items.all()),
        items.isDistinct(),
        sorting,
        fetch,
        offset,
        parameters.get(),
        output);
  }

  /** What WHERE says, and the conditions of joins; null where nothing does. */
  private @Nullable DirectExpression where() {
    DirectExpression all = null;
    for (DirectScope.JoinWords join : scope.joins()) {
      scope.show(join.first(), join.end());
      DirectExpression on = expressions.condition(join.from(), join.to());
      all = all == null ? on : DirectOperations.logic(Form.AND, all, on);
    }
    scope.show(0, scope.tables().size());
    if (clauses.where() == clauses.group()) {
      return all;
    }
    DirectExpression where = expressions.condition(clauses.where() + 1, clauses.group());
    return all == null ? where : DirectOperations.logic(Form.AND, all, where);
  }

  // Groups

  private Grouping grouping(DirectGroups made) {
    if (clauses.group() < clauses.having()) {
      keys(made);
    }
    ofRows = false;
    items.read();
    DirectExpression condition = null;
    if (clauses.having() < clauses.order()) {
      // A name is a key's here, and in aggregates a column's; no other means one of both and an
      // item.
      condition = expressions.condition(clauses.having() + 1, clauses.order());
    }
    return made.grouping(condition);
  }

  private void keys(DirectGroups made) {
    int at = clauses.group() + 1;
    if (!text.is(at, "BY")) {
      throw NotDirect.here();
    }
    do {
      int field = scope.field(at + 1);
      if (field < 0) {
        throw NotDirect.here();
      }
      DirectOperations.comparable(scope.fieldOf(field));
      made.addKey(field);
      at += text.is(at + 2, ".") ? 4 : 2;
    } while (text.is(at, ","));
    if (at != clauses.having()) {
      throw NotDirect.here();
    }
  }

  // Names

  @Override
  public DirectExpression column(int at) {
    int field = scope.field(at);
    if (field < 0) {
      return outerColumn(at);
    }
    return ofRows || groups == null ? scope.fieldOf(field) : groups.key(field, scope.column(field));
  }

  /** A column of the query around, which may only be read where rows are, and not by aggregates. */
  private DirectExpression outerColumn(int at) {
    if (outer == null || !ofRows || inArgument) {
      throw NotDirect.here();
    }
    int field = outer.scope.field(at);
    if (field < 0) {
      throw NotDirect.here();
    }
    ColumnDef column = outer.scope.column(field);
    return new DirectExpression(
        Form.OUTER_COLUMN, column.type(), column.nullable(), field, List.of());
  }

  @Override
  public DirectExpression query(int from, int to, boolean exists) {
    if (!ofRows || inArgument) {
      throw NotDirect.here();
    }
    DirectSelect select = new DirectSelect(text, from, to, params, this);
    if (select.clauses.order() < to
        || (exists && (select.items.isDistinct() || select.groups != null))) {
      throw NotDirect.here();
    }
    Selection query = select.selection(List::of);
    queries.add(query);
    int number = queries.size() - 1;
    if (exists) {
      return new DirectExpression(Form.QUERY_EXISTS, SqlTypeSpec.BOOLEAN, false, number, List.of());
    }
    DirectExpression value = query.items().getFirst();
    if (query.items().size() > 1) {
      throw NotDirect.here();
    }
    DirectOperations.distinguishable(value);
    return new DirectExpression(Form.QUERY_VALUE, value.type(), true, number, List.of());
  }

  @Override
  public @Nullable DirectExpression call(DirectExpressions reader, String function) {
    Aggregate aggregate = Aggregate.of(function);
    if (aggregate == null || ofRows || groups == null) {
      return null;
    }
    boolean each = reader.skips("DISTINCT");
    if (!each) {
      reader.skips("ALL");
    }
    DirectExpression argument = null;
    if (aggregate != Aggregate.COUNT || each || !reader.skips("*")) {
      ofRows = true;
      inArgument = true;
      argument = DirectOperations.computed(reader.expression());
      inArgument = false;
      ofRows = false;
    }
    return groups.aggregate(aggregate, each, argument);
  }

  @Override
  public DirectExpression parameter(DirectExpression parameter, SqlTypeSpec type) {
    params.set(
        (int) parameter.number(),
        new ParameterDef(type.unlimited(), true, ParameterDef.Use.COMPARED));
    return new DirectExpression(Form.PARAMETER, type, true, parameter.number(), List.of());
  }

  private DirectExpression rows(int at) {
    if (text.is(at, "?")) {
      int number = text.parameter(at);
      params.set(number, new ParameterDef(SqlTypeSpec.INTEGER, true, ParameterDef.Use.STORED));
      return new DirectExpression(Form.PARAMETER, SqlTypeSpec.INTEGER, true, number, List.of());
    }
    int rows = text.number(at);
    if (rows < 0) {
      throw NotDirect.here();
    }
    return DirectExpression.literal(SqlTypeSpec.INTEGER, rows);
  }
}
