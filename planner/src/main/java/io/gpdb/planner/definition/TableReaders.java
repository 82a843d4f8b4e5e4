package io.gpdb.planner.definition;

import io.gpdb.sql.analysis.NamesInText;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * What reads a table's columns by their names: views, and expressions of the table itself. What a
 * text names may be another column of that name; a view is taken for a reader all the same. A view
 * that is invalid anyway is none.
 */
final class TableReaders {
  private final AlteredTable altered;
  private final CatalogSnapshot catalog;
  private final TableDef table;

  TableReaders(AlteredTable altered) {
    this.altered = altered;
    this.catalog = altered.catalog();
    this.table = altered.table();
  }

  private List<ViewDef> views(Predicate<NamesInText> reads) {
    return catalog.readersOf(table.fullName()).stream()
        .filter(view -> reads.test(NamesInText.ofQuery(view.query())))
        .filter(view -> altered.statements().isValid(altered.execution(), view))
        .toList();
  }

  /** The views that read the column, by its name or as one of all. */
  List<ViewDef> viewsOf(String column) {
    return views(text -> text.contains(column) || text.readsAllColumns() || text.joinsByName());
  }

  /** Throws 2BP01 where a view reads the column. */
  void requireNoView(String column, String change) {
    refuse(viewsOf(column), change + " column " + column);
  }

  /**
   * Throws 2BP01 where a view would read another column with a column of that name than without.
   */
  void requireNotNamed(String column, String change) {
    refuse(views(text -> text.contains(column) || text.joinsByName()), change + " " + column);
  }

  /** Throws 2BP01 where a view reads whatever columns there are. */
  void requireNoneOfAllColumns(String column) {
    refuse(views(NamesInText::readsAllColumns), "ADD COLUMN " + column);
  }

  private void refuse(List<ViewDef> views, String change) {
    if (!views.isEmpty()) {
      throw new GpdbException(
          SqlCondition.OBJECT_IN_USE,
          "view "
              + views.getFirst().fullName()
              + " reads table "
              + table.name()
              + " in a way that does not allow to "
              + change
              + "; drop the view first");
    }
  }

  /** Throws 2BP01 where a constraint or a generated column of the table names the column. */
  void requireNoExpression(String column, String change) {
    List<CheckDef> checks = checksOf(column);
    if (!checks.isEmpty()) {
      throw inUse(change, column, "constraint " + checks.getFirst().name());
    }
    requireNoGenerated(column, change);
  }

  /** The CHECK constraints that name the column. */
  List<CheckDef> checksOf(String column) {
    return table.checks().stream()
        .filter(check -> NamesInText.ofExpression(check.condition()).contains(column))
        .toList();
  }

  /** Throws 2BP01 where a generated column of the table names the column. */
  void requireNoGenerated(String column, String change) {
    for (ColumnDef other : table.columns()) {
      String generated = other.generatedSql();
      if (generated != null
          && !other.name().equals(column)
          && NamesInText.ofExpression(generated).contains(column)) {
        throw inUse(change, column, "generated column " + other.name());
      }
    }
  }

  /** Throws 2BP01 where a FOREIGN KEY of this or another table has the column. */
  void requireNoForeignKey(String column, String change) {
    int index = table.indexOf(column);
    for (ForeignKeyDef foreign : table.foreignKeys()) {
      if (Arrays.stream(foreign.columns()).anyMatch(c -> c == index)) {
        throw inUse(change, column, "foreign key " + foreign.name());
      }
    }
    for (TableDef other : catalog.tables()) {
      for (ForeignKeyDef foreign : other.foreignKeys()) {
        if (refersTo(foreign) && foreign.parentColumns().contains(column)) {
          throw inUse(
              change, column, "foreign key " + foreign.name() + " of table " + other.name());
        }
      }
    }
  }

  /** Whether the table is the parent of the foreign key. */
  boolean refersTo(ForeignKeyDef foreign) {
    return foreign.parentTable().equals(table.name())
        && foreign.parentSchema().equals(table.schema());
  }

  private GpdbException inUse(String change, String column, String user) {
    return new GpdbException(
        SqlCondition.OBJECT_IN_USE,
        change + " column " + column + " of table " + table.name() + ": " + user + " needs it");
  }
}
