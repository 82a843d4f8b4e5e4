package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rows of tables of INFORMATION_SCHEMA about what constraints use, what the only user may do,
 * which is all, and what was granted to roles.
 */
final class UsageRows {
  /** Strings and comments, which name nothing; names in quotes; words, and what follows them. */
  private static final Pattern NAME =
      Pattern.compile(
          "'(?:[^']|'')*'|--[^\\n\\r]*|(?s:/\\*.*?\\*/)"
              + "|\"((?:[^\"]|\"\")+)\"|([\\p{L}_][\\p{L}\\p{N}_$]*)(?!\\s*[('])");

  private static final List<String> COLUMN_RIGHTS =
      List.of("SELECT", "INSERT", "UPDATE", "REFERENCES");

  private UsageRows() {}

  static List<@Nullable Object[]> of(HostTable table, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(table, rows);
    fill(row, table.name(), catalog);
    return rows;
  }

  /** The rows of another table of the same columns, as far as they are about roles. */
  static List<@Nullable Object[]> toRoles(HostTable table, String name, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    fill(new HostRow(table, rows), name, catalog);
    return toRoles(table, rows, catalog);
  }

  /** Those rows whose grantee is a role. */
  static List<@Nullable Object[]> toRoles(
      HostTable table, List<@Nullable Object[]> rows, CatalogSnapshot catalog) {
    int grantee = table.columns().stream().map(ColumnDef::name).toList().indexOf("GRANTEE");
    rows.removeIf(row -> catalog.role(String.valueOf(row[grantee])) == null);
    return rows;
  }

  private static void fill(HostRow row, String name, CatalogSnapshot catalog) {
    switch (name) {
      case "CONSTRAINT_TABLE_USAGE" -> constraintTables(row, catalog);
      case "CONSTRAINT_COLUMN_USAGE" -> constraintColumns(row, catalog);
      case "TABLE_PRIVILEGES" -> tablePrivileges(row, catalog);
      case "COLUMN_PRIVILEGES" -> columnPrivileges(row, catalog);
      case "APPLICABLE_ROLES" -> roles(row, catalog);
      case "USAGE_PRIVILEGES" -> usagePrivileges(row, catalog);
      default -> throw new IllegalArgumentException(name);
    }
  }

  /** A foreign key uses the table that it refers to, any other constraint its own. */
  private static void constraintTables(HostRow row, CatalogSnapshot catalog) {
    for (TableDef table : catalog.visibleTables()) {
      table.keyConstraints().forEach(key -> used(row, table.fullName(), table, key.name()));
      table.foreignKeys().forEach(key -> used(row, key.parent(), table, key.name()));
      table.checks().forEach(check -> used(row, table.fullName(), table, check.name()));
    }
  }

  private static HostRow used(HostRow row, ObjectName used, TableDef of, String constraint) {
    return row.begin()
        .name("TABLE", used.schema(), used.name())
        .name("CONSTRAINT", of.schema(), constraint);
  }

