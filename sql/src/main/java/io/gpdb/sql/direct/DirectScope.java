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

  /** The tables that are named by all of these words, each with each. */
  DirectScope(DirectText text, int from, int to) {
    this.text = text;
    for (int at = from; at < to; ) {
      if (at > from) {
        at += text.is(at, ",") ? 1 : crossJoin(at);
      }
      at = table(at);
      if (at > to) {
        throw NotDirect.here();
      }
    }
  }

  private int crossJoin(int at) {
    if (!text.are(at, "CROSS", "JOIN")) {
      throw NotDirect.here();
    }
    return 2;
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
        boolean twice = column >= 0 && found >= 0;
        if (twice || (column < 0 && qualified)) {
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
