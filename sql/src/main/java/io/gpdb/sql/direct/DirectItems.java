package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Sorted;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The select list of a query, and what of it, or behind it, the rows are sorted by. */
final class DirectItems {
  private final DirectText text;
  private final DirectClauses clauses;
  private final DirectScope scope;
  private final DirectExpressions expressions;
  private final boolean distinct;

  /** What fields are of where rows are grouped. */
  private final @Nullable DirectGroups groups;

  private final List<DirectExpression> items = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  DirectItems(
      DirectText text,
      DirectClauses clauses,
      DirectScope scope,
      DirectExpressions expressions,
      @Nullable DirectGroups groups) {
    this.text = text;
    this.clauses = clauses;
    this.scope = scope;
    this.expressions = expressions;
    this.groups = groups;
    distinct = text.is(clauses.begin() + 1, "DISTINCT");
  }

  boolean isDistinct() {
    return distinct;
  }

  List<DirectExpression> all() {
    return items;
  }

  /** Reads the select list. */
  void read() {
    boolean all = text.is(clauses.begin() + 1, "ALL");
    int at = clauses.begin() + (distinct || all ? 2 : 1);
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
    if (scope.tables().isEmpty()) {
      throw NotDirect.here();
    }
    for (int field = 0; field < scope.fieldCount(); field++) {
      ColumnDef column = scope.column(field);
      items.add(groups == null ? scope.fieldOf(field) : groups.key(field, column));
      names.add(column.name());
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
                ? scope.column(field(value)).name()
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
    if (field(value) < 0) {
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
  private int field(DirectExpression item) {
    DirectExpression inner = item.withoutPluses();
    if (inner.form() != Form.COLUMN) {
      return -1;
    }
    int field = (int) inner.number();
    return groups == null ? field : groups.fieldOfRow(field);
  }

  /** The columns of the result; asked for before {@link #sorting()}. */
  List<OutputColumn> output() {
    List<OutputColumn> output = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      output.add(output(i));
    }
    return List.copyOf(output);
  }

  private OutputColumn output(int item) {
    DirectExpression value = items.get(item);
    int field = field(value);
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
        scope.tables().size() == 1 && !distinct && groups == null,
        stored.identity() != null);
  }

  // ORDER BY

  /** Reads what the rows are sorted by. */
  List<Sorted> sorting() {
    List<Sorted> sorting = new ArrayList<>();
    int columns = items.size();
    int at = clauses.order() + 1;
    if (!text.is(at, "BY")) {
      throw NotDirect.here();
    }
    do {
      at++;
      int item = sorted(at, columns);
      DirectOperations.comparable(items.get(item));
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
      if (field(items.get(i)) == field) {
        return i;
      }
    }
    if (field < 0 || groups != null || distinct) {
      throw NotDirect.here();
    }
    items.add(scope.fieldOf(field));
    return items.size() - 1;
  }
}
