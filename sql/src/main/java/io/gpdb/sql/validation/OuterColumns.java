package io.gpdb.sql.validation;

import io.gpdb.sql.syntax.GroupedSubQueries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.util.SqlVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.jspecify.annotations.Nullable;

/**
 * Marks columns of an enclosing query where a query with groups uses them. Such a column has one
 * value for all groups; Calcite, which does not look whose column it is, would want it grouped.
 *
 * <p>Keys of GROUP BY are marked too: Calcite's converter keeps them as they were validated, and
 * would correlate a bare column itself, with wrong columns over a derived table. Within the call it
 * becomes an {@link io.gpdb.sql.tree.OuterValue} like any other.
 */
final class OuterColumns extends SqlShuttle {
  /** The column itself; Calcite's search for columns that are not grouped does not look into it. */
  static final SqlFunction MARK =
      new SqlFunction(
          "OUTER_COLUMN",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0,
          null,
          OperandTypes.ANY,
          SqlFunctionCategory.SYSTEM) {
        @Override
        public RelDataType deriveType(
            SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
          return validator.deriveType(scope, call.operand(0));
        }

        @Override
        public <R> void acceptCall(
            SqlVisitor<R> visitor,
            SqlCall call,
            boolean onlyExpressions,
            SqlBasicVisitor.ArgHandler<R> arguments) {
          if (visitor instanceof SqlShuttle) {
            super.acceptCall(visitor, call, onlyExpressions, arguments);
          }
        }
      };

  private final Predicate<SqlIdentifier> isOuter;
  private final UnaryOperator<SqlIdentifier> qualified;
  private final Set<String> keys = new HashSet<>();
  private final Set<String> results = new HashSet<>();

  private OuterColumns(Predicate<SqlIdentifier> isOuter, UnaryOperator<SqlIdentifier> qualified) {
    this.isOuter = isOuter;
    this.qualified = qualified;
  }

  /** Changes the query in place; the operator names a column's table. */
  static void mark(
      SqlSelect select, Predicate<SqlIdentifier> isOuter, UnaryOperator<SqlIdentifier> qualified) {
    OuterColumns marks = new OuterColumns(isOuter, qualified);
    SqlNodeList group = select.getGroup();
    if (group != null) {
      group.forEach(marks::addKey);
      select.setGroupBy((SqlNodeList) group.accept(marks));
    }
    List<SqlNode> items = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      items.add(marks.named(item));
    }
    select.setSelectList(new SqlNodeList(items, select.getSelectList().getParserPosition()));
    SqlNode having = select.getHaving();
    if (having != null) {
      select.setHaving(having.accept(marks));
    }
    SqlNodeList order = select.getOrderList();
    if (order != null) {
      items.forEach(marks::addName);
      order.replaceAll(item -> Objects.requireNonNull(item.accept(marks)));
    }
  }

  private void addName(SqlNode item) {
    String name = SqlValidatorUtil.alias(item);
    if (name != null) {
      results.add(name);
    }
  }

  private void addKey(SqlNode key) {
    if (key instanceof SqlIdentifier id && id.isSimple() && isOuter.test(id)) {
      keys.add(id.getSimple());
    }
  }

  /** An item of a select list that keeps its name. */
  private SqlNode named(SqlNode item) {
    SqlNode marked = Objects.requireNonNull(item.accept(this));
    return item instanceof SqlIdentifier id && marked instanceof SqlCall
        ? SqlStdOperatorTable.AS.createCall(
            id.getParserPosition(),
            marked,
            new SqlIdentifier(id.names.getLast(), id.getParserPosition()))
        : marked;
  }

  /**
   * In HAVING a name is the key's, although an item of the select list may have the same name; in
   * ORDER BY it is the item's.
   */
  @Override
  public @Nullable SqlNode visit(SqlIdentifier id) {
    boolean isResult = id.isSimple() && results.contains(id.getSimple());
    if (id.isStar() || isResult || !isOuter.test(id)) {
      return id;
    }
    boolean isKey = id.isSimple() && keys.contains(id.getSimple());
    return MARK.createCall(id.getParserPosition(), isKey ? qualified.apply(id) : id);
  }

  /** Columns of an enclosed query are its own matter, and arguments of aggregates are free. */
  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    boolean skipped =
        call.getKind().belongsTo(SqlKind.QUERY)
            || GroupedSubQueries.isOfRows(call)
            || call.getKind() == SqlKind.OVER
            || MARK.equals(call.getOperator());
    if (call.getKind() == SqlKind.AS) {
      SqlNode marked = Objects.requireNonNull(call.operand(0).accept(this));
      return call.getOperator().createCall(call.getParserPosition(), marked, call.operand(1));
    }
    return skipped ? call : super.visit(call);
  }
}
