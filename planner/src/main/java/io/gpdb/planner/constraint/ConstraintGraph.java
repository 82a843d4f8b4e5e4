package io.gpdb.planner.constraint;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** All tables that have constraints or are referred to, at one version of the catalog. */
final class ConstraintGraph {
  private final Map<Integer, ConstrainedTable> tables = new HashMap<>();
  private final Map<ConstraintId, Reference> references = new HashMap<>();

  private final CatalogSnapshot catalog;

  ConstraintGraph(CatalogSnapshot catalog) {
    this.catalog = catalog;
    for (TableDef table : catalog.tables()) {
      if (!table.checks().isEmpty() || !table.deferrableKeys().isEmpty()) {
        of(table);
      }
      for (ForeignKeyDef key : table.foreignKeys()) {
        add(reference(table, key, catalog));
      }
    }
  }

  private ConstrainedTable of(TableDef table) {
    return tables.computeIfAbsent(table.tableId(), _ -> new ConstrainedTable(table));
  }

  private void add(Reference reference) {
    references.put(reference.id(), reference);
    of(reference.child()).addReference(reference);
    of(reference.parent()).addReferencedBy(reference);
  }

  static Reference reference(TableDef child, ForeignKeyDef key, CatalogSnapshot catalog) {
    TableDef parent = key.parent().equals(child.fullName()) ? child : catalog.table(key.parent());
    ReferencedKey referenced =
        parent == null ? null : ReferencedKey.of(parent, key.parentColumns());
    if (parent == null || referenced == null) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "foreign key "
              + key.name()
              + " of table "
              + child.name()
              + " refers to no key of table "
              + key.parent());
    }
    int[] columns = key.parentColumns().stream().mapToInt(parent::indexOf).toArray();
    return new Reference(child, key, key.columns(), parent, columns, referenced);
  }

  boolean isEmpty() {
    return tables.isEmpty();
  }

  @Nullable ConstrainedTable table(int tableId) {
    return tables.get(tableId);
  }

  @Nullable Reference reference(ConstraintId id) {
    return references.get(id);
  }

  /** The constraints of that name, and which of them are DEFERRABLE; NOT NULL is none. */
  Map<ConstraintId, Deferrability> named(String name) {
    Map<ConstraintId, Deferrability> found = new LinkedHashMap<>();
    for (TableDef table : catalog.tables()) {
      ConstraintId id = ConstraintId.of(table, name);
      for (KeyDef key : table.keys()) {
        if (key.name().equals(name)) {
          found.put(id, Deferrability.NOT_DEFERRABLE);
        }
      }
      for (IndexDef index : table.deferrableKeys()) {
        if (index.name().equals(name)) {
          found.put(id, Objects.requireNonNull(index.key()).deferrability());
        }
      }
      for (CheckDef check : table.checks()) {
        if (check.name().equals(name)) {
          found.put(id, check.deferrability());
        }
      }
      for (ForeignKeyDef key : table.foreignKeys()) {
        if (key.name().equals(name)) {
          found.put(id, Deferrability.of(key.deferrable(), key.deferred()));
        }
      }
    }
    return found;
  }
}
