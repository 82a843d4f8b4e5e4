package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.change.UpdatableView;
import io.gpdb.sql.define.TableDefinition;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNodeList;

/** Makes the definition of a view from CREATE VIEW and the columns of its query. */
final class ViewDefinition {
  private ViewDefinition() {}

  /** Throws where the query has parameters: their values would be unknown when the view is read. */
  static void check(ParsedStatement.CreateView create) {
    if (NodeSearch.hasParameter(create.query())) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "a view has no parameters" + TableNames.at(create.name()));
    }
  }

  /** The view, not yet numbered. */
  static ViewDef of(
      ParsedStatement.CreateView create,
      List<OutputColumn> query,
      List<ObjectName> uses,
      List<ObjectName> routines,
      String text,
      CatalogSnapshot catalog) {
    ObjectName name = TableNames.newName(create.name(), catalog);
    TableDefinition.checkedName(name.name(), create.name());
    checkUses(name, uses, catalog);
    SqlNodeList names = create.columns();
    if (names != null && names.size() != query.size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "view " + name + " has " + names.size() + " columns, its query " + query.size());
    }
    List<ColumnDef> columns = new ArrayList<>();
    for (int i = 0; i < query.size(); i++) {
      OutputColumn output = query.get(i);
      columns.add(
          new ColumnDef(
              names == null ? output.name() : ((SqlIdentifier) names.get(i)).getSimple(),
              type(output),
              output.nullable(),
              null));
    }
    TableDefinition.checkColumns("view " + name, columns);
    ViewDef view =
        new ViewDef(
            -1,
            name.schema(),
            name.name(),
            columns,
            text,
            uses,
            catalog.path().current(),
            create.checkOption(),
            null,
            null,
            List.of(),
            routines);
    return UpdatableView.based(view, catalog);
  }

  /** The type of a view's column: no column has a type without room for a character. */
  static SqlTypeSpec type(OutputColumn output) {
    SqlTypeSpec type = output.type();
    boolean empty = type.kind() == SqlTypeSpec.Kind.CHAR && type.precision() == 0;
    return empty ? SqlTypeSpec.VARCHAR : type;
  }

  /** A view is seen by all sessions and is there when they are gone. */
  private static void checkUses(ObjectName view, List<ObjectName> uses, CatalogSnapshot catalog) {
    for (ObjectName used : uses) {
      TableDef table = catalog.table(used);
      if (table != null && table.isTemporary()) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "view " + view + " of the temporary table " + used + " is not supported");
      }
    }
  }
}
