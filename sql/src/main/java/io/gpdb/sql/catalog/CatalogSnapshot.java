package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.jspecify.annotations.Nullable;

/**
 * All tables and views at one version of the catalog, with the path of schemas by which names
 * without a schema are resolved; never changes, so that plans may be keyed by version and path.
 */
public final class CatalogSnapshot {
  /** The catalog of a database without user tables. */
  public static final CatalogSnapshot EMPTY = new CatalogSnapshot(0, List.of());

  private final Contents contents;
  private final SchemaPath path;

  /** What all snapshots of one version share. */
  private record Contents(
      long version,
      Map<ObjectName, TableDef> tables,
      Map<Integer, TableDef> tablesById,
      Map<ObjectName, ViewDef> views,
      Map<Integer, SequenceDef> sequences,
      Map<String, SchemaDef> schemas,
      Map<String, RoleDef> roles,
      Map<ObjectName, DomainDef> domains,
      Map<ObjectName, RoutineDef> routines,
      NameResolution names,
      Map<SchemaPath, CatalogSnapshot> byPath) {}

  public CatalogSnapshot(long version, Collection<TableDef> tables) {
    this(version, CatalogObjects.of(tables));
  }

  CatalogSnapshot(long version, CatalogObjects objects) {
    Map<Integer, SequenceDef> sequences = new TreeMap<>();
    for (SequenceDef sequence : objects.sequences()) {
      sequences.put(sequence.sequenceId(), sequence);
    }
    Map<ObjectName, ViewDef> views = new TreeMap<>();
    for (ViewDef view : objects.views()) {
      views.put(view.fullName(), view);
    }
    Map<ObjectName, TableDef> tables = new TreeMap<>();
    Map<Integer, TableDef> ids = new LinkedHashMap<>();
    for (TableDef table : objects.tables()) {
      tables.put(table.fullName(), table);
    }
    for (TableDef table : tables.values()) {
      ids.put(table.tableId(), table);
    }
    Map<String, SchemaDef> schemas = new HashMap<>();
    for (SchemaDef schema : objects.schemas()) {
      schemas.put(schema.name(), schema);
    }
    Map<String, RoleDef> roles = new TreeMap<>();
    for (RoleDef role : objects.roles()) {
      roles.put(role.name(), role);
    }
    Map<ObjectName, DomainDef> domains = new TreeMap<>();
    for (DomainDef domain : objects.domains()) {
      domains.put(domain.fullName(), domain);
    }
    Map<ObjectName, RoutineDef> routines = new TreeMap<>();
    for (RoutineDef routine : objects.routines()) {
      routines.put(routine.fullName(), routine);
    }
    path = SchemaPath.PUBLIC;
    contents =
        new Contents(
            version,
            Collections.unmodifiableMap(tables),
            Collections.unmodifiableMap(ids),
            Collections.unmodifiableMap(views),
            Collections.unmodifiableMap(sequences),
            Collections.unmodifiableMap(schemas),
            Collections.unmodifiableMap(roles),
            Collections.unmodifiableMap(domains),
            Collections.unmodifiableMap(routines),
            new NameResolution(tables.values(), schemas.keySet()),
            new ConcurrentHashMap<>());
  }

  private CatalogSnapshot(Contents contents, SchemaPath path) {
    this.contents = contents;
    this.path = path;
  }

  /** The catalog of one table alone, as a session sees it that may use the table. */
  public static CatalogSnapshot of(TableDef table) {
    return of(List.of(table));
  }

  /** As {@link #of(TableDef)}, of several tables. */
  public static CatalogSnapshot of(List<TableDef> tables) {
    CatalogSnapshot alone = new CatalogSnapshot(0, tables);
    for (TableDef table : tables) {
      if (table.isTemporary()) {
        return alone.in(alone.path.withTemporary(table.schema()));
      }
    }
    return alone;
  }

  /** The same catalog for a session that looks names up by that path. */
  public CatalogSnapshot in(SchemaPath other) {
    if (path.equals(other)) {
      return this;
    }
    return contents.byPath.computeIfAbsent(other, p -> new CatalogSnapshot(contents, p));
  }

  /** Where names without a schema are looked up. */
  public SchemaPath path() {
    return path;
  }

  /**
   * Grows with every change of the catalog; two snapshots of one version are equal but for their
   * paths.
   */
  public long version() {
    return contents.version;
  }

  /** User tables in the order of their schemas and names, temporary ones of all sessions too. */
  public Collection<TableDef> tables() {
    return contents.tables.values();
  }

  /** The tables that the session may see: not the temporary ones of others. */
  public List<TableDef> visibleTables() {
    return tables().stream().filter(table -> isVisible(table.schema())).toList();
  }

  private boolean isVisible(String schema) {
    return !SchemaNames.isHidden(schema) || schema.equals(path.temporary());
  }

  /** The table that a name without a schema means. */
  public @Nullable TableDef table(String name) {
    return table(resolve(name));
  }

  public @Nullable TableDef table(ObjectName name) {
    return contents.tables.get(name);
  }

  public @Nullable TableDef table(int tableId) {
    return contents.tablesById.get(tableId);
  }

  /** In the order of their schemas and names. */
  public Collection<ViewDef> views() {
    return contents.views.values();
  }

  /** The view that a name without a schema means. */
  public @Nullable ViewDef view(String name) {
    return view(resolve(name));
  }

  public @Nullable ViewDef view(ObjectName name) {
    return contents.views.get(name);
  }

