package io.gpdb.sql.catalog;

import java.util.ArrayList;
import java.util.List;

/** All that the catalog's rows define, by kind, in the order of the rows. */
record CatalogObjects(
    List<TableDef> tables,
    List<ViewDef> views,
    List<SequenceDef> sequences,
    List<SchemaDef> schemas) {
  CatalogObjects() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }
}
