package io.gpdb.sql;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Questions about a syntax tree. */
final class NodeSearch {
  private NodeSearch() {}

  static boolean hasQuery(SqlNode node) {
    return node.accept(new Search(true, false));
  }

  static boolean hasParameter(SqlNode node) {
    return node.accept(new Search(false, true));
  }

  /** Throws 0A000 for a cast to a type beyond its limits. */
  static void checkTypes(SqlNode node) {
    node.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlDataTypeSpec type) {
            DeclaredType.check(type);
            return null;
          }
        });
  }

  private static final class Search extends SqlBasicVisitor<Boolean> {
    private final boolean queries;
    private final boolean parameters;

    Search(boolean queries, boolean parameters) {
      this.queries = queries;
      this.parameters = parameters;
    }

    @Override
    public Boolean visit(SqlCall call) {
      if (queries && SqlKind.TOP_LEVEL.contains(call.getKind()) && !isRow(call)) {
        return true;
      }
      for (SqlNode operand : call.getOperandList()) {
        if (operand != null && Boolean.TRUE.equals(operand.accept(this))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isRow(SqlCall call) {
      return call.getKind() == SqlKind.ROW;
    }

    @Override
    public Boolean visit(SqlDynamicParam parameter) {
      return parameters;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlNodeList nodes) {
      for (SqlNode node : nodes) {
        if (node != null && Boolean.TRUE.equals(node.accept(this))) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlLiteral literal) {
      return false;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlIdentifier id) {
      return false;
    }

    @Override
    public Boolean visit(SqlDataTypeSpec type) {
      return false;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlIntervalQualifier qualifier) {
      return false;
    }
  }
}
