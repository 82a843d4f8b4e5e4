package io.gpdb.sql.validation;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The recursive queries of a syntax tree. Each gets the one shape that Calcite takes: a seed, UNION
 * [ALL], and a step that alone refers to the recursion. WITH RECURSIVE also has queries that do not
 * refer to themselves; they become plain ones.
 */
final class RecursiveQueries {
  private RecursiveQueries() {}

  /** Brings the recursive queries into shape, in place, and lists them in the tree's order. */
  static List<SqlWithItem> shaped(SqlNode tree) {
    List<SqlWithItem> found = in(tree);
    for (SqlWithItem item : found) {
      if (refersTo(item.query, item.name.getSimple())) {
        shape(item);
      } else {
        item.recursive = SqlLiteral.createBoolean(false, SqlParserPos.ZERO);
      }
    }
    return in(tree);
  }

  /** The queries that are marked as recursive. */
  static List<SqlWithItem> in(SqlNode tree) {
    List<SqlWithItem> found = new ArrayList<>();
    tree.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call instanceof SqlWithItem item && item.recursive.booleanValue()) {
              found.add(item);
            }
            return super.visit(call);
          }
        });
    return found;
  }

  /** The union of a recursive query; null where it has none, which the validator refuses. */
  static @Nullable SqlCall union(SqlWithItem item) {
    return body(item.query) instanceof SqlCall call && call.getKind() == SqlKind.UNION
        ? call
        : null;
  }

  private static SqlNode body(SqlNode query) {
    return query instanceof SqlWith with ? body(with.body) : query;
  }

  /** Several members may refer to the recursion: all that do become one step. */
  private static void shape(SqlWithItem item) {
    SqlCall union = union(item);
    if (union == null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a recursive query other than a UNION" + TableNames.at(item.name));
    }
    String name = item.name.getSimple();
    if (!refersTo(union.operand(0), name)) {
      return;
    }
    List<SqlNode> members = new ArrayList<>();
    if (!isChain(union, union.getOperator(), members)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "UNION and UNION ALL between recursive members" + TableNames.at(item.name));
    }
    SqlNode seed = chained(union, members.stream().filter(m -> !refersTo(m, name)).toList());
    SqlNode step = chained(union, members.stream().filter(m -> refersTo(m, name)).toList());
    if (seed == null || step == null) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "a recursive query needs a member that does not refer to it" + TableNames.at(item.name));
    }
    union.setOperand(0, seed);
    union.setOperand(1, step);
  }

  /** Collects the members of a union of unions; false where their operators differ. */
  private static boolean isChain(SqlNode node, SqlOperator operator, List<SqlNode> members) {
    if (node.getKind() != SqlKind.UNION) {
      members.add(node);
      return true;
    }
    SqlCall union = (SqlCall) node;
    return union.getOperator().equals(operator)
        && union.getOperandList().stream().allMatch(member -> isChain(member, operator, members));
  }

  private static @Nullable SqlNode chained(SqlCall union, List<SqlNode> members) {
    SqlNode chain = null;
    for (SqlNode member : members) {
      chain =
          chain == null
              ? member
              : union.getOperator().createCall(union.getParserPosition(), chain, member);
    }
    return chain;
  }

  /** Whether a query reads a table or query called so, at any depth. */
  private static boolean refersTo(SqlNode query, String name) {
    boolean[] found = {false};
    query.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            found[0] |= call instanceof SqlSelect select && reads(select.getFrom(), name);
            found[0] |= call.getKind() == SqlKind.EXPLICIT_TABLE && reads(call.operand(0), name);
            return found[0] ? null : super.visit(call);
          }
        });
    return found[0];
  }

  private static boolean reads(@Nullable SqlNode from, String name) {
    return switch (from) {
      case null -> false;
      case SqlIdentifier table -> table.isSimple() && table.getSimple().equals(name);
      case SqlJoin join -> reads(join.getLeft(), name) || reads(join.getRight(), name);
      case SqlCall call when !call.isA(SqlKind.QUERY) && call.operandCount() > 0 ->
          reads(call.operand(0), name);
      default -> false;
    };
  }
}
