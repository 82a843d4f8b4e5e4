package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectExpression.Form;
import java.util.ArrayList;
import java.util.List;

/** The tables of a query's FROM, and what names mean among them. */
final class DirectScope {
  private final DirectText text;
  private final List<String> names = new ArrayList<>();
  private final List<TableDef> tables = new ArrayList<>();
  private final List<JoinWords> joins = new ArrayList<>();

  /** The tables whose names can be seen: from that one on, before that one. */
  private int firstShown;

  private int shownEnd;

  /**
   * The condition of a join.
   *
   * @param from its first word
   * @param to behind its last word
   * @param first the first of the tables that it can name
   * @param end behind the last one
   */
  record JoinWords(int from, int to, int first, int end) {}

  /** The tables that are named by all of these words. */
  DirectScope(DirectText text, int from, int to) {
    this.text = text;
    for (int at = from; at < to; ) {
      if (at > from) {
        skip(at++, ",");
      }
      at = joined(at, to);
      if (at > to) {
        throw NotDirect.here();
      }
    }
    shownEnd = tables.size();
  }

  private void skip(int at, String word) {
    if (!text.is(at, word)) {
      throw NotDirect.here();
    }
  }

  /** Adds a table, or several with CROSS JOIN and JOIN between them; the place after them. */
  private int joined(int begin, int to) {
    int first = tables.size();
    int at = operand(begin, to);
    while (at < to && !text.is(at, ",") && !text.is(at, ")")) {
      if (text.are(at, "CROSS", "JOIN")) {
        at = operand(at + 2, to);
      } else {
        at += text.is(at, "INNER") ? 1 : 0;
        skip(at, "JOIN");
        at = operand(at + 1, to);
        skip(at, "ON");
        int end = conditionEnd(at + 1, to);
        joins.add(new JoinWords(at + 1, end, first, tables.size()));
        at = end;
      }
    }
    return at;
  }

  private int operand(int at, int to) {
    if (!text.is(at, "(")) {
      return table(at);
    }
    int first = tables.size();
    int end = joined(at + 1, to);
    skip(end, ")");
    if (tables.size() - first == 1) {
      throw NotDirect.here(); // the grammar wants a join there
    }
    return end + 1;
  }

  /** Where the condition ends that begins there: before the next table, or a parenthesis around. */
  private int conditionEnd(int from, int to) {
    int open = 0;
    for (int at = from; at < to; at++) {
      open += text.is(at, "(") ? 1 : text.is(at, ")") ? -1 : 0;
      boolean next = text.is(at, ",") || text.is(at, "JOIN");
      if (open < 0 || (open == 0 && (next || text.is(at, "CROSS") || text.is(at, "INNER")))) {
        return at;
      }
    }
    return to;
  }

  List<JoinWords> joins() {
    return joins;
  }

  /** Lets names mean columns of those tables. */
  void show(int first, int end) {
    firstShown = first;
    shownEnd = end;
  }

  /** Adds the table that is named here; the place after it. */
  private int table(int at) {
    TableDef table = text.table(at);
    int next = at + 1;
    boolean as = text.is(next, "AS");
    boolean renamed = as || text.isName(next);
    int nameAt = as ? next + 1 : renamed ? next : at;
    String name = text.word(nameAt);
    if (table == null || !text.isName(nameAt) || names.contains(name)) {
      throw NotDirect.here();
    }
    names.add(name);
    tables.add(table);
    return nameAt + 1;
  }

  List<TableDef> tables() {
    return tables;
  }

  /** The field of the row that a name means, which may be qualified. */
  int field(int at) {
    boolean qualified = text.is(at + 1, ".");
    int found = -1;
    int first = 0;
    for (int i = 0; i < tables.size(); i++) {
      TableDef table = tables.get(i);
      if (!qualified || (text.isName(at) && names.get(i).equals(text.word(at)))) {
        int column = text.column(qualified ? at + 2 : at, table);
        boolean shown = i >= firstShown && i < shownEnd;
        if (column < 0 ? qualified : found >= 0 || !shown) {
          throw NotDirect.here();
        }
        found = column >= 0 ? first + column : found;
      }
      first += table.columns().size();
    }
    return found;
  }

  /** The table that a field is of. */
  TableDef tableOf(int field) {
    int first = 0;
    for (TableDef table : tables) {
      first += table.columns().size();
      if (field < first) {
        return table;
      }
    }
    throw new IllegalArgumentException("no field " + field);
  }

  ColumnDef column(int field) {
    int own = field;
    for (TableDef table : tables) {
      if (own < table.columns().size()) {
        return table.column(own);
      }
      own -= table.columns().size();
    }
    throw new IllegalArgumentException("no field " + field);
  }

  /** A field as what it is of the row. */
  DirectExpression fieldOf(int field) {
    ColumnDef column = column(field);
    return new DirectExpression(Form.COLUMN, column.type(), column.nullable(), field, List.of());
  }

  int fieldCount() {
    int count = 0;
    for (TableDef table : tables) {
      count += table.columns().size();
    }
    return count;
  }
}
