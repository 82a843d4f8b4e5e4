package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import java.util.ArrayList;
import java.util.List;

/** All that the catalog's rows define, by kind, in the order of the rows. */
record CatalogObjects(
    List<TableDef> tables,
    List<ViewDef> views,
    List<SequenceDef> sequences,
    List<SchemaDef> schemas,
    List<RoleDef> roles,
    List<DomainDef> domains) {
  CatalogObjects() {
    this(
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }
}
