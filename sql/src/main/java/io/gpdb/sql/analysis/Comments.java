package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlIdentifier;

/** Resolves what COMMENT ON is on. */
final class Comments {
  private Comments() {}

  static Analyzed of(ParsedStatement.Comment comment, CatalogSnapshot catalog) {
    SqlIdentifier written = comment.name();
    return switch (comment.kind()) {
      case TABLE ->
          new Analyzed.Comment(TableNames.named(written, catalog), null, false, comment.text());
      case VIEW ->
          new Analyzed.Comment(TableNames.named(written, catalog), null, true, comment.text());
      case COLUMN -> ofColumn(comment, catalog);
      case SCHEMA -> {
        if (!written.isSimple()) {
          throw wrong("a schema has a name of one part", written);
        }
        yield new Analyzed.CommentOnSchema(written.getSimple(), comment.text());
      }
    };
  }

  private static Analyzed ofColumn(ParsedStatement.Comment comment, CatalogSnapshot catalog) {
    SqlIdentifier written = comment.name();
    int parts = written.names.size();
    if (parts < 2) {
      throw wrong("a column is named after its table and a dot", written);
    }
    ObjectName owner = TableNames.named(written.getComponent(0, parts - 1), catalog);
    return new Analyzed.Comment(
        owner, written.names.getLast(), catalog.view(owner) != null, comment.text());
  }

  private static GpdbException wrong(String message, SqlIdentifier place) {
    return new GpdbException(SqlCondition.INVALID_STATEMENT, message + TableNames.at(place));
  }
}
