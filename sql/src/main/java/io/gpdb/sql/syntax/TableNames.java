package io.gpdb.sql.syntax;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Finds the tables and columns that changing statements name. */
public final class TableNames {
  private TableNames() {}

  /** What a name means, whether it is there or not. */
  public static ObjectName named(SqlIdentifier name, CatalogSnapshot catalog) {
    List<String> parts = withoutCatalog(name);
    if (parts.size() == 1) {
      return catalog.resolve(parts.getFirst());
    }
    String schema = parts.getFirst();
    if (schema.equals(HostTables.SCHEMA)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          String.join(".", parts) + " cannot be changed" + at(name));
    }
    if (parts.size() > 2
        || !(catalog.hasSchema(schema) || schema.equals(catalog.path().temporary()))) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND, "schema " + schema + " does not exist" + at(name));
    }
    return new ObjectName(schema, parts.get(1));
  }

  /** The parts of a name but for the catalog, of which there is one. */
  private static List<String> withoutCatalog(SqlIdentifier name) {
    List<String> parts = name.names;
    return parts.size() == 3 && parts.getFirst().equals(SchemaNames.CATALOG)
        ? parts.subList(1, parts.size())
        : parts;
  }

  /** The name of something to create: in the current schema where it is written without one. */
  public static ObjectName newName(SqlIdentifier name, CatalogSnapshot catalog) {
    List<String> parts = withoutCatalog(name);
    String schema = parts.size() == 1 ? catalog.path().current() : parts.getFirst();
    if (schema.equals(HostTables.SCHEMA)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "nothing can be created in schema " + schema + at(name));
    }
    if (parts.size() > 2 || !catalog.hasSchema(schema)) {
      throw new GpdbException(
          SqlCondition.SCHEMA_NOT_FOUND, "schema " + schema + " does not exist" + at(name));
    }
    return new ObjectName(schema, parts.getLast());
  }

  /** The name of a temporary table to create, which has no schema but the session's own. */
  public static ObjectName newTemporaryName(SqlIdentifier name, CatalogSnapshot catalog) {
    if (!name.isSimple()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "a temporary table is in no schema" + at(name));
    }
    String schema = catalog.path().temporary();
    return new ObjectName(schema == null ? SchemaNames.NO_SESSION : schema, name.getSimple());
  }

  /** The user table of that name, or 42S02. */
  public static TableDef table(SqlNode node, CatalogSnapshot catalog) {
    if (!(node instanceof SqlIdentifier written)) {
      throw new GpdbException(ErrorCode.NOT_SUPPORTED, "only tables can be changed");
    }
    ObjectName name = named(written, catalog);
    TableDef table = catalog.table(name);
    if (table == null && catalog.view(name) != null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, name + " is a view: only tables can be changed" + at(written));
    }
    if (table == null) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          "table "
              + name
              + " does not exist"
              + Suggestions.table(name.name(), catalog)
              + at(written));
    }
    return table;
  }

  /** Positions of the columns, each at most once. */
  public static int[] columns(TableDef table, SqlNodeList names, CatalogSnapshot catalog) {
    int[] columns = new int[names.size()];
    boolean[] seen = new boolean[table.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      SqlIdentifier name = (SqlIdentifier) names.get(i);
      String simple = name.names.getLast();
      int index = table.indexOf(simple);
      if (index < 0) {
        throw new GpdbException(
            SqlCondition.COLUMN_NOT_FOUND,
            "column "
                + simple
                + " does not exist in table "
                + table.name()
                + Suggestions.column(simple, table.name(), catalog)
                + at(name));
      }
      if (seen[index]) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT, "column " + simple + " is given twice" + at(name));
      }
      seen[index] = true;
      columns[i] = index;
    }
    return columns;
  }

  public static String at(SqlNode node) {
    return at(node.getParserPosition());
  }

  public static String at(SqlParserPos position) {
    return " at line " + position.getLineNum() + ", column " + position.getColumnNum();
  }
}
