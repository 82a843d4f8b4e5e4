package io.gpdb.sql.catalog;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All tables and views at one version of the catalog; never changes, so that plans may be keyed by
 * it.
 */
public final class CatalogSnapshot {
  /** The catalog of a database without user tables. */
  public static final CatalogSnapshot EMPTY = new CatalogSnapshot(0, List.of());

  private final long version;
  private final Map<String, TableDef> byName;
  private final Map<Integer, TableDef> byId;
  private final Map<String, ViewDef> views;
  private final Map<Integer, SequenceDef> sequences;
  private final NameResolution names;

  public CatalogSnapshot(long version, Collection<TableDef> tables) {
    this(version, new CatalogObjects(List.copyOf(tables), List.of(), List.of()));
  }

  CatalogSnapshot(long version, CatalogObjects objects) {
    this.version = version;
    Map<String, ViewDef> sortedViews = new TreeMap<>();
    objects.views().forEach(view -> sortedViews.put(view.name(), view));
    this.views = Collections.unmodifiableMap(sortedViews);
    Map<Integer, SequenceDef> sequencesById = new TreeMap<>();
    objects.sequences().forEach(sequence -> sequencesById.put(sequence.sequenceId(), sequence));
    this.sequences = Collections.unmodifiableMap(sequencesById);
    Map<String, TableDef> sorted = new TreeMap<>();
    Map<Integer, TableDef> ids = new LinkedHashMap<>();
    for (TableDef table : objects.tables()) {
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

  /** In the order of their names. */
  public Collection<ViewDef> views() {
    return views.values();
  }

  public @Nullable ViewDef view(String name) {
    return views.get(name);
  }

  /** All sequences, those of identity columns too. */
  public Collection<SequenceDef> sequences() {
    return sequences.values();
  }

  /** The sequence of that name that no column owns. */
  public @Nullable SequenceDef sequence(String name) {
    for (SequenceDef sequence : sequences.values()) {
      if (!sequence.owned() && sequence.name().equals(name)) {
        return sequence;
      }
    }
    return null;
  }

  /** The sequence that numbers an identity column. */
  public SequenceDef sequence(IdentityDef identity) {
    SequenceDef sequence = sequences.get(identity.sequenceId());
    if (sequence == null) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "the catalog has no sequence " + identity.sequenceId());
    }
    return sequence;
  }

  /** The views that name a table or view in their queries. */
  public List<ViewDef> readersOf(String name) {
    return views.values().stream().filter(view -> view.uses().contains(name)).toList();
  }

  /** The table with an index of that name, which no two indexes of a schema have; null: none. */
  public @Nullable TableDef tableOfIndex(String index) {
    for (TableDef table : byName.values()) {
      if (table.index(index) != null) {
        return table;
      }
    }
    return null;
  }

  /** Those views, the views that name them, and so on. */
  Collection<ViewDef> allReadersOf(String name) {
    Map<String, ViewDef> found = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      for (ViewDef reader : readersOf(open.remove())) {
        if (found.put(reader.name(), reader) == null) {
          open.add(reader.name());
        }
      }
    }
    return found.values();
  }

  public NameResolution names() {
    return names;
  }
}
