package io.gpdb.sql.syntax;

import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Names of windows, which are those of one query: {@code OVER w} becomes what w is, and the
 * declared names get the place of the query, as Calcite wants them to differ from those of
 * enclosing queries and takes them for columns in ORDER BY.
 */
public final class WindowScopes extends SqlBasicVisitor<@Nullable Void> {
  private WindowScopes() {}

  /** Changes the windows of a statement, in place. */
  public static void separate(SqlNode statement) {
    statement.accept(new WindowScopes());
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlSelect select && !select.getWindowList().isEmpty()) {
      Map<String, SqlWindow> windows = new HashMap<>();
      for (SqlNode node : select.getWindowList()) {
        SqlIdentifier name = ((SqlWindow) node).getDeclName();
        if (name != null) {
          windows.putIfAbsent(name.getSimple(), (SqlWindow) node);
        }
      }
      select.getOperandList().forEach(operand -> writeOut(operand, windows));
      select.getWindowList().forEach(node -> rename((SqlWindow) node, select.getParserPosition()));
    }
    return super.visit(call);
  }

  /** Adds the place of the query, so that two of one name stay two of one name. */
  private static void rename(SqlWindow window, SqlParserPos at) {
    SqlIdentifier name = window.getDeclName();
    if (name != null) {
      String place = "$" + at.getLineNum() + "_" + at.getColumnNum();
      window.setDeclName(new SqlIdentifier(name.getSimple() + place, name.getParserPosition()));
    }
  }

  /** In expressions of one query. */
  private static void writeOut(@Nullable SqlNode node, Map<String, SqlWindow> windows) {
    if (node != null) {
      node.accept(
          new SqlBasicVisitor<@Nullable Void>() {
            @Override
            public @Nullable Void visit(SqlCall call) {
              if (call.isA(SqlKind.QUERY)) {
                return null;
              }
              if (call.getKind() == SqlKind.OVER && call.operand(1) instanceof SqlIdentifier id) {
                SqlWindow window = windows.get(id.names.getLast());
                if (window != null) {
                  SqlWindow own = (SqlWindow) OwnNodes.copy(window);
                  own.setOperand(0, null);
                  call.setOperand(1, own);
                }
              }
              return super.visit(call);
            }
          });
    }
  }
}
