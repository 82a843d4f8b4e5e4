package io.gpdb.sql.text;

import io.gpdb.sql.type.SqlLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The names of a result's columns: the alias, else the column's own name (also where two columns
 * have the same), else the text of the expression as it is written. Columns of VALUES are COLUMN1,
 * COLUMN2 and so on.
 */
public final class ResultNames {
  /**
   * Ends the text of an expression in its alias: what follows makes the alias a name of its own.
   */
  private static final char MARK = '\u0000';

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern CALCITES = Pattern.compile("EXPR\\$(\\d{1,9})");

  private ResultNames() {}

  /**
   * Sets the text of each expression in the select lists of a parsed query as its alias, in place.
   */
  public static void nameExpressions(SqlNode query, SqlText text) {
    query.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call instanceof SqlSelect select) {
              select.setSelectList(named(select.getSelectList(), text));
            }
            return super.visit(call);
          }
        });
  }

  private static SqlNodeList named(SqlNodeList items, SqlText text) {
    SqlNodeList named = new SqlNodeList(items.getParserPosition());
    for (SqlNode item : items) {
      boolean hasName = item instanceof SqlIdentifier || item.getKind() == SqlKind.AS;
      named.add(hasName ? item : withAlias(item, text, named.size()));
    }
    return named;
  }

  private static SqlNode withAlias(SqlNode item, SqlText text, int position) {
    SqlParserPos at = item.getParserPosition();
    String alias = shortened(text.at(span(item))) + MARK + position;
    return SqlStdOperatorTable.AS.createCall(at, item, new SqlIdentifier(alias, at));
  }

  /** The expression's position; the parser lets {@code x::type} begin a word too early. */
  private static SqlParserPos span(SqlNode item) {
    SqlParserPos whole = item.getParserPosition();
    boolean infixCast =
        item.getKind() == SqlKind.CAST
            && item instanceof SqlCall call
            && call.getOperator().getSyntax() == SqlSyntax.BINARY;
    if (!infixCast) {
      return whole;
    }
    SqlParserPos first = span(((SqlCall) item).operand(0));
    return new SqlParserPos(
        first.getLineNum(), first.getColumnNum(), whole.getEndLineNum(), whole.getEndColumnNum());
  }

  private static String shortened(String text) {
    String line = BLANKS.matcher(text).replaceAll(" ");
    return line.substring(0, Math.min(line.length(), SqlLimits.NAME_LENGTH_MAX));
  }

  /** The names for the fields of a validated query. */
  public static List<String> of(SqlNode validated, RelDataType rowType) {
    List<String> names = new ArrayList<>(rowType.getFieldNames());
    if (selectOf(validated) instanceof SqlSelect select) {
      SqlNodeList items = select.getSelectList();
      for (int i = 0; items.size() == names.size() && i < names.size(); i++) {
        names.set(i, name(items.get(i), names.get(i)));
      }
    }
    names.replaceAll(ResultNames::shown);
    return names;
  }

  /** The name of a field of a relational tree as people see it. */
  public static String shown(String name) {
    int end = name.indexOf(MARK);
    if (end >= 0) {
      return name.substring(0, end);
    }
    Matcher calcites = CALCITES.matcher(name);
    return calcites.matches() ? "COLUMN" + (Long.parseLong(calcites.group(1)) + 1) : name;
  }

  private static SqlNode selectOf(SqlNode query) {
    return switch (query) {
      case SqlWith with -> selectOf(with.body);
      case SqlOrderBy ordered -> selectOf(ordered.query);
      case SqlCall call when call.getKind().belongsTo(SqlKind.SET_QUERY) ->
          selectOf(call.operand(0));
      default -> query;
    };
  }

  private static String name(SqlNode item, String otherwise) {
    if (item instanceof SqlIdentifier column) {
      return column.names.getLast();
    }
    if (item.getKind() != SqlKind.AS) {
      return otherwise;
    }
    SqlNode value = ((SqlCall) item).operand(0);
    SqlIdentifier alias = ((SqlCall) item).operand(1);
    // Where * would return a name twice the validator makes up another, at the column's own place.
    boolean madeUp = alias.getParserPosition().equals(value.getParserPosition());
    return madeUp && value instanceof SqlIdentifier column
        ? column.names.getLast()
        : alias.getSimple();
  }
}
