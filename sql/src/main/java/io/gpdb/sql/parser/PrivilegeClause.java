package io.gpdb.sql.parser;

import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.PrivilegeDef.Action;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The privileges of a GRANT or REVOKE. */
public final class PrivilegeClause {
  /** One privilege on a table, or on one column of it. */
  private record Item(Action action, @Nullable String column) {}

  private final List<Item> items = new ArrayList<>();

  /** Adds one privilege, on those columns where there are any. */
  public void add(Action action, @Nullable SqlNodeList columns, SqlParserPos position) {
    if (columns == null) {
      items.add(new Item(action, null));
      return;
    }
    if (!action.isOfColumns()) {
      throw ParseErrors.wrong(action + " is not a privilege on columns", position);
    }
    for (SqlNode column : columns) {
      items.add(new Item(action, ((SqlIdentifier) column).getSimple()));
    }
  }

  /** Adds all privileges on a table. */
  public void addAll() {
    for (Action action : Action.values()) {
      items.add(new Item(action, null));
    }
  }

  /** All of them for each of the grantees. */
  public List<PrivilegeDef> of(List<String> grantees, boolean grantable) {
    List<PrivilegeDef> all = new ArrayList<>();
    for (String grantee : grantees) {
      items.forEach(
          item -> all.add(new PrivilegeDef(grantee, item.action, item.column, grantable)));
    }
    return all;
  }
}
