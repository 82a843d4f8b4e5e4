package io.gpdb.sql.parser;

import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.PrivilegeDef.Action;
import io.gpdb.sql.definition.PrivilegeDef.Target;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  private boolean all;
  private Target target = Target.TABLE;
  private @Nullable RoutineReference routine;

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

  /** Adds all privileges that there are on what is named. */
  public void addAll() {
    all = true;
  }

  /** Says that they are on a routine. */
  public void on(RoutineReference reference) {
    routine = reference;
    target = Target.ROUTINE;
  }

  /** Says that they are on a domain. */
  public void onDomain() {
    target = Target.DOMAIN;
  }

  public Target target() {
    return target;
  }

  /** The routine that they are on; null for anything else. */
  public @Nullable RoutineReference routine() {
    return routine;
  }

  /** All of them for each of the grantees. */
  public List<PrivilegeDef> of(List<String> grantees, boolean grantable) {
    List<PrivilegeDef> privileges = new ArrayList<>();
    for (String grantee : grantees) {
      for (Item item : written()) {
        privileges.add(new PrivilegeDef(grantee, item.action, item.column, grantable));
      }
    }
    return privileges;
  }

  private List<Item> written() {
    List<Item> written = new ArrayList<>(items);
    for (Action action : Action.values()) {
      if (all && action.target() == target) {
        written.add(new Item(action, null));
      }
    }
    for (Item item : written) {
      if (item.action.target() != target) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            item.action + " is not a privilege on a " + target.name().toLowerCase(Locale.ROOT));
      }
    }
    return written;
  }
}
