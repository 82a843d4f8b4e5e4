package io.gpdb.sql.validation;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.InformationSchema;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.catalog.TableDef;
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

  /** The name without the schema PUBLIC. */
  public static String unqualified(SqlIdentifier name) {
    List<String> parts = name.names;
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    if (parts.size() == 2 && parts.getFirst().equals(InformationSchema.USER_SCHEMA)) {
      return parts.get(1);
    }
    if (parts.getFirst().equals(InformationSchema.SCHEMA)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          String.join(".", parts) + " cannot be changed" + at(name));
    }
    throw new GpdbException(
        ErrorCode.TABLE_NOT_FOUND, "schema " + parts.getFirst() + " does not exist" + at(name));
  }

  /** The user table of that name, or 42S02. */
  public static TableDef table(SqlNode node, CatalogSnapshot catalog) {
    if (!(node instanceof SqlIdentifier name)) {
      throw new GpdbException(ErrorCode.NOT_SUPPORTED, "only tables can be changed");
    }
    String simple = unqualified(name);
    TableDef table = catalog.table(simple);
    if (table == null && catalog.view(simple) != null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, simple + " is a view: only tables can be changed" + at(name));
    }
    if (table == null) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          "table " + simple + " does not exist" + Suggestions.table(simple, catalog) + at(name));
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
