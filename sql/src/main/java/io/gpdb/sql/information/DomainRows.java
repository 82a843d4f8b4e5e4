package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of DOMAINS, DOMAIN_CONSTRAINTS, COLUMN_DOMAIN_USAGE and USER_DEFINED_TYPES. */
final class DomainRows {
  private DomainRows() {}

  static List<@Nullable Object[]> domains(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (DomainDef domain : only(false, catalog)) {
      ObjectName name = domain.fullName();
      row.begin()
          .name("DOMAIN", name.schema(), name.name())
          .put("DOMAIN_DEFAULT", domain.column().defaultSql());
      TableRows.type(row, domain.column().type());
    }
    return rows;
  }

  /** The domains, or the distinct types. */
  static List<DomainDef> only(boolean distinct, CatalogSnapshot catalog) {
    return catalog.domains().stream().filter(each -> each.isDistinct() == distinct).toList();
  }

  static List<@Nullable Object[]> types(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (DomainDef type : only(true, catalog)) {
      ObjectName name = type.fullName();
      row.begin()
          .name("USER_DEFINED_TYPE", name.schema(), name.name())
          .put("USER_DEFINED_TYPE_CATEGORY", "DISTINCT")
          .yes("IS_INSTANTIABLE", true)
          .yes("IS_FINAL", true)
          .put("ORDERING_FORM", "FULL")
          .put("ORDERING_CATEGORY", "MAP")
          .put("SOURCE_DTD_IDENTIFIER", name.name())
          .put("CAST_TO_DISTINCT", type.toDistinct())
          .put("CAST_TO_SOURCE", type.toSource());
      TableRows.type(row, type.column().type());
    }
    return rows;
  }

  /** The columns that are declared with a domain. */
  static List<@Nullable Object[]> columns(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (TableDef table : catalog.visibleTables()) {
      for (ColumnDef column : table.columns()) {
        ObjectName domain = column.domain();
        if (domain != null && !catalog.isDistinct(domain)) {
          row.begin()
              .name("DOMAIN", domain.schema(), domain.name())
              .name("TABLE", table.schema(), table.name())
              .put("COLUMN_NAME", column.name());
        }
      }
    }
    return rows;
  }

  /** CHECK constraints, and NOT NULL as the check that it is. */
  static List<@Nullable Object[]> constraints(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (DomainDef domain : only(false, catalog)) {
      ObjectName name = domain.fullName();
      for (CheckDef check : checks(domain)) {
        row.begin()
            .name("CONSTRAINT", name.schema(), check.name())
            .name("DOMAIN", name.schema(), name.name())
            .yes("IS_DEFERRABLE", check.deferrability().isDeferrable())
            .yes("INITIALLY_DEFERRED", check.deferrability().isDeferred())
            .put("CHECK_CLAUSE", check.condition());
      }
    }
    return rows;
  }

  static List<CheckDef> checks(DomainDef domain) {
    List<CheckDef> checks = new ArrayList<>();
    String notNull = domain.column().notNullName();
    if (!domain.column().nullable()) {
      checks.add(
          new CheckDef(
              notNull == null ? domain.fullName().name() + "_NOT_NULL" : notNull,
              "VALUE IS NOT NULL"));
    }
    checks.addAll(domain.value().checks());
    return checks;
  }
}
