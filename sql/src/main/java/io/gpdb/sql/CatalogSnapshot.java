package io.gpdb.sql;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All tables at one version of the catalog; never changes, so that plans may be keyed by it. */
public final class CatalogSnapshot {
  /** The catalog of a database without user tables. */
  public static final CatalogSnapshot EMPTY = new CatalogSnapshot(0, java.util.List.of());

  private final long version;
  private final Map<String, TableDef> byName;
  private final Map<Integer, TableDef> byId;
  private final NameResolution queryNames;
  private final NameResolution changeNames;

  public CatalogSnapshot(long version, Collection<TableDef> tables) {
    this.version = version;
    Map<String, TableDef> names = new TreeMap<>();
    Map<Integer, TableDef> ids = new LinkedHashMap<>();
    for (TableDef table : tables) {
      names.put(table.name(), table);
      ids.put(table.tableId(), table);
    }
    this.byName = Collections.unmodifiableMap(names);
    this.byId = Collections.unmodifiableMap(ids);
    this.queryNames = new NameResolution(byName.values(), false);
    this.changeNames = new NameResolution(byName.values(), true);
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

  /** Names as queries see them. */
  NameResolution queryNames() {
    return queryNames;
  }

  /** Names as the sources of UPDATE and DELETE see them: tables have the row id. */
  NameResolution changeNames() {
    return changeNames;
  }
}
