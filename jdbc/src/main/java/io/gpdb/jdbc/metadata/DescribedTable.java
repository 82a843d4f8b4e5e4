package io.gpdb.jdbc.metadata;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table or view as metadata shows it: of the user or of the information schema. */
public record DescribedTable(
    String schema,
    String name,
    String type,
    List<ColumnDef> columns,
    List<KeyDef> keys,
    List<IndexDef> indexes,
    @Nullable String comment) {
  public static final String USER_TABLE = "TABLE";
  public static final String SYSTEM_VIEW = "SYSTEM VIEW";
  public static final String VIEW = "VIEW";
  public static final String TEMPORARY_TABLE = "LOCAL TEMPORARY";

  /** Tables whose schema and name match, in the order of type, schema and name. */
  public static List<DescribedTable> matching(
      CatalogSnapshot catalog,
      @Nullable String catalogName,
      @Nullable String schemaPattern,
      @Nullable String namePattern) {
    List<DescribedTable> tables = new ArrayList<>();
    if (catalogName != null && !catalogName.isEmpty()) {
      return tables;
    }
    NamePattern schema = new NamePattern(schemaPattern);
    NamePattern name = new NamePattern(namePattern);
    if (schema.matches(HostTables.SCHEMA)) {
      HostTables.ALL.stream()
          .filter(table -> name.matches(table.name()))
          .sorted(Comparator.comparing(HostTable::name))
          .forEach(
              table ->
                  tables.add(
                      new DescribedTable(
                          table.schema(),
                          table.name(),
                          SYSTEM_VIEW,
                          table.columns(),
                          List.of(),
                          List.of(),
                          null)));
    }
    for (TableDef table : catalog.visibleTables()) {
      if (schema.matches(table.schema()) && name.matches(table.name())) {
        tables.add(
            new DescribedTable(
                table.schema(),
                table.name(),
                table.isTemporary() ? TEMPORARY_TABLE : USER_TABLE,
                table.columns(),
                table.keyConstraints(),
                table.indexes().stream().filter(index -> index.key() == null).toList(),
                table.comment()));
      }
    }
    for (ViewDef view : catalog.views()) {
      if (schema.matches(view.schema()) && name.matches(view.name())) {
        tables.add(
            new DescribedTable(
                view.schema(),
                view.name(),
                VIEW,
                view.columns(),
                List.of(),
                List.of(),
                view.comment()));
      }
    }
    tables.sort(
        Comparator.comparing(DescribedTable::type)
            .thenComparing(DescribedTable::schema)
            .thenComparing(DescribedTable::name));
    return tables;
  }
}
