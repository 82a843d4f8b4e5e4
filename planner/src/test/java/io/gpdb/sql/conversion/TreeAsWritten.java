package io.gpdb.sql.conversion;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.validation.ParameterGuesses;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.parser.SqlParseException;

/** Converts a query to the tree that Calcite's converter makes, before anything is rewritten. */
public final class TreeAsWritten {
  private TreeAsWritten() {}

  public static RelNode of(String sql, CatalogSnapshot catalog) {
    SqlText text = new SqlText(sql);
    try {
      ParameterGuesses guesses = new ParameterGuesses(ParameterGuesses.ATTEMPTS.iterator().next());
      QueryConversion conversion = new QueryConversion(catalog, null, List.of(), guesses);
      return conversion.asWritten(text.statement()).project();
    } catch (SqlParseException e) {
      throw new IllegalArgumentException(sql, e);
    } catch (RuntimeException e) {
      throw new ErrorTranslation(text, catalog).translate(e);
    }
  }
}