  /** What a name without a schema means: a temporary table, else what the current schema has. */
  public ObjectName resolve(String name) {
    String temporary = path.temporary();
    if (temporary != null) {
      ObjectName own = new ObjectName(temporary, name);
      if (contents.tables.containsKey(own)) {
        return own;
      }
    }
    return new ObjectName(path.current(), name);
  }

  /** Names of all schemas that tables can be created in, in their order. */
  public Collection<String> schemas() {
    Collection<String> names = new TreeSet<>(contents.schemas.keySet());
    names.add(SchemaNames.PUBLIC);
    return names;
  }

  public boolean hasSchema(String name) {
    return name.equals(SchemaNames.PUBLIC) || contents.schemas.containsKey(name);
  }

  /** Throws 3F000 unless tables can be created in the schema. */
  public void requireSchema(String name) {
    if (!hasSchema(name) && !name.equals(path.temporary())) {
      throw missingSchema(name);
    }
  }

  static GpdbException missingSchema(String name) {
    return new GpdbException(SqlCondition.SCHEMA_NOT_FOUND, "schema " + name + " does not exist");
  }

  /** The definition of a schema; null where there is none, and for PUBLIC without a comment. */
  public @Nullable SchemaDef schema(String name) {
    return contents.schemas.get(name);
  }

  /** In the order of their names. */
  public Collection<RoleDef> roles() {
    return contents.roles.values();
  }

  public @Nullable RoleDef role(String name) {
    return contents.roles.get(name);
  }

  /** In the order of their schemas and names. */
  public Collection<DomainDef> domains() {
    return contents.domains.values();
  }

  public @Nullable DomainDef domain(ObjectName name) {
    return contents.domains.get(name);
  }

  /** Whether a type of the catalog is distinct, so that not all values compare. */
  public boolean hasDistinctTypes() {
    for (DomainDef domain : contents.domains.values()) {
      if (domain.isDistinct()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a name is that of a distinct type. */
  public boolean isDistinct(ObjectName name) {
    DomainDef type = domain(name);
    return type != null && type.isDistinct();
  }

  /** The distinct type that a function of that name casts to or from; null where none does. */
  public @Nullable DomainDef castBy(ObjectName function) {
    for (DomainDef type : domains()) {
      String name = function.name();
      if (type.fullName().schema().equals(function.schema())
          && (name.equals(type.toDistinct()) || name.equals(type.toSource()))) {
        return type;
      }
    }
    return null;
  }

  /** Functions and procedures in the order of their schemas and names. */
  public Collection<RoutineDef> routines() {
    return contents.routines.values();
  }

  public @Nullable RoutineDef routine(ObjectName name) {
    return contents.routines.get(name);
  }

  /** All sequences, those of identity columns too. */
  public Collection<SequenceDef> sequences() {
    return contents.sequences.values();
  }

  /** The sequence that a name without a schema means. */
  public @Nullable SequenceDef sequence(String name) {
    return sequence(new ObjectName(path.current(), name));
  }

  /** The sequence of that name that no column owns. */
  public @Nullable SequenceDef sequence(ObjectName name) {
    for (SequenceDef sequence : sequences()) {
      if (!sequence.owned() && sequence.fullName().equals(name)) {
        return sequence;
      }
    }
    return null;
  }

  /** The same catalog with names looked up where those in a table's DEFAULT and CHECK are. */
  public CatalogSnapshot inSchemaOf(TableDef table) {
    return table.isTemporary() ? this : in(new SchemaPath(null, table.schema()));
  }

  /** The sequence that numbers an identity column. */
  public SequenceDef sequence(IdentityDef identity) {
    SequenceDef sequence = contents.sequences.get(identity.sequenceId());
    if (sequence == null) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "the catalog has no sequence " + identity.sequenceId());
    }
    return sequence;
  }

  /** The views that name a table or view in their queries. */
  public List<ViewDef> readersOf(ObjectName name) {
    return views().stream().filter(view -> view.uses().contains(name)).toList();
  }

  /** Throws where the view, or one that it reads, reads what does not exist. */
  public void requireComplete(ViewDef view) {
    MissingRelation missing = missing(view);
    if (missing != null) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          "view "
              + missing.reader.fullName()
              + " reads "
              + missing.name
              + ", which does not exist");
    }
  }

  private record MissingRelation(ViewDef reader, ObjectName name) {}

  private @Nullable MissingRelation missing(ViewDef view) {
    for (ObjectName used : view.uses()) {
      ViewDef below = view(used);
      if (below == null && table(used) == null) {
        return new MissingRelation(view, used);
      }
      MissingRelation missing = below == null ? null : missing(below);
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  /** Whether rows can be changed through the view. */
  public boolean isUpdatable(ViewDef view) {
    if (missing(view) != null) {
      return false;
    }
    ObjectName base = view.base();
    while (base != null && table(base) == null) {
      ViewDef below = view(base);
      base = below == null ? null : below.base();
    }
    return base != null;
  }

  /** The table with an index of that name, which no two indexes of a schema have; null: none. */
  public @Nullable TableDef tableOfIndex(ObjectName index) {
    for (TableDef table : tables()) {
      if (table.schema().equals(index.schema()) && table.index(index.name()) != null) {
        return table;
      }
    }
    return null;
  }

  /** The views that name a table or view, those that name these, and so on, also by functions. */
  public Collection<ViewDef> allReadersOf(ObjectName name) {
    return Dependents.ofRelation(name, this).views();
  }

  /** The names as Calcite looks them up by the path. */
  public CalciteCatalogReader reader() {
    return contents.names.reader(path);
  }
}
