package io.gpdb.sql.syntax;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Windows that begin with the name of another, {@code (w ROWS 1 PRECEDING)}, with the partition and
 * the order of that window written out. Calcite would lose their frame.
 */
public final class NamedWindows extends SqlBasicVisitor<@Nullable Void> {
  private static final int REFERENCE = 1;
  private static final int PARTITION = 2;
  private static final int ORDER = 3;

  private final SqlNodeList windows;

  private NamedWindows(SqlNodeList windows) {
    this.windows = windows;
  }

  /** Writes the windows of a SELECT out. */
  public static void writeOut(SqlSelect select) {
    NamedWindows names = new NamedWindows(select.getWindowList());
    if (names.windows.isEmpty()) {
      return;
    }
    for (SqlNode node : select.getOperandList()) {
      if (node != null) {
        node.accept(names);
      }
    }
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call.isA(SqlKind.QUERY)) {
      return null; // has windows of its own
    }
    if (call instanceof SqlWindow window) {
      writeOut(window, visible(window));
    }
    return super.visit(call);
  }

  /** How many of the windows are declared before this one is. */
  @SuppressWarnings("ReferenceEquality") // the window, not one like it
  private int visible(SqlWindow window) {
    for (int i = 0; i < windows.size(); i++) {
      if (windows.get(i) == window) {
        return i;
      }
    }
    return windows.size();
  }

  /** What SQL forbids otherwise stays as it is, and Calcite says what it is. */
  private void writeOut(SqlWindow window, int visible) {
    SqlIdentifier name = window.getRefName();
    if (name == null) {
      return;
    }
    int found = find(name, visible);
    if (found < 0) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "no window " + name.getSimple() + " is declared before" + TableNames.at(name));
    }
    SqlWindow named = (SqlWindow) windows.get(found);
    writeOut(named, found);
    boolean isPlain =
        named.getRefName() == null && named.getLowerBound() == null && !named.isRows();
    boolean isLegal =
        window.getPartitionList().isEmpty()
            && (window.getOrderList().isEmpty() || named.getOrderList().isEmpty());
    if (isPlain && isLegal) {
      window.setOperand(REFERENCE, null);
      window.setOperand(PARTITION, copy(named.getPartitionList()));
      if (window.getOrderList().isEmpty()) {
        window.setOperand(ORDER, copy(named.getOrderList()));
      }
    }
  }

  private static SqlNode copy(SqlNodeList list) {
    return OwnNodes.copy(list);
  }

  private int find(SqlIdentifier name, int visible) {
    for (int i = 0; i < visible; i++) {
      SqlIdentifier declared = ((SqlWindow) windows.get(i)).getDeclName();
      if (declared != null && declared.getSimple().equals(name.getSimple())) {
        return i;
      }
    }
    return -1;
  }
}
