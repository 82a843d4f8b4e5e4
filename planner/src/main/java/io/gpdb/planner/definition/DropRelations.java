package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Locale;

/** DROP TABLE and DROP VIEW. */
public final class DropRelations implements Change {
  private final Catalog catalog;
  private final Kind kind;
  private final List<ObjectName> names;
  private final boolean ifExists;
  private final DropBehavior behavior;

  /** Of relations: they share their names. */
  private enum Kind {
    TABLE,
    VIEW;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public DropRelations(Catalog catalog, Analyzed.DropTable drop) {
    this(catalog, Kind.TABLE, drop.names(), drop.ifExists(), drop.behavior());
  }

  public DropRelations(Catalog catalog, Analyzed.DropView drop) {
    this(catalog, Kind.VIEW, drop.names(), drop.ifExists(), drop.behavior());
  }

  private DropRelations(
      Catalog catalog, Kind kind, List<ObjectName> names, boolean ifExists, DropBehavior behavior) {
    this.catalog = catalog;
    this.kind = kind;
    this.names = List.copyOf(names);
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  @Override
  public long apply(Execution x) {
    names.forEach(name -> drop(x, name));
    return 0;
  }

  /** What a drop before has taken along is not there: only IF EXISTS does not mind. */
  private void drop(Execution x, ObjectName name) {
    TableDef table = x.catalog().table(name);
    ViewDef view = x.catalog().view(name);
    if (kind == Kind.TABLE && table != null) {
      catalog.dropTable(x.transaction(), table, behavior);
    } else if (kind == Kind.VIEW && view != null) {
      catalog.views().drop(x.transaction(), view, behavior);
    } else if (table != null || view != null) {
      Kind found = table != null ? Kind.TABLE : Kind.VIEW;
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT,
          "%s is a %s; DROP %s drops it".formatted(name, found.word(), found));
    } else if (!ifExists) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND, kind.word() + " " + name + " does not exist");
    }
  }

  @Override
  public List<String> explain(Execution x) {
    return names.stream().map(name -> "drop " + kind.word() + " " + name + " [catalog]").toList();
  }
}
