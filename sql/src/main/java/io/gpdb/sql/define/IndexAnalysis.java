package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.IndexClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.jspecify.annotations.Nullable;

/** Takes CREATE, DROP and ALTER INDEX. */
public final class IndexAnalysis {
  private IndexAnalysis() {}

  public static Analyzed of(ParsedStatement.CreateIndex create, CatalogSnapshot catalog) {
    SqlIdentifier name = create.name();
    ObjectName table = TableNames.named(create.table(), catalog);
    List<String> columns = new ArrayList<>();
    boolean[] descending = new boolean[create.columns().size()];
    for (IndexClause clause : create.columns()) {
      descending[columns.size()] = clause.descending();
      columns.add(clause.column().getSimple());
    }
    return new Analyzed.CreateIndex(
        name == null ? null : checkedName(name, table, catalog),
        table,
        create.unique(),
        create.ifNotExists(),
        kind(create.method()),
        columns,
        descending);
  }

  /** An index is in the schema of its table, whether its name says so or not. */
  private static String checkedName(SqlIdentifier name, ObjectName table, CatalogSnapshot catalog) {
    if (!name.isSimple() && !TableNames.newName(name, catalog).schema().equals(table.schema())) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "index " + name + " is not in the schema of its table" + TableNames.at(name));
    }
    return TableDefinition.checkedName(name.names.getLast(), name);
  }

  private static IndexKind kind(@Nullable SqlIdentifier method) {
    if (method == null) {
      return IndexKind.ORDERED;
    }
    return switch (method.getSimple().toUpperCase(Locale.ROOT)) {
      case "BTREE" -> IndexKind.ORDERED;
      case "HASH" -> IndexKind.HASH;
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              "an index USING " + method.getSimple() + " is not supported" + TableNames.at(method));
    };
  }

  public static Analyzed of(ParsedStatement.DropIndex drop, CatalogSnapshot catalog) {
    SqlIdentifier table = drop.table();
    return new Analyzed.DropIndex(
        named(drop.name(), catalog),
        drop.ifExists(),
        table == null ? null : TableNames.named(table, catalog));
  }

  /** An index that is written without a schema may be that of a temporary table. */
  private static ObjectName named(SqlIdentifier name, CatalogSnapshot catalog) {
    String temporary = catalog.path().temporary();
    if (name.isSimple() && temporary != null) {
      ObjectName own = new ObjectName(temporary, name.getSimple());
      if (catalog.tableOfIndex(own) != null) {
        return own;
      }
    }
    return name.isSimple()
        ? new ObjectName(catalog.path().current(), name.getSimple())
        : TableNames.named(name, catalog);
  }

  public static Analyzed of(ParsedStatement.RenameIndex rename, CatalogSnapshot catalog) {
    return new Analyzed.RenameIndex(
        named(rename.name(), catalog),
        rename.ifExists(),
        TableDefinition.checkedName(rename.to().getSimple(), rename.to()));
  }
}
