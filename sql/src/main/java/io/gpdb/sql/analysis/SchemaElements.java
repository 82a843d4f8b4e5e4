package io.gpdb.sql.analysis;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.parser.ConstraintClause;
import io.gpdb.sql.parser.ForeignKeyClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.StatementNode;
import io.gpdb.sql.statement.SchemaElement;
import io.gpdb.sql.text.SqlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The statements in CREATE SCHEMA as texts; those of tables also apart from their foreign keys. */
final class SchemaElements {
  private SchemaElements() {}

  static List<SchemaElement> of(List<SqlNode> statements, SqlText text) {
    return statements.stream().map(statement -> of(statement, text)).toList();
  }

  private static SchemaElement of(SqlNode statement, SqlText text) {
    SqlParserPos place = statement.getParserPosition();
    String whole = text.at(place);
    if (!(statement instanceof StatementNode node
        && node.statement() instanceof ParsedStatement.CreateTable table)) {
      return new SchemaElement(whole);
    }
    Map<SqlParserPos, String> cut = new LinkedHashMap<>();
    List<String> additions = new ArrayList<>();
    for (ConstraintClause clause : table.constraints()) {
      SqlParserPos written = clause instanceof ForeignKeyClause key ? key.whole() : null;
      if (clause instanceof ForeignKeyClause key && written != null) {
        cut.put(written, " ");
        additions.add(addition(table.name(), key, text));
      }
    }
    return new SchemaElement(whole, text.replaced(place, cut), additions);
  }

  private static String addition(SqlIdentifier table, ForeignKeyClause key, SqlText text) {
    return "ALTER TABLE "
        + table.names.stream().map(ObjectName::quoted).collect(Collectors.joining("."))
        + " ADD "
        + named(key.name())
        + "FOREIGN KEY ("
        + quoted(key.columns())
        + ") "
        + text.at(key.position());
  }

  private static String named(@Nullable SqlIdentifier name) {
    return name == null ? "" : "CONSTRAINT " + ObjectName.quoted(name.getSimple()) + " ";
  }

  private static String quoted(SqlNodeList columns) {
    return columns.stream()
        .map(column -> ObjectName.quoted(((SqlIdentifier) column).getSimple()))
        .collect(Collectors.joining(", "));
  }
}
