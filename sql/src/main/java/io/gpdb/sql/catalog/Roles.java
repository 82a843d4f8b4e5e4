package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.PrivilegeDef.Target;
import io.gpdb.sql.definition.Privileges;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Roles and what is granted to them, recorded and nothing else: the one user, to whom all belongs,
 * may do everything, and nobody acts as a role.
 */
public final class Roles {
  private final Catalog catalog;

  Roles(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Whether GRANT means the one user, who needs no privileges. */
  private static boolean isUser(String grantee) {
    return grantee.toLowerCase(Locale.ROOT).equals(SchemaNames.USER);
  }

  public void create(Transaction transaction, String name) {
    if (name.equals(RoleDef.EVERYBODY) || name.equals("NONE") || isUser(name)) {
      throw new GpdbException(SqlCondition.INVALID_STATEMENT, name + " cannot be a role");
    }
    CatalogSnapshot before = catalog.snapshot(transaction);
    if (before.role(name) != null) {
      throw new GpdbException(SqlCondition.CONSTRAINT_EXISTS, "role " + name + " already exists");
    }
    catalog.changeForOneMore(transaction, before);
    SystemTable.insertRole(transaction, new RoleDef(catalog.newTableId(), name, List.of()));
  }

  /** Drops the role and takes away whatever was granted to it. */
  public void drop(Transaction transaction, String name, boolean ifExists) {
    RoleDef role = catalog.snapshot(transaction).role(name);
    if (role == null && ifExists) {
      return;
    }
    RoleDef dropped = require(catalog.snapshot(transaction), name);
    catalog.change(transaction);
    SystemTable.deleteRole(transaction, dropped);
    CatalogSnapshot rest = catalog.snapshot(transaction);
    for (RoleDef other : rest.roles()) {
      removeMember(transaction, other, name, false);
    }
    for (TableDef table : rest.tables()) {
      if (table.privileges().stream().anyMatch(p -> p.grantee().equals(name))) {
        catalog.redefineTable(transaction, table.withPrivileges(not(name, table.privileges())));
      }
    }
    for (ViewDef view : rest.views()) {
      if (view.privileges().stream().anyMatch(p -> p.grantee().equals(name))) {
        catalog.views().redefine(transaction, view.withPrivileges(not(name, view.privileges())));
      }
    }
    revokeOnRoutines(transaction, rest, name);
    for (DomainDef domain : rest.domains()) {
      if (domain.value().privileges().stream().anyMatch(p -> p.grantee().equals(name))) {
        changeOnDomain(transaction, domain, domain.fullName(), all -> not(name, all));
      }
    }
  }

  private void revokeOnRoutines(Transaction transaction, CatalogSnapshot rest, String grantee) {
    for (RoutineDef routine : rest.routines()) {
      if (routine.privileges().stream().anyMatch(p -> p.grantee().equals(grantee))) {
        catalog
            .routines()
            .redefine(transaction, routine.withPrivileges(not(grantee, routine.privileges())));
      }
    }
  }

  private static List<PrivilegeDef> not(String grantee, List<PrivilegeDef> privileges) {
    return privileges.stream().filter(p -> !p.grantee().equals(grantee)).toList();
  }

  private static RoleDef require(CatalogSnapshot snapshot, String name) {
    RoleDef role = snapshot.role(name);
    if (role == null) {
      throw new GpdbException(SqlCondition.OBJECT_NOT_FOUND, "role " + name + " does not exist");
    }
    return role;
  }

  private static void requireGrantee(CatalogSnapshot snapshot, String name) {
    if (!name.equals(RoleDef.EVERYBODY) && !isUser(name) && snapshot.role(name) == null) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_FOUND,
          "there is no role " + name + ", and no user but " + SchemaNames.USER);
    }
  }

  /**
   * Grants roles to others.
   *
   * @param admin whether those may grant them
   */
  public void grant(
      Transaction transaction, List<String> roles, List<String> grantees, boolean admin) {
    for (String name : roles) {
      for (String grantee : grantees) {
        CatalogSnapshot before = catalog.snapshot(transaction);
        RoleDef role = require(before, name);
        requireGrantee(before, grantee);
        requireNoCircle(before, name, grantee);
        if (!isUser(grantee)) {
          boolean wasAdmin = role.members().contains(new RoleDef.Member(grantee, true));
          List<RoleDef.Member> members = others(role, grantee);
          members.add(new RoleDef.Member(grantee, admin || wasAdmin));
          redefine(transaction, role.withMembers(members));
        }
      }
    }
  }

  /**
   * Takes roles away from others.
   *
   * @param adminOnly whether those keep them and lose their ADMIN OPTION
   */
  public void revoke(
      Transaction transaction, List<String> roles, List<String> grantees, boolean adminOnly) {
    for (String name : roles) {
      for (String grantee : grantees) {
        CatalogSnapshot before = catalog.snapshot(transaction);
        requireGrantee(before, grantee);
        removeMember(transaction, require(before, name), grantee, adminOnly);
      }
    }
  }

  private void removeMember(
      Transaction transaction, RoleDef role, String grantee, boolean adminOnly) {
    if (role.isGrantedTo(grantee)) {
      List<RoleDef.Member> members = others(role, grantee);
      if (adminOnly) {
        members.add(new RoleDef.Member(grantee, false));
      }
      redefine(transaction, role.withMembers(members));
    }
  }

  private static List<RoleDef.Member> others(RoleDef role, String grantee) {
    List<RoleDef.Member> members = new ArrayList<>(role.members());
    members.removeIf(member -> member.grantee().equals(grantee));
    return members;
  }

  private void redefine(Transaction transaction, RoleDef role) {
    catalog.change(transaction);
    SystemTable.deleteRole(transaction, role);
    SystemTable.insertRole(transaction, role);
  }

  /** No role is granted to itself, through others neither. */
  private static void requireNoCircle(CatalogSnapshot snapshot, String role, String grantee) {
    if (role.equals(grantee)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "role " + role + " would be granted to itself");
    }
    for (RoleDef held : snapshot.roles()) {
      if (held.isGrantedTo(role)) {
        requireNoCircle(snapshot, held.name(), grantee);
      }
    }
  }

  /** Grants privileges on one object, each to the grantee that it names. */
  public void grant(
      Transaction transaction, ObjectName on, Target target, List<PrivilegeDef> privileges) {
    change(transaction, on, target, privileges, before -> Privileges.with(before, privileges));
  }

  /**
   * Revokes privileges on one object, each from the grantee that it names.
   *
   * @param optionOnly whether those keep them and lose their GRANT OPTION
   */
  public void revoke(
      Transaction transaction,
      ObjectName on,
      Target target,
      List<PrivilegeDef> privileges,
      boolean optionOnly) {
    change(
        transaction,
        on,
        target,
        privileges,
        before -> Privileges.without(before, privileges, optionOnly));
  }

  private void change(
      Transaction transaction,
      ObjectName on,
      Target target,
      List<PrivilegeDef> privileges,
      UnaryOperator<List<PrivilegeDef>> change) {
    CatalogSnapshot before = catalog.snapshot(transaction);
    privileges.forEach(each -> requireGrantee(before, each.grantee()));
    switch (target) {
      case ROUTINE -> {
        RoutineDef routine = Objects.requireNonNull(before.routine(on));
        catalog
            .routines()
            .redefine(
                transaction, routine.withPrivileges(recorded(change.apply(routine.privileges()))));
      }
      case DOMAIN -> changeOnDomain(transaction, before.domain(on), on, change);
      case TABLE -> changeOnTable(transaction, before, on, privileges, change);
    }
  }

  private void changeOnDomain(
      Transaction transaction,
      @Nullable DomainDef domain,
      ObjectName on,
      UnaryOperator<List<PrivilegeDef>> change) {
    if (domain == null || domain.isDistinct()) {
      throw new GpdbException(SqlCondition.OBJECT_NOT_FOUND, "domain " + on + " does not exist");
    }
    TableDef value = domain.value();
    catalog
        .domains()
        .replace(
            transaction,
            domain,
            domain.withValue(value.withPrivileges(recorded(change.apply(value.privileges())))));
  }

  private void changeOnTable(
      Transaction transaction,
      CatalogSnapshot before,
      ObjectName on,
      List<PrivilegeDef> privileges,
      UnaryOperator<List<PrivilegeDef>> change) {
    TableDef table = before.table(on);
    ViewDef view = before.view(on);
    if (table != null) {
      requireColumns(on, table.columns(), privileges);
      catalog.redefineTable(
          transaction, table.withPrivileges(recorded(change.apply(table.privileges()))));
    } else if (view != null) {
      requireColumns(on, view.columns(), privileges);
      catalog
          .views()
          .redefine(transaction, view.withPrivileges(recorded(change.apply(view.privileges()))));
    } else {
      throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, "table " + on + " does not exist");
    }
  }

  /** The user has all privileges without any grant. */
  private static List<PrivilegeDef> recorded(List<PrivilegeDef> privileges) {
    return privileges.stream().filter(each -> !isUser(each.grantee())).toList();
  }

  private static void requireColumns(
      ObjectName on, List<ColumnDef> columns, List<PrivilegeDef> privileges) {
    for (PrivilegeDef each : privileges) {
      String column = each.column();
      if (column != null && columns.stream().noneMatch(c -> c.name().equals(column))) {
        throw new GpdbException(
            SqlCondition.COLUMN_NOT_FOUND, "column " + column + " does not exist in table " + on);
      }
    }
  }
}
