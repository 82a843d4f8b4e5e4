package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE TABLE of columns of plain types, with NOT NULL and a primary key. */
final class DirectDefinition {
  private static final int COLUMNS_MAX = 200;

  private final DirectText text;
  private final List<ColumnDef> columns = new ArrayList<>();
  private final List<String> key = new ArrayList<>();
  private int at;

  private DirectDefinition(DirectText text, int at) {
    this.text = text;
    this.at = at;
  }

  static @Nullable DirectStatement in(DirectText text) {
    boolean ifNotExists = text.are(2, "IF", "NOT", "EXISTS");
    int nameAt = ifNotExists ? 5 : 2;
    if (!text.is(1, "TABLE")
        || !text.isName(nameAt)
        || !text.is(nameAt + 1, "(")
        || !text.catalog().domains().isEmpty()) {
      return null;
    }
    String schema = text.catalog().path().current();
    if (!text.catalog().hasSchema(schema)) {
      return null;
    }
    ObjectName name = new ObjectName(schema, text.word(nameAt));
    TableDef table = new DirectDefinition(text, nameAt + 2).table(name);
    return table == null ? null : new DirectStatement.CreateTable(table, ifNotExists);
  }

  private @Nullable TableDef table(ObjectName name) {
    do {
      if (!element() || columns.size() > COLUMNS_MAX) {
        return null;
      }
    } while (text.is(at++, ","));
    if (columns.isEmpty() || !text.is(at - 1, ")") || at != text.end()) {
      return null;
    }
    TableDef bare =
        new TableDef(-1, name.name(), columns, List.of()).withName(name.schema(), name.name());
    if (key.isEmpty()) {
      return bare;
    }
    int[] keyed = new int[key.size()];
    for (int i = 0; i < keyed.length; i++) {
      keyed[i] = bare.indexOf(key.get(i));
      if (keyed[i] < 0) {
        return null;
      }
      columns.set(keyed[i], columns.get(keyed[i]).withNullable(false));
    }
    return bare.withKeys(List.of(new KeyDef(KeyDef.nameOf(bare, true, keyed), true, keyed, 0)))
        .withColumns(columns);
  }

  /** Reads a column or the key; whether it is one. */
  private boolean element() {
    if (text.are(at, "PRIMARY", "KEY", "(")) {
      return key.isEmpty() && keyColumns();
    }
    String name = text.word(at);
    if (!text.isName(at) || columns.stream().anyMatch(known -> known.name().equals(name))) {
      return false;
    }
    at++;
    SqlTypeSpec type = type();
    if (type == null) {
      return false;
    }
    boolean notNull = text.are(at, "NOT", "NULL");
    at += notNull ? 2 : 0;
    if (text.are(at, "PRIMARY", "KEY")) {
      if (!key.isEmpty()) {
        return false;
      }
      key.add(name);
      at += 2;
    }
    columns.add(new ColumnDef(name, type, !notNull, null));
    return true;
  }

  private boolean keyColumns() {
    at += 2;
    do {
      at++;
      if (!text.isName(at) || key.contains(text.word(at))) {
        return false;
      }
      key.add(text.word(at++));
    } while (text.is(at, ","));
    return text.is(at++, ")");
  }

  /** Reads a type; null for others than these. */
  private @Nullable SqlTypeSpec type() {
    return switch (text.word(at++)) {
      case "INTEGER", "INT" -> SqlTypeSpec.INTEGER;
      case "BIGINT" -> SqlTypeSpec.BIGINT;
      case "SMALLINT" -> SqlTypeSpec.SMALLINT;
      case "BOOLEAN" -> SqlTypeSpec.BOOLEAN;
      case "REAL" -> SqlTypeSpec.REAL;
      case "DOUBLE" -> {
        at += text.is(at, "PRECISION") ? 1 : 0;
        yield SqlTypeSpec.DOUBLE;
      }
      case "DATE" -> SqlTypeSpec.DATE;
      case "VARCHAR" -> text.is(at, "(") ? varchar() : SqlTypeSpec.VARCHAR;
      case "DECIMAL" -> decimal();
      default -> null;
    };
  }

  private @Nullable SqlTypeSpec varchar() {
    int length = text.number(at + 1);
    boolean known = length > 0 && length <= SqlTypeSpec.LENGTH_MAX && text.is(at + 2, ")");
    at += 3;
    return known ? SqlTypeSpec.varchar(length) : null;
  }

  private @Nullable SqlTypeSpec decimal() {
    int digits = text.number(at + 1);
    int scale = text.is(at + 2, ",") ? text.number(at + 3) : 0;
    int next = text.is(at + 2, ",") ? at + 4 : at + 2;
    boolean known =
        text.is(at, "(")
            && text.is(next, ")")
            && digits > 0
            && digits <= SqlTypeSpec.DECIMAL_DIGITS_MAX
            && scale >= 0
            && scale <= digits;
    at = next + 1;
    return known ? SqlTypeSpec.decimal(digits, scale) : null;
  }
}
