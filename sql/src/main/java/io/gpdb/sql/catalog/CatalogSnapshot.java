package io.gpdb.sql.catalog;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All tables at one version of the catalog; never changes, so that plans may be keyed by it. */
public final class CatalogSnapshot {
  /** The catalog of a database without user tables. */
  public static final CatalogSnapshot EMPTY = new CatalogSnapshot(0, List.of());

  private final long version;
  private final Map<String, TableDef> byName;
  private final Map<Integer, TableDef> byId;
  private final NameResolution names;

  public CatalogSnapshot(long version, Collection<TableDef> tables) {
    this.version = version;
    Map<String, TableDef> sorted = new TreeMap<>();
    Map<Integer, TableDef> ids = new LinkedHashMap<>();
    for (TableDef table : tables) {
      sorted.put(table.name(), table);
      ids.put(table.tableId(), table);
    }
    this.byName = Collections.unmodifiableMap(sorted);
    this.byId = Collections.unmodifiableMap(ids);
    this.names = new NameResolution(byName.values());
  }

  /** Grows with every change of the catalog; two snapshots of one version are equal. */
  public long version() {
    return version;
  }

  /** User tables in the order of their names. */
  public Collection<TableDef> tables() {
    return byName.values();
  }

  public @Nullable TableDef table(String name) {
    return byName.get(name);
  }

  public @Nullable TableDef table(int tableId) {
    return byId.get(tableId);
  }

  public NameResolution names() {
    return names;
  }
}
