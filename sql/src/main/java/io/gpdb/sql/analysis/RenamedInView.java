package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.change.ViewExpansion;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Views whose queries name a table or view that gets another name: {@code FROM t} becomes {@code
 * FROM "PUBLIC"."S" AS "T"}, so that columns are qualified as before, and a name of WITH does not
 * hide the new one.
 */
public final class RenamedInView {
  /** Ends where the text does. */
  private static final SqlParserPos WHOLE =
      new SqlParserPos(1, 1, Integer.MAX_VALUE, Integer.MAX_VALUE / 2);

  private RenamedInView() {}

  /**
   * The view with the new name in its query.
   *
   * @param catalog in which the old name is still there
   */
  public static ViewDef of(ViewDef view, ObjectName from, ObjectName to, CatalogSnapshot catalog) {
    SqlText text = new SqlText(view.query());
    SqlNode query;
    try {
      query = text.statement();
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "the query of view " + view.fullName() + " cannot be read", e);
    }
    Map<SqlParserPos, String> parts = new HashMap<>();
    ViewExpansion.report(
        query,
        catalog.in(new SchemaPath(null, view.namesFrom())),
        (name, found, correlation) -> {
          if (found.equals(from)) {
            parts.put(
                name.getParserPosition(),
                quoted(to.schema())
                    + "."
                    + quoted(to.name())
                    + (correlation ? " AS " + quoted(name.names.getLast()) : ""));
          }
        });
    List<ObjectName> uses =
        view.uses().stream().map(used -> used.equals(from) ? to : used).toList();
    return view.withQuery(text.replaced(WHOLE, parts), uses)
        .withBase(from.equals(view.base()) ? to : view.base());
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
