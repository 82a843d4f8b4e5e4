package io.gpdb.sql.validation;

import io.gpdb.sql.dialect.CorrespondingOperator;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.jspecify.annotations.Nullable;

/** Writes CORRESPONDING as a set operation of the columns that it means. */
final class CorrespondingColumns {
  private static final String LEFT = "$LEFT";
  private static final String RIGHT = "$RIGHT";

  private final SqlValidatorCatalogReader reader;

  /** Names of WITH in the statement, which may hide tables. */
  private final Set<String> hidden = new HashSet<>();

  CorrespondingColumns(SqlValidatorCatalogReader reader) {
    this.reader = reader;
  }

  /** Takes the statement whose nodes come next. */
  void begin(@Nullable SqlNode statement) {
    if (statement == null) {
      return;
    }
    statement.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call instanceof SqlWithItem item) {
              hidden.add(item.name.getSimple());
            }
            return super.visit(call);
          }
        });
  }

  /** The node written so, or itself. */
  @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall call)
        || !(call.getOperator() instanceof CorrespondingOperator corresponding)) {
      return node;
    }
    List<String> columns = common(call, corresponding);
    SqlParserPos at = call.getParserPosition();
    return corresponding
        .operator()
        .createCall(
            at,
            select(columns, call.operand(0), LEFT, at),
            select(columns, call.operand(1), RIGHT, at));
  }

  private List<String> common(SqlCall call, CorrespondingOperator corresponding) {
    List<String> left = columns(call.operand(0), call);
    List<String> right = columns(call.operand(1), call);
    List<String> by = corresponding.columns();
    List<String> common =
        by != null ? by : left.stream().filter(right::contains).distinct().toList();
    if (common.isEmpty()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "CORRESPONDING: the queries have no column of the same name" + TableNames.at(call));
    }
    for (String column : common) {
      requireOne(column, left, call);
      requireOne(column, right, call);
    }
    return common;
  }

  private static void requireOne(String column, List<String> columns, SqlCall call) {
    if (columns.stream().filter(column::equals).count() != 1) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "CORRESPONDING: not one column of a query is called " + column + TableNames.at(call));
    }
  }

  private static SqlSelect select(
      List<String> columns, SqlNode query, String alias, SqlParserPos at) {
    SqlNodeList items = new SqlNodeList(at);
    columns.forEach(column -> items.add(new SqlIdentifier(column, at)));
    SqlNode from = SqlStdOperatorTable.AS.createCall(at, query, new SqlIdentifier(alias, at));
    return new SqlSelect(
        at, null, items, from, null, null, null, null, null, null, null, null, null);
  }

  /** The names of a query's columns, empty where a column has none. */
  private List<String> columns(SqlNode query, SqlCall call) {
    return switch (query) {
      case SqlSelect select -> ofItems(select, call);
      case SqlOrderBy ordered -> columns(ordered.query, call);
      case SqlCall set when set.getOperator() instanceof CorrespondingOperator corresponding ->
          common(set, corresponding);
      case SqlCall set when SqlKind.SET_QUERY.contains(set.getKind()) ->
          columns(set.operand(0), call);
      case SqlCall table when table.getKind() == SqlKind.EXPLICIT_TABLE ->
          ofTable(table.operand(0), call);
      default -> throw unknown(call);
    };
  }

  private List<String> ofItems(SqlSelect select, SqlCall call) {
    List<String> names = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier id && id.isStar()) {
        if (select.getSelectList().size() > 1) {
          throw unknown(call);
        }
        names.addAll(ofTable(select.getFrom(), call));
      } else if (item instanceof SqlIdentifier id) {
        names.add(id.names.getLast());
      } else {
        names.add(item.getKind() == SqlKind.AS ? alias((SqlCall) item) : "");
      }
    }
    return names;
  }

  private static String alias(SqlCall as) {
    return ((SqlIdentifier) as.operand(1)).getSimple();
  }

  /** The columns of the only table in FROM. */
  private List<String> ofTable(@Nullable SqlNode from, SqlCall call) {
    if (from instanceof SqlIdentifier name) {
      SqlValidatorTable table = reader.getTable(name.names);
      if (table != null && !hidden.contains(name.names.getLast())) {
        return table.getRowType().getFieldNames();
      }
    } else if (from instanceof SqlCall as && as.getKind() == SqlKind.AS) {
      if (as.operandCount() > 2) {
        return as.getOperandList().stream().skip(2).map(Object::toString).toList();
      }
      return as.operand(0) instanceof SqlIdentifier
          ? ofTable(as.operand(0), call)
          : columns(as.operand(0), call);
    }
    throw unknown(call);
  }

  private static GpdbException unknown(SqlCall call) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        "CORRESPONDING of a query whose text does not say its columns: name them"
            + TableNames.at(call));
  }
}
