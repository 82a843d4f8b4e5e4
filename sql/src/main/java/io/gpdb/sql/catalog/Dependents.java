package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The views and routines that name a table, view or routine, those that name these, and so on, in
 * the order in which they are found.
 */
final class Dependents {
  private final CatalogSnapshot catalog;
  private final Map<ObjectName, ViewDef> views = new LinkedHashMap<>();
  private final Map<ObjectName, RoutineDef> routines = new LinkedHashMap<>();

  private Dependents(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  static Dependents ofRelation(ObjectName name, CatalogSnapshot catalog) {
    Dependents found = new Dependents(catalog);
    found.addReadersOf(name);
    return found;
  }

  static Dependents ofRoutine(ObjectName name, CatalogSnapshot catalog) {
    Dependents found = new Dependents(catalog);
    found.addCallersOf(name);
    found.routines.remove(name);
    return found;
  }

  private void addReadersOf(ObjectName relation) {
    catalog.views().stream().filter(view -> view.uses().contains(relation)).forEach(this::add);
    catalog.routines().stream()
        .filter(routine -> routine.uses().contains(relation))
        .forEach(this::add);
  }

  private void addCallersOf(ObjectName routine) {
    catalog.views().stream().filter(view -> view.routines().contains(routine)).forEach(this::add);
    catalog.routines().stream()
        .filter(caller -> caller.routines().contains(routine))
        .forEach(this::add);
  }

  private void add(ViewDef view) {
    if (views.put(view.fullName(), view) == null) {
      addReadersOf(view.fullName());
    }
  }

  private void add(RoutineDef routine) {
    if (routines.put(routine.fullName(), routine) == null) {
      addCallersOf(routine.fullName());
    }
  }

  Collection<ViewDef> views() {
    return views.values();
  }

  /** Whether one of those relations or routines is among them. */
  boolean isAnyOf(List<ObjectName> relations, List<ObjectName> called) {
    return relations.stream().anyMatch(views::containsKey)
        || called.stream().anyMatch(routines::containsKey);
  }

  Collection<RoutineDef> routines() {
    return routines.values();
  }

  /**
   * Throws where there are any, unless they are dropped by CASCADE.
   *
   * @param how what the first of them does with what is dropped
   */
  void admit(String how, DropBehavior behavior) {
    boolean none = views.isEmpty() && routines.isEmpty();
    if (behavior != DropBehavior.CASCADE && !none) {
      boolean view = !views.isEmpty();
      String kind = view ? "view" : "routine";
      ObjectName first = (view ? views : routines).keySet().iterator().next();
      throw new GpdbException(
          SqlCondition.OBJECT_IN_USE,
          "%s %s %s; CASCADE drops the %s too".formatted(kind, first, how, kind));
    }
  }
}
