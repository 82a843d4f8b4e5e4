package io.gpdb.session;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The current schema of a session, in which names are looked up that are written without one. */
public final class SessionSchema {
  private final CurrentTransaction current;
  private final Supplier<CatalogSnapshot> catalogs;

  SessionSchema(CurrentTransaction current, Supplier<CatalogSnapshot> catalogs) {
    this.current = current;
    this.catalogs = catalogs;
  }

  public String name() {
    return current.path().current();
  }

  /** Makes a schema the current one: that of the name as it is, else that in upper case. */
  public void set(String name) {
    CatalogSnapshot catalog = catalogs.get();
    for (String found : List.of(name, name.toUpperCase(Locale.ROOT))) {
      if (catalog.hasSchema(found) || found.equals(HostTables.SCHEMA)) {
        current.path(current.path().withCurrent(found));
        return;
      }
    }
    throw new GpdbException(SqlCondition.SCHEMA_NOT_FOUND, "schema " + name + " does not exist");
  }
}
