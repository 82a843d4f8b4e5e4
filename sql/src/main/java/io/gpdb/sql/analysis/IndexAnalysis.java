package io.gpdb.sql.analysis;

import io.gpdb.sql.parser.IndexClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.validation.TableNames;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.jspecify.annotations.Nullable;

/** Takes CREATE, DROP and ALTER INDEX. */
final class IndexAnalysis {
  private IndexAnalysis() {}

  static Analyzed of(ParsedStatement.CreateIndex create) {
    SqlIdentifier name = create.name();
    List<String> columns = new ArrayList<>();
    boolean[] descending = new boolean[create.columns().size()];
    for (IndexClause clause : create.columns()) {
      descending[columns.size()] = clause.descending();
      columns.add(clause.column().getSimple());
    }
    return new Analyzed.CreateIndex(
        name == null ? null : TableDefinition.checkedName(TableNames.unqualified(name), name),
        TableNames.unqualified(create.table()),
        create.unique(),
        create.ifNotExists(),
        kind(create.method()),
        columns,
        descending);
  }

  private static IndexKind kind(@Nullable SqlIdentifier method) {
    if (method == null) {
      return IndexKind.HASH;
    }
    return switch (method.getSimple().toUpperCase(Locale.ROOT)) {
      case "HASH", "BTREE" -> IndexKind.HASH;
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              "an index USING " + method.getSimple() + " is not supported" + TableNames.at(method));
    };
  }

  static Analyzed of(ParsedStatement.DropIndex drop) {
    SqlIdentifier table = drop.table();
    return new Analyzed.DropIndex(
        TableNames.unqualified(drop.name()),
        drop.ifExists(),
        table == null ? null : TableNames.unqualified(table));
  }

  static Analyzed of(ParsedStatement.RenameIndex rename) {
    return new Analyzed.RenameIndex(
        TableNames.unqualified(rename.name()),
        rename.ifExists(),
        TableDefinition.checkedName(rename.to().getSimple(), rename.to()));
  }
}
