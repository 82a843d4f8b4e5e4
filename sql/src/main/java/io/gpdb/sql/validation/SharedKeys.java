package io.gpdb.sql.validation;

import io.gpdb.sql.syntax.GroupedSubQueries;
import io.gpdb.sql.syntax.NodeSearch;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * Puts the keys with subqueries of a grouped query themselves in place of what is written like
 * them. Two subqueries written alike have different numbers for the columns that are read within
 * them ({@link OuterReferences}), and Calcite's converter, which compares the text, would not see
 * the key: it would read columns of rows in place of columns of groups.
 */
final class SharedKeys {
  private final List<SqlNode> keys = new ArrayList<>();

  private SharedKeys() {}

  /** Changes the validated query in place. */
  static void in(SqlSelect select) {
    SqlNodeList group = select.getGroup();
    if (group == null) {
      return;
    }
    SharedKeys shared = new SharedKeys();
    group.forEach(shared::add);
    if (!shared.keys.isEmpty()) {
      shared.replaceAll(select.getSelectList());
      SqlNode having = select.getHaving();
      select.setHaving(having == null ? null : shared.replaced(having));
      SqlNode qualify = select.getQualify();
      select.setQualify(qualify == null ? null : shared.replaced(qualify));
      shared.replaceAll(select.getOrderList());
    }
  }

  private void add(SqlNode key) {
    switch (key.getKind()) {
      case ROLLUP, CUBE, GROUPING_SETS, ROW -> ((SqlCall) key).getOperandList().forEach(this::add);
      default -> {
        if (key instanceof SqlNodeList list) {
          list.forEach(this::add);
        } else if (NodeSearch.hasQuery(key)) {
          keys.add(key);
        }
      }
    }
  }

  private void replaceAll(@Nullable SqlNodeList nodes) {
    for (int i = 0; nodes != null && i < nodes.size(); i++) {
      nodes.set(i, replaced(nodes.get(i)));
    }
  }

  private SqlNode replaced(SqlNode node) {
    for (SqlNode key : keys) {
      if (key.equalsDeep(node, Litmus.IGNORE)) {
        return key;
      }
    }
    if (node instanceof SqlNodeList list) {
      replaceAll(list);
    } else if (node instanceof SqlCall over
        && over.getKind() == SqlKind.OVER
        && over.operand(0) instanceof SqlCall function) {
      replaceOperands(function); // values of groups
      over.setOperand(1, replaced(over.operand(1)));
    } else if (node instanceof SqlCall call
        && !call.isA(SqlKind.QUERY)
        && !GroupedSubQueries.isOfRows(call)) {
      replaceOperands(call);
    }
    return node;
  }

  @SuppressWarnings("ReferenceEquality") // a node of the key, not one like it
  private void replaceOperands(SqlCall call) {
    int end = call.getKind() == SqlKind.AS ? 1 : call.operandCount();
    for (int i = 0; i < end; i++) {
      SqlNode operand = call.operand(i);
      SqlNode own = operand == null ? null : replaced(operand);
      if (own != operand) {
        call.setOperand(i, own);
      }
    }
  }
}
