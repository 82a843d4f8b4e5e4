package io.gpdb.sql.catalog;

import java.util.List;

/**
 * A view as the catalog knows it: a query that is read in the place of its name.
 *
 * @param columns with the names that the view gives them, and the types that the query had when the
 *     view was made
 * @param query its text
 * @param uses names of the tables and views that the query names, in their order
 */
public record ViewDef(
    int viewId, String name, List<ColumnDef> columns, String query, List<String> uses) {
  public ViewDef {
    columns = List.copyOf(columns);
    uses = List.copyOf(uses);
  }

  ViewDef withViewId(int id) {
    return new ViewDef(id, name, columns, query, uses);
  }

  /** Whether what reads this view can read the other one in its place. */
  boolean hasColumnsOf(ViewDef other) {
    if (columns.size() != other.columns.size()) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      ColumnDef a = columns.get(i);
      ColumnDef b = other.columns.get(i);
      if (!a.name().equals(b.name()) || !a.type().equals(b.type())) {
        return false;
      }
    }
    return true;
  }
}
