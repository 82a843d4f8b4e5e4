package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.CorrespondingOperator;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.jspecify.annotations.Nullable;

/** The columns of a query that is not validated yet, as far as its text and the tables say them. */
public final class QueryColumns {
  private final SqlValidatorCatalogReader reader;

  /** Names of WITH in the statement, which may hide tables. */
  private final Set<String> hidden = new HashSet<>();

  public QueryColumns(SqlValidatorCatalogReader reader) {
    this.reader = reader;
  }

  /** Takes the statement whose nodes come next. */
  public void begin(@Nullable SqlNode statement) {
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

  /** How many columns a query has, 0 where that is not said. */
  int count(SqlNode query) {
    List<String> names = names(query);
    return names == null ? 0 : names.size();
  }

  /** The columns that CORRESPONDING means. */
  List<String> common(SqlCall call, CorrespondingOperator corresponding) {
    List<String> left = required(call.operand(0), call);
    List<String> right = required(call.operand(1), call);
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

  private List<String> required(SqlNode query, SqlCall call) {
    List<String> names = names(query);
    if (names == null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "CORRESPONDING of a query whose text does not say its columns: name them"
              + TableNames.at(call));
    }
    return names;
  }

  private static void requireOne(String column, List<String> columns, SqlCall call) {
    if (columns.stream().filter(column::equals).count() != 1) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "CORRESPONDING: not one column of a query is called " + column + TableNames.at(call));
    }
  }

  /** The names, empty where a column has none; null where they are not said. */
  private @Nullable List<String> names(SqlNode query) {
    return switch (query) {
      case SqlSelect select -> ofItems(select);
      case SqlOrderBy ordered -> names(ordered.query);
      case SqlWith with -> names(with.body);
      case SqlCall set when set.getOperator() instanceof CorrespondingOperator corresponding ->
          common(set, corresponding);
      case SqlCall set when SqlKind.SET_QUERY.contains(set.getKind()) -> names(set.operand(0));
      case SqlCall table when table.getKind() == SqlKind.EXPLICIT_TABLE -> ofFrom(table.operand(0));
      case SqlCall values when values.getKind() == SqlKind.VALUES -> names(values.operand(0));
      case SqlCall row when row.getKind() == SqlKind.ROW ->
          row.getOperandList().stream().map(value -> "").toList();
      default -> null;
    };
  }

  private @Nullable List<String> ofItems(SqlSelect select) {
    List<String> names = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier id && id.isStar()) {
        List<String> all = ofStar(id, select.getFrom());
        if (all == null) {
          return null;
        }
        names.addAll(all);
      } else if (item instanceof SqlIdentifier id) {
        names.add(id.names.getLast());
      } else {
        names.add(
            item.getKind() == SqlKind.AS
                ? ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple()
                : "");
      }
    }
    return names;
  }

  private @Nullable List<String> ofStar(SqlIdentifier star, @Nullable SqlNode from) {
    SqlNode named =
        star.names.size() == 1
            ? from
            : star.names.size() == 2 ? of(star.names.getFirst(), from) : null;
    return named == null ? null : ofFrom(named);
  }

  /** What has a name in FROM. */
  private static @Nullable SqlNode of(String name, @Nullable SqlNode from) {
    return switch (from) {
      case SqlIdentifier table when table.names.getLast().equals(name) -> table;
      case SqlJoin join -> {
        SqlNode left = of(name, join.getLeft());
        yield left == null ? of(name, join.getRight()) : left;
      }
      case SqlCall as when as.getKind() == SqlKind.AS ->
          ((SqlIdentifier) as.operand(1)).getSimple().equals(name) ? as : null;
      case SqlCall table when table.getKind() == SqlKind.TABLE_REF -> of(name, table.operand(0));
      case null, default -> null;
    };
  }

  /** The columns of what is in FROM; null where joins share columns. */
  private @Nullable List<String> ofFrom(SqlNode from) {
    return switch (from) {
      case SqlIdentifier name -> ofTable(name);
      case SqlJoin join when join.isNatural() -> null;
      case SqlJoin join when join.getConditionType() == JoinConditionType.USING -> null;
      case SqlJoin join -> {
        List<String> left = ofFrom(join.getLeft());
        List<String> right = ofFrom(join.getRight());
        if (left == null || right == null) {
          yield null;
        }
        List<String> both = new ArrayList<>(left);
        both.addAll(right);
        yield both;
      }
      case SqlCall as when as.getKind() == SqlKind.AS && as.operandCount() > 2 ->
          as.getOperandList().stream().skip(2).map(Object::toString).toList();
      case SqlCall as when as.getKind() == SqlKind.AS -> ofFrom(as.operand(0));
      case SqlCall table when table.getKind() == SqlKind.TABLE_REF -> ofFrom(table.operand(0));
      default -> from.isA(SqlKind.QUERY) ? names(from) : null;
    };
  }

  private @Nullable List<String> ofTable(SqlIdentifier name) {
    SqlValidatorTable table =
        hidden.contains(name.names.getLast()) ? null : reader.getTable(name.names);
    return table == null ? null : table.getRowType().getFieldNames();
  }
}
