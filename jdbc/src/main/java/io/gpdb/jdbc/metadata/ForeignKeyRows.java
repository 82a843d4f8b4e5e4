package io.gpdb.jdbc.metadata;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.TableDef;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Foreign keys as the metadata of JDBC shows them: a row for each of their columns. */
public final class ForeignKeyRows {
  private static final int PARENT_SCHEMA = 1;
  private static final int PARENT = 2;
  private static final int CHILD_SCHEMA = 5;
  private static final int CHILD = 6;
  private static final int SEQUENCE = 8;
  private static final int NAME = 11;

  private ForeignKeyRows() {}

  /** A table by its names; null means any. */
  public record Chosen(@Nullable String catalog, @Nullable String schema, @Nullable String table) {
    public static final Chosen ANY = new Chosen(null, null, null);

    private boolean is(String ofSchema, String ofTable) {
      return (catalog == null || catalog.isEmpty())
          && (schema == null || schema.equals(ofSchema))
          && (table == null || table.equals(ofTable));
    }
  }

  /** Those of the child, in the order of their parents. */
  public static List<@Nullable Object[]> imported(CatalogSnapshot catalog, Chosen child) {
    return sorted(rows(catalog, Chosen.ANY, child), PARENT_SCHEMA, PARENT);
  }

  /** Those that refer to the parent, in the order of their children. */
  public static List<@Nullable Object[]> exported(
      CatalogSnapshot catalog, Chosen parent, Chosen child) {
    return sorted(rows(catalog, parent, child), CHILD_SCHEMA, CHILD);
  }

  private static List<@Nullable Object[]> sorted(
      List<@Nullable Object[]> rows, int schema, int table) {
    rows.sort(
        Comparator.comparing((@Nullable Object[] row) -> text(row, schema))
            .thenComparing(row -> text(row, table))
            .thenComparing(row -> text(row, NAME))
            .thenComparing(row -> (Integer) Objects.requireNonNull(row[SEQUENCE])));
    return rows;
  }

  private static String text(@Nullable Object[] row, int field) {
    return (String) Objects.requireNonNull(row[field]);
  }

  private static List<@Nullable Object[]> rows(
      CatalogSnapshot catalog, Chosen parent, Chosen child) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      for (ForeignKeyDef key : table.foreignKeys()) {
        if (child.is(table.schema(), table.name())
            && parent.is(key.parentSchema(), key.parentTable())) {
          add(rows, table, key, catalog.table(key.parent()));
        }
      }
    }
    return rows;
  }

  private static void add(
      List<@Nullable Object[]> rows, TableDef table, ForeignKeyDef key, @Nullable TableDef parent) {
    int[] columns = key.columns();
    for (int i = 0; i < columns.length; i++) {
      rows.add(
          new @Nullable Object[] {
            null,
            key.parentSchema(),
            key.parentTable(),
            key.parentColumns().get(i),
            null,
            table.schema(),
            table.name(),
            table.column(columns[i]).name(),
            i + 1,
            rule(key.onUpdate()),
            rule(key.onDelete()),
            key.name(),
            parent == null ? null : referenced(key, parent),
            deferrability(key)
          });
    }
  }

  private static @Nullable String referenced(ForeignKeyDef key, TableDef parent) {
    int[] columns = key.parentColumns().stream().mapToInt(parent::indexOf).toArray();
    ReferencedKey referenced = ReferencedKey.of(parent, columns);
    return referenced == null ? null : referenced.key().name();
  }

  private static int rule(ForeignKeyDef.Action action) {
    return switch (action) {
      case NO_ACTION -> DatabaseMetaData.importedKeyNoAction;
      case RESTRICT -> DatabaseMetaData.importedKeyRestrict;
      case CASCADE -> DatabaseMetaData.importedKeyCascade;
      case SET_NULL -> DatabaseMetaData.importedKeySetNull;
      case SET_DEFAULT -> DatabaseMetaData.importedKeySetDefault;
    };
  }

  private static int deferrability(ForeignKeyDef key) {
    if (!key.deferrable()) {
      return DatabaseMetaData.importedKeyNotDeferrable;
    }
    return key.deferred()
        ? DatabaseMetaData.importedKeyInitiallyDeferred
        : DatabaseMetaData.importedKeyInitiallyImmediate;
  }
}
