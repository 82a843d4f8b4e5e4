package io.gpdb.sql.validation;

import io.gpdb.sql.syntax.GroupedSubQueries;
import io.gpdb.sql.syntax.NodeSearch;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.util.SqlVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Marks aggregates of a subquery all of whose columns are of an enclosing query: they are that
 * query's, and one value for the subquery ({@link OuterReferences}). They are looked for in WHERE,
 * in ON, and in HAVING behind a GROUP BY: for any other Calcite has made a group of the subquery's
 * rows.
 */
final class OuterAggregates extends SqlShuttle {
  /** The aggregate itself; Calcite's searches for aggregates do not look into it. */
  static final SqlFunction MARK =
      new SqlFunction(
          "OUTER_AGGREGATE",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0_FORCE_NULLABLE,
          null,
          OperandTypes.ANY,
          SqlFunctionCategory.SYSTEM) {
        @Override
        public RelDataType deriveType(
            SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
          RelDataType type = validator.deriveType(scope, call.operand(0));
          return validator.getTypeFactory().createTypeWithNullability(type, true);
        }

        @Override
        public <R> @Nullable R acceptCall(SqlVisitor<R> visitor, SqlCall call) {
          return visitor instanceof SqlShuttle ? super.acceptCall(visitor, call) : null;
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

  /** The place of a join's condition. */
  private static final int CONDITION = 5;

  private final Predicate<SqlIdentifier> isOuter;

  private OuterAggregates(Predicate<SqlIdentifier> isOuter) {
    this.isOuter = isOuter;
  }

  /** Changes the query in place. */
  static void mark(SqlSelect select, Predicate<SqlIdentifier> isOuter) {
    OuterAggregates marks = new OuterAggregates(isOuter);
    marks.from(select.getFrom());
    SqlNode where = select.getWhere();
    if (where != null) {
      select.setWhere(where.accept(marks));
    }
    SqlNode having = select.getHaving();
    if (having != null && select.getGroup() != null) {
      select.setHaving(having.accept(marks));
    }
  }

  private void from(@Nullable SqlNode tables) {
    if (tables instanceof SqlJoin join) {
      from(join.getLeft());
      from(join.getRight());
      SqlNode condition = join.getCondition();
      if (join.getConditionType() == JoinConditionType.ON && condition != null) {
        join.setOperand(CONDITION, condition.accept(this));
      }
    }
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (call.isA(SqlKind.QUERY)
        || call.getKind() == SqlKind.OVER
        || MARK.equals(call.getOperator())) {
      return call;
    }
    if (!GroupedSubQueries.isOfRows(call)) {
      return super.visit(call);
    }
    List<SqlIdentifier> columns = NodeSearch.columns(call);
    return !columns.isEmpty() && columns.stream().allMatch(isOuter)
        ? MARK.createCall(call.getParserPosition(), call)
        : call;
  }
}
