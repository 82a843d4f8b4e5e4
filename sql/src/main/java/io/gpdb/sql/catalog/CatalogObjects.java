package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** All that the catalog's rows define, by kind, in the order of the rows. */
record CatalogObjects(
    List<TableDef> tables,
    List<ViewDef> views,
    List<SequenceDef> sequences,
    List<SchemaDef> schemas,
    List<RoleDef> roles,
    List<DomainDef> domains,
    List<RoutineDef> routines) {
  CatalogObjects() {
    this(
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  /** Tables alone. */
  static CatalogObjects of(Collection<TableDef> tables) {
    CatalogObjects objects = new CatalogObjects();
    objects.tables.addAll(tables);
    return objects;
  }
}