  private static void constraintColumns(HostRow row, CatalogSnapshot catalog) {
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keyConstraints()) {
        for (int column : key.columns()) {
          used(row, table.fullName(), table, key.name())
              .put("COLUMN_NAME", table.column(column).name());
        }
      }
      for (ForeignKeyDef key : table.foreignKeys()) {
        for (String column : key.parentColumns()) {
          used(row, key.parent(), table, key.name()).put("COLUMN_NAME", column);
        }
      }
      for (CheckDef check : table.checks()) {
        for (String column : columnsIn(check, table)) {
          used(row, table.fullName(), table, check.name()).put("COLUMN_NAME", column);
        }
      }
    }
  }

  /** The columns of the table that a condition names, in their order. */
  private static List<String> columnsIn(CheckDef check, TableDef table) {
    List<String> names = new ArrayList<>();
    Matcher found = NAME.matcher(check.condition());
    while (found.find()) {
      String quoted = found.group(1);
      String word = found.group(2);
      if (quoted != null) {
        names.add(quoted.replace("\"\"", "\""));
      } else if (word != null) {
        names.add(word.toUpperCase(Locale.ROOT));
      }
    }
    return table.columns().stream().map(ColumnDef::name).filter(names::contains).toList();
  }

  private static void tablePrivileges(HostRow row, CatalogSnapshot catalog) {
    for (TableDef table : catalog.visibleTables()) {
      for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES")) {
        tablePrivilege(row, table.fullName(), right);
      }
      granted(row, table.fullName(), table.privileges());
    }
    for (ViewDef view : catalog.views()) {
      for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE")) {
        if (right.equals("SELECT") || catalog.isUpdatable(view)) {
          tablePrivilege(row, view.fullName(), right);
        }
      }
      granted(row, view.fullName(), view.privileges());
    }
  }

  private static void tablePrivilege(HostRow row, ObjectName table, String right) {
    privilege(row, right).name("TABLE", table.schema(), table.name()).yes("WITH_HIERARCHY", false);
  }

  private static void granted(HostRow row, ObjectName table, List<PrivilegeDef> privileges) {
    for (PrivilegeDef each : privileges) {
      if (each.column() == null) {
        granted(row, each).name("TABLE", table.schema(), table.name()).yes("WITH_HIERARCHY", false);
      }
    }
  }

  static HostRow granted(HostRow row, PrivilegeDef privilege) {
    return row.begin()
        .put("GRANTOR", SchemaNames.USER)
        .put("GRANTEE", privilege.grantee())
        .put("PRIVILEGE_TYPE", privilege.action().name())
        .yes("IS_GRANTABLE", privilege.grantable());
  }

  /** What was granted on columns, and on the others of them by what was granted on the table. */
  private static void grantedColumns(
      HostRow row, ObjectName table, List<ColumnDef> columns, List<PrivilegeDef> privileges) {
    for (ColumnDef column : columns) {
      List<PrivilegeDef> own =
          privileges.stream().filter(each -> column.name().equals(each.column())).toList();
      for (PrivilegeDef each : privileges) {
        boolean ofTable =
            each.column() == null
                && each.action().isOfColumns()
                && own.stream().noneMatch(each.withColumn(column.name())::isOfSame);
        if (ofTable || own.contains(each)) {
          granted(row, each)
              .name("TABLE", table.schema(), table.name())
              .put("COLUMN_NAME", column.name());
        }
      }
    }
  }

  /** The user made all roles, and may grant them. */
  private static void roles(HostRow row, CatalogSnapshot catalog) {
    for (RoleDef role : catalog.roles()) {
      row.begin()
          .put("GRANTEE", SchemaNames.USER)
          .put("ROLE_NAME", role.name())
          .yes("IS_GRANTABLE", true)
          .put("GRANTOR", "_SYSTEM");
      for (RoleDef.Member member : role.members()) {
        row.begin()
            .put("GRANTEE", member.grantee())
            .put("ROLE_NAME", role.name())
            .yes("IS_GRANTABLE", member.admin())
            .put("GRANTOR", SchemaNames.USER);
      }
    }
  }

  static HostRow privilege(HostRow row, String right) {
    return row.begin()
        .put("GRANTOR", "_SYSTEM")
        .put("GRANTEE", SchemaNames.USER)
        .put("PRIVILEGE_TYPE", right)
        .yes("IS_GRANTABLE", true);
  }

  private static void columnPrivileges(HostRow row, CatalogSnapshot catalog) {
    for (TableDef table : catalog.visibleTables()) {
      columnPrivileges(row, table.fullName(), table.columns(), COLUMN_RIGHTS);
      grantedColumns(row, table.fullName(), table.columns(), table.privileges());
    }
    for (ViewDef view : catalog.views()) {
      columnPrivileges(
          row,
          view.fullName(),
          view.columns(),
          COLUMN_RIGHTS.subList(0, catalog.isUpdatable(view) ? 3 : 1));
      grantedColumns(row, view.fullName(), view.columns(), view.privileges());
    }
  }

  private static void columnPrivileges(
      HostRow row, ObjectName table, List<ColumnDef> columns, List<String> rights) {
    for (ColumnDef column : columns) {
      for (String right : rights) {
        privilege(row, right)
            .name("TABLE", table.schema(), table.name())
            .put("COLUMN_NAME", column.name());
      }
    }
  }

  private static void usagePrivileges(HostRow row, CatalogSnapshot catalog) {
    for (SequenceDef sequence : catalog.sequences()) {
      if (!sequence.owned()) {
        privilege(row, "USAGE")
            .name("OBJECT", sequence.schema(), sequence.name())
            .put("OBJECT_TYPE", "SEQUENCE");
      }
    }
    for (DomainDef domain : DomainRows.only(false, catalog)) {
      ofDomain(privilege(row, "USAGE"), domain);
      domain.value().privileges().forEach(each -> ofDomain(granted(row, each), domain));
    }
  }

  private static void ofDomain(HostRow row, DomainDef domain) {
    row.name("OBJECT", domain.fullName().schema(), domain.fullName().name())
        .put("OBJECT_TYPE", "DOMAIN");
  }
}
