package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Aggregate;
import io.gpdb.sql.direct.DirectStatement.Aggregated;
import io.gpdb.sql.direct.DirectStatement.Grouping;
import io.gpdb.sql.direct.DirectStatement.Selection;
import io.gpdb.sql.direct.DirectStatement.Sorted;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlLimits;
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

  private final boolean distinct;
  private final boolean grouped;
  private final List<Integer> keys = new ArrayList<>();
  private final List<Aggregated> aggregates = new ArrayList<>();

  /** How many of the aggregates take each value once. */
  private int distincts;

  /** Whether names mean fields of rows, not of groups. */
  private boolean ofRows = true;

  /** Whether it is the argument of an aggregate that is read. */
  private boolean inArgument;

  private final List<Selection> queries = new ArrayList<>();

  private final List<DirectExpression> items = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final @Nullable ParameterDef[] params;

  private DirectSelect(DirectText text, int begin, int end, @Nullable DirectSelect outer) {
    this.text = text;
    this.outer = outer;
    depth = outer == null ? 0 : outer.depth + 1;
    clauses = DirectClauses.of(text, begin, end);
    distinct = text.is(begin + 1, "DISTINCT");
    scope = new DirectScope(text, Math.min(clauses.from() + 1, clauses.where()), clauses.where());
    expressions = new DirectExpressions(text, this);
    grouped = clauses.areGrouped() || hasAggregate();
    boolean ofTables = clauses.areGrouped() || clauses.from() < clauses.where();
    if (depth > DEPTH_MAX || (ofTables && scope.tables().isEmpty())) {
      throw NotDirect.here();
    }
    params = outer == null ? new @Nullable ParameterDef[text.parameter(end)] : outer.params;
  }

  static @Nullable DirectStatement in(DirectText text) {
    try {
      DirectSelect select = new DirectSelect(text, 0, text.end(), null);
      return select.selection(select::parameters);
    } catch (NotDirect e) {
      return null;
    }
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

  private Selection selection(Supplier<List<ParameterDef>> parameters) {
    DirectExpression condition =
        clauses.where() < clauses.group()
            ? expressions.condition(clauses.where() + 1, clauses.group())
            : null;
    Grouping grouping = grouped ? grouping() : null;
    if (grouping == null) {
      items();
    }
    int columns = items.size();
    List<OutputColumn> output = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      output.add(output(i));
    }
    List<Sorted> sorting = clauses.order() < clauses.limit() ? sorting() : List.of();
    if (distinct) {
      for (DirectExpression item : items) {
        requireComputed(item);
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
        List.copyOf(items),
        distinct,
        sorting,
        fetch,
        offset,
        parameters.get(),
        List.copyOf(output));
  }

  private List<ParameterDef> parameters() {
    List<ParameterDef> all = new ArrayList<>();
    for (ParameterDef parameter : params) {
      if (parameter == null) {
        throw NotDirect.here();
      }
      all.add(parameter);
    }
    return List.copyOf(all);
  }

  // Groups

  private Grouping grouping() {
    if (clauses.group() < clauses.having()) {
      int at = clauses.group() + 1;
      if (!text.is(at, "BY")) {
        throw NotDirect.here();
      }
      do {
        int field = scope.field(at + 1);
        if (field < 0) {
          throw NotDirect.here();
        }
        requireComputed(ofRow(field));
        if (!keys.contains(field)) {
          keys.add(field);
        }
        at += text.is(at + 2, ".") ? 4 : 2;
      } while (text.is(at, ","));
      if (at != clauses.having()) {
        throw NotDirect.here();
      }
    }
    ofRows = false;
    items();
    DirectExpression condition = null;
    if (clauses.having() < clauses.order()) {
      requireNoAlias(clauses.having(), clauses.order());
      condition = expressions.condition(clauses.having() + 1, clauses.order());
    }
    return new Grouping(keys.isEmpty(), List.copyOf(keys), List.copyOf(aggregates), condition);
  }

  /** No name in these words is that of an item that is not the column. */
  private void requireNoAlias(int begin, int end) {
    for (int at = begin; at < end; at++) {
      int item = names.indexOf(text.word(at));
      if (item >= 0 && column(items.get(item)) != scope.field(at)) {
        throw NotDirect.here();
      }
    }
  }

  /** Only exact numbers and truth values are compared. */
  private static void requireComputed(DirectExpression item) {
    if (!item.isExact() && !item.isTruth()) {
      throw NotDirect.here();
    }
  }

  // Names

  private DirectExpression ofRow(int field) {
    ColumnDef column = scope.column(field);
    return new DirectExpression(Form.COLUMN, column.type(), column.nullable(), field, List.of());
  }

  @Override
  public DirectExpression column(int at) {
    int field = scope.field(at);
    if (field < 0) {
      return outerColumn(at);
    }
    DirectExpression column = ofRow(field);
    if (ofRows) {
      return column;
    }
    int key = keys.indexOf(field);
    if (key < 0) {
      throw NotDirect.here();
    }
    return new DirectExpression(Form.COLUMN, column.type(), column.nullable(), key, List.of());
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
    DirectSelect select = new DirectSelect(text, from, to, this);
    if (select.clauses.order() < to || (exists && (select.distinct || select.grouped))) {
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
    requireComputed(value);
    return new DirectExpression(Form.QUERY_VALUE, value.type(), true, number, List.of());
  }

  @Override
  public @Nullable DirectExpression call(DirectExpressions reader, String function) {
    Aggregate aggregate = Aggregate.of(function);
    if (aggregate == null || ofRows) {
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
      argument = DirectExpressions.number(reader.expression());
      inArgument = false;
      ofRows = false;
    }
    aggregates.add(new Aggregated(aggregate, each, argument));
    distincts += each ? 1 : 0;
    if (distincts > 1 && !keys.isEmpty()) {
      throw NotDirect.here(); // then groups have another order
    }
    boolean counts = aggregate == Aggregate.COUNT;
    SqlTypeSpec type =
        counts || aggregate == Aggregate.SUM || argument == null
            ? SqlTypeSpec.BIGINT
            : aggregate == Aggregate.AVG ? average(argument) : argument.type();
    boolean nullable = !counts && (keys.isEmpty() || (argument != null && argument.nullable()));
    // Keys come first, and all of them are known.
    return new DirectExpression(
        Form.COLUMN, type, nullable, keys.size() + aggregates.size() - 1L, List.of());
  }

  private static SqlTypeSpec average(DirectExpression argument) {
    if (argument.type().kind() != SqlTypeSpec.Kind.INTEGER) {
      throw NotDirect.here(); // it has a float for its type
    }
    return SqlTypeSpec.AVERAGE_OF_INTEGER;
  }

  @Override
  public DirectExpression parameter(DirectExpression parameter, SqlTypeSpec type) {
    params[(int) parameter.number()] =
        new ParameterDef(type.unlimited(), true, ParameterDef.Use.COMPARED);
    return new DirectExpression(Form.PARAMETER, type, true, parameter.number(), List.of());
  }

  // The select list

  private void items() {
    int at =
        distinct || text.is(clauses.begin() + 1, "ALL") ? clauses.begin() + 2 : clauses.begin() + 1;
    if (text.is(at, "*") && at + 1 == clauses.from()) {
      star();
      return;
    }
    do {
      at = item(at);
    } while (text.is(at++, ","));
    if (at - 1 != clauses.from()) {
      throw NotDirect.here();
    }
  }

  private void star() {
    if (grouped || scope.tables().isEmpty()) {
      throw NotDirect.here();
    }
    for (int field = 0; field < scope.fieldCount(); field++) {
      items.add(ofRow(field));
      names.add(scope.column(field).name());
    }
  }

  /** Adds the item that begins here; the place after it. */
  private int item(int at) {
    DirectExpression value = expressions.from(at);
    int end = expressions.end();
    boolean as = text.is(end, "AS");
    boolean named = as || (end < clauses.from() && !text.is(end, ","));
    int nameAt = as ? end + 1 : end;
    boolean unit = !as && text.is(end - 1, ")") && DirectNames.isUnit(text.word(nameAt));
    if (named && (unit || !text.isName(nameAt))) {
      throw NotDirect.here();
    }
    if (value.isUntypedNull() || value.form() == Form.PARAMETER) {
      throw NotDirect.here();
    }
    String name =
        named
            ? text.word(nameAt)
            : isPlainColumn(value, at, end)
                ? scope.column(column(value)).name()
                : shortened(text.onOneLine(written(at), end - 1));
    items.add(value.withoutPluses());
    names.add(name);
    return named ? nameAt + 1 : end;
  }

  private static String shortened(String name) {
    return name.substring(0, Math.min(name.length(), SqlLimits.NAME_LENGTH_MAX));
  }

  /** Where an expression begins: the grammar forgets pluses before a number. */
  private int written(int at) {
    int begin = at;
    while (text.is(begin, "+")) {
      begin++;
    }
    return expressions.literalEnd(begin) >= 0 ? begin : at;
  }

  /** Whether it is nothing but the name of a column, perhaps in parentheses. */
  private boolean isPlainColumn(DirectExpression value, int at, int end) {
    if (column(value) < 0) {
      return false;
    }
    for (int i = at; i < end; i++) {
      if (text.is(i, "+")) {
        return false;
      }
    }
    return true;
  }

  /** The field of the rows that an item is, or -1. */
  private int column(DirectExpression item) {
    DirectExpression inner = item.withoutPluses();
    if (inner.form() != Form.COLUMN) {
      return -1;
    }
    int field = (int) inner.number();
    return !grouped ? field : field < keys.size() ? keys.get(field) : -1;
  }

  private OutputColumn output(int item) {
    DirectExpression value = items.get(item);
    int field = column(value);
    if (field < 0) {
      return new OutputColumn(names.get(item), value.type(), value.nullable());
    }
    TableDef table = scope.tableOf(field);
    ColumnDef stored = scope.column(field);
    return new OutputColumn(
        names.get(item),
        stored.type(),
        value.nullable(),
        table.schema(),
        table.name(),
        stored.name(),
        scope.tables().size() == 1 && !distinct && !grouped,
        stored.identity() != null);
  }

  // ORDER BY, LIMIT and OFFSET

  private List<Sorted> sorting() {
    List<Sorted> sorting = new ArrayList<>();
    int columns = items.size();
    int at = clauses.order() + 1;
    if (!text.is(at, "BY")) {
      throw NotDirect.here();
    }
    do {
      at++;
      int item = sorted(at, columns);
      requireComputed(items.get(item));
      at += text.is(at + 1, ".") ? 3 : 1;
      boolean descends = text.is(at, "DESC");
      at += descends || text.is(at, "ASC") ? 1 : 0;
      sorting.add(new Sorted(item, descends));
    } while (text.is(at, ","));
    if (at != clauses.limit()) {
      throw NotDirect.here();
    }
    return List.copyOf(sorting);
  }

  /** The item that the key says, which may be one behind the columns of the result. */
  private int sorted(int at, int columns) {
    int ordinal = text.number(at);
    if (ordinal >= 0) {
      if (ordinal < 1 || ordinal > columns) {
        throw NotDirect.here();
      }
      return ordinal - 1;
    }
    if (!text.is(at + 1, ".")) {
      List<String> own = names.subList(0, columns);
      int named = text.isName(at) ? own.indexOf(text.word(at)) : -1;
      if (named >= 0) {
        if (own.lastIndexOf(text.word(at)) != named) {
          throw NotDirect.here();
        }
        return named;
      }
    }
    int field = scope.field(at);
    for (int i = 0; field >= 0 && i < items.size(); i++) {
      if (column(items.get(i)) == field) {
        return i;
      }
    }
    if (field < 0 || grouped || distinct) {
      throw NotDirect.here();
    }
    items.add(ofRow(field));
    return items.size() - 1;
  }

  private DirectExpression rows(int at) {
    if (text.is(at, "?")) {
      int number = text.parameter(at);
      params[number] = new ParameterDef(SqlTypeSpec.INTEGER, true, ParameterDef.Use.STORED);
      return new DirectExpression(Form.PARAMETER, SqlTypeSpec.INTEGER, true, number, List.of());
    }
    int rows = text.number(at);
    if (rows < 0) {
      throw NotDirect.here();
    }
    return DirectExpression.literal(SqlTypeSpec.INTEGER, rows);
  }
}
