package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.Roles;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.GrantKind;
import java.util.List;
import java.util.function.BiConsumer;

/** CREATE ROLE and DROP ROLE, GRANT and REVOKE. */
public final class PrivilegeChange implements Change {
  private final Roles roles;
  private final BiConsumer<Roles, Execution> work;
  private final String words;

  private PrivilegeChange(Catalog catalog, BiConsumer<Roles, Execution> work, String words) {
    this.roles = catalog.roles();
    this.work = work;
    this.words = words;
  }

  public static PrivilegeChange create(Catalog catalog, Analyzed.CreateRole create) {
    return new PrivilegeChange(
        catalog,
        (roles, x) -> roles.create(x.transaction(), create.name()),
        "create role " + create.name());
  }

  public static PrivilegeChange drop(Catalog catalog, Analyzed.DropRole drop) {
    return new PrivilegeChange(
        catalog,
        (roles, x) -> roles.drop(x.transaction(), drop.name(), drop.ifExists()),
        "drop role " + drop.name());
  }

  public static PrivilegeChange roles(Catalog catalog, Analyzed.GrantRoles grant) {
    return new PrivilegeChange(
        catalog,
        (roles, x) -> {
          if (grant.kind().grants()) {
            roles.grant(
                x.transaction(),
                grant.roles(),
                grant.grantees(),
                grant.kind() == GrantKind.GRANT_WITH_OPTION);
          } else {
            roles.revoke(
                x.transaction(),
                grant.roles(),
                grant.grantees(),
                grant.kind() == GrantKind.REVOKE_OPTION);
          }
        },
        words(grant.kind()) + " roles");
  }

  public static PrivilegeChange privileges(Catalog catalog, Analyzed.Grant grant) {
    return new PrivilegeChange(
        catalog,
        (roles, x) -> {
          if (grant.kind().grants()) {
            roles.grant(x.transaction(), grant.on(), grant.target(), grant.privileges());
          } else {
            roles.revoke(
                x.transaction(),
                grant.on(),
                grant.target(),
                grant.privileges(),
                grant.kind() == GrantKind.REVOKE_OPTION);
          }
        },
        words(grant.kind()) + " on " + grant.on());
  }

  private static String words(GrantKind kind) {
    return kind.grants() ? "grant" : "revoke";
  }

  @Override
  public long apply(Execution x) {
    work.accept(roles, x);
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(words + " [catalog]");
  }
}
