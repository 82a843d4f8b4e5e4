package io.gpdb.sql.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view as the catalog knows it: a query that is read in the place of its name.
 *
 * @param columns with the names that the view gives them, and the types that the query had when the
 *     view was made
 * @param query its text
 * @param uses names of the tables and views that the query names, in their order
 * @param namesFrom the schema of names that the query writes without one
 * @param base the table or view whose rows it shows, where each row is one of these and its columns
 *     are plain columns; such a view can be changed where its base can
 * @param checkOption whether rows written through the view must be rows of it
 * @param routines the functions that the query calls
 */
public record ViewDef(
    int viewId,
    String schema,
    String name,
    List<ColumnDef> columns,
    String query,
    List<ObjectName> uses,
    String namesFrom,
    CheckOption checkOption,
    @Nullable String comment,
    @Nullable ObjectName base,
    List<PrivilegeDef> privileges,
    List<ObjectName> routines) {

  /** WITH CHECK OPTION, of this view alone or of those below it too. */
  public enum CheckOption {
    NONE,
    LOCAL,
    CASCADED
  }

  public ViewDef {
    columns = List.copyOf(columns);
    uses = List.copyOf(uses);
    privileges = List.copyOf(privileges);
    routines = List.copyOf(routines);
  }

  /** A view of the schema PUBLIC without CHECK OPTION. */
  public ViewDef(
      int viewId, String name, List<ColumnDef> columns, String query, List<String> uses) {
    this(
        viewId,
        SchemaNames.PUBLIC,
        name,
        columns,
        query,
        uses.stream().map(ObjectName::ofPublic).toList(),
        SchemaNames.PUBLIC,
        CheckOption.NONE,
        null,
        null,
        List.of(),
        List.of());
  }

  public ViewDef withViewId(int id) {
    return new ViewDef(
        id,
        schema,
        name,
        columns,
        query,
        uses,
        namesFrom,
        checkOption,
        comment,
        base,
        privileges,
        routines);
  }

  public ViewDef withComment(@Nullable String other) {
    return new ViewDef(
        viewId,
        schema,
        name,
        columns,
        query,
        uses,
        namesFrom,
        checkOption,
        other,
        base,
        privileges,
        routines);
  }

  public ViewDef withColumns(List<ColumnDef> others) {
    return new ViewDef(
        viewId,
        schema,
        name,
        others,
        query,
        uses,
        namesFrom,
        checkOption,
        comment,
        base,
        privileges,
        routines);
  }

  public ViewDef withBase(@Nullable ObjectName other) {
    return new ViewDef(
        viewId,
        schema,
        name,
        columns,
        query,
        uses,
        namesFrom,
        checkOption,
        comment,
        other,
        privileges,
        routines);
  }

  public ViewDef withName(String other) {
    return new ViewDef(
        viewId,
        schema,
        other,
        columns,
        query,
        uses,
        namesFrom,
        checkOption,
        comment,
        base,
        privileges,
        routines);
  }

  /** The view with another query, which has the same columns. */
  public ViewDef withQuery(String other, List<ObjectName> used) {
    return new ViewDef(
        viewId,
        schema,
        name,
        columns,
        other,
        used,
        namesFrom,
        checkOption,
        comment,
        base,
        privileges,
        routines);
  }

  public ViewDef withPrivileges(List<PrivilegeDef> others) {
    return new ViewDef(
        viewId,
        schema,
        name,
        columns,
        query,
        uses,
        namesFrom,
        checkOption,
        comment,
        base,
        others,
        routines);
  }

  public ObjectName fullName() {
    return new ObjectName(schema, name);
  }

  /** Whether what reads this view can read the other one in its place. */
  public boolean hasColumnsOf(ViewDef other) {
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
