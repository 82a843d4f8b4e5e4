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
import org.jspecify.annotations.Nullable;

/** SELECT of expressions over the rows of tables each with each, or over groups of them. */
final class DirectSelect implements DirectExpressions.Places {
  private final DirectText text;
  private final DirectScope scope;
  private final DirectExpressions expressions;

  /** Where the clauses begin, or the text ends. */
  private final int from;

  private final int where;
  private final int group;
  private final int having;
  private final int order;
  private final int limit;

  private final boolean distinct;
  private final boolean grouped;
  private final List<Integer> keys = new ArrayList<>();
  private final List<Aggregated> aggregates = new ArrayList<>();

  /** Whether names mean fields of rows, not of groups. */
  private boolean ofRows = true;

  private final List<DirectExpression> items = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final @Nullable ParameterDef[] params;

  private DirectSelect(DirectText text) {
    this.text = text;
    int end = text.end();
    limit = firstOf(end, "LIMIT", "OFFSET");
    order = firstOf(limit, "ORDER");
    having = firstOf(order, "HAVING");
    group = firstOf(having, "GROUP");
    where = firstOf(group, "WHERE");
    from = firstOf(where, "FROM");
    distinct = text.is(1, "DISTINCT");
    scope = new DirectScope(text, Math.min(from + 1, where), where);
    expressions = new DirectExpressions(text, this);
    grouped = group < order || hasAggregate(from);
    if (group < order && scope.tables().isEmpty()) {
      throw NotDirect.here();
    }
    params = new @Nullable ParameterDef[text.parameter(end)];
  }

  static @Nullable DirectStatement in(DirectText text) {
    try {
      return new DirectSelect(text).selection();
    } catch (NotDirect e) {
      return null;
    }
  }

  /** Where one of the words is first, in no parentheses and before {@code end}; else the end. */
  private int firstOf(int end, String... words) {
    int depth = 0;
    for (int i = 1; i < end; i++) {
      depth += text.is(i, "(") ? 1 : text.is(i, ")") ? -1 : 0;
      for (String word : words) {
        if (depth == 0 && text.is(i, word)) {
          return i;
        }
      }
    }
    return end;
  }

  private boolean hasAggregate(int end) {
    for (int i = 1; i < end; i++) {
      if (text.is(i + 1, "(") && aggregate(text.word(i)) != null) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Aggregate aggregate(String function) {
    return switch (function) {
      case "COUNT" -> Aggregate.COUNT;
      case "SUM" -> Aggregate.SUM;
      case "MIN" -> Aggregate.MIN;
      case "MAX" -> Aggregate.MAX;
      default -> null;
    };
  }

  private Selection selection() {
    DirectExpression condition = where < group ? expressions.condition(where + 1, group) : null;
    Grouping grouping = grouped ? grouping() : null;
    if (grouping == null) {
      items();
    }
    int columns = items.size();
    List<OutputColumn> output = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      output.add(output(i));
    }
    List<Sorted> sorting = order < limit ? sorting() : List.of();
    if (distinct) {
      for (DirectExpression item : items) {
        requireComputed(item);
      }
    }
    if (limit < text.end() && scope.tables().size() > 1) {
      throw NotDirect.here(); // in which order tables are joined says which rows come first
    }
    DirectExpression offset = null;
    DirectExpression fetch = null;
    int at = limit;
    if (text.is(at, "LIMIT")) {
      fetch = rows(at + 1);
      at += 2;
    }
    if (text.is(at, "OFFSET")) {
      offset = rows(at + 1);
      at += 2;
    }
    if (at != text.end()) {
      throw NotDirect.here();
    }
    return new Selection(
        List.copyOf(scope.tables()),
        condition,
        grouping,
        List.copyOf(items),
        distinct,
        sorting,
        fetch,
        offset,
        parameters(),
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
    if (group < having) {
      int at = group + 1;
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
      if (at != having) {
        throw NotDirect.here();
      }
    }
    ofRows = false;
    items();
    DirectExpression condition = null;
    if (having < order) {
      requireNoAlias(having, order);
      condition = expressions.condition(having + 1, order);
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

  /** Only whole numbers and truth values are compared. */
  private static void requireComputed(DirectExpression item) {
    if (!item.isNumber() && !item.isTruth()) {
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
      throw NotDirect.here();
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

  @Override
  public @Nullable DirectExpression call(DirectExpressions reader, String function) {
    Aggregate aggregate = aggregate(function);
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
      argument = DirectExpressions.number(reader.expression());
      ofRows = false;
    }
    aggregates.add(new Aggregated(aggregate, each, argument));
    boolean counts = aggregate == Aggregate.COUNT;
    SqlTypeSpec type =
        counts || aggregate == Aggregate.SUM || argument == null
            ? SqlTypeSpec.BIGINT
            : argument.type();
    boolean nullable = !counts && (keys.isEmpty() || (argument != null && argument.nullable()));
    // Keys come first, and all of them are known.
    return new DirectExpression(
        Form.COLUMN, type, nullable, keys.size() + aggregates.size() - 1L, List.of());
  }

  @Override
  public DirectExpression parameter(DirectExpression parameter, SqlTypeSpec type) {
    params[(int) parameter.number()] =
        new ParameterDef(type.unlimited(), true, ParameterDef.Use.COMPARED);
    return new DirectExpression(Form.PARAMETER, type, true, parameter.number(), List.of());
  }

  // The select list

  private void items() {
    int at = distinct || text.is(1, "ALL") ? 2 : 1;
    if (text.is(at, "*") && at + 1 == from) {
      star();
      return;
    }
    do {
      at = item(at);
    } while (text.is(at++, ","));
    if (at - 1 != from) {
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
    boolean named = as || (end < from && !text.is(end, ","));
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
                : text.onOneLine(written(at), end - 1);
    if (name.length() > SqlLimits.NAME_LENGTH_MAX) {
      throw NotDirect.here();
    }
    items.add(value.withoutPluses());
    names.add(name);
    return named ? nameAt + 1 : end;
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
    int at = order + 1;
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
    if (at != limit) {
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
