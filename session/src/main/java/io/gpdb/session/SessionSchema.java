package io.gpdb.session;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.InformationSchema;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Locale;

/** The current schema of a session, in which names are looked up that are written without one. */
public final class SessionSchema {
  private final Session session;

  SessionSchema(Session session) {
    this.session = session;
  }

  public String name() {
    return session.current().path().current();
  }

  /** Makes a schema the current one: that of the name as it is, else that in upper case. */
  public void set(String name) {
    CatalogSnapshot catalog = session.catalog();
    for (String found : List.of(name, name.toUpperCase(Locale.ROOT))) {
      if (catalog.hasSchema(found) || found.equals(InformationSchema.SCHEMA)) {
        session.current().path(session.current().path().withCurrent(found));
        return;
      }
    }
    throw new GpdbException(SqlCondition.SCHEMA_NOT_FOUND, "schema " + name + " does not exist");
  }
}
