package io.gpdb.planner.constraint;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All tables that have constraints or are referred to, at one version of the catalog. */
final class ConstraintGraph {
  private final Map<Integer, ConstrainedTable> tables = new HashMap<>();
  private final Map<Reference.Id, Reference> references = new HashMap<>();

  ConstraintGraph(CatalogSnapshot catalog) {
    for (TableDef table : catalog.tables()) {
      if (!table.checks().isEmpty()) {
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

  @Nullable Reference reference(Reference.Id id) {
    return references.get(id);
  }

  List<Reference> named(String name) {
    List<Reference> found = new ArrayList<>();
    for (Reference reference : references.values()) {
      if (reference.key().name().equals(name)) {
        found.add(reference);
      }
    }
    return found;
  }
}
