package io.gpdb.sql.direct;

import io.gpdb.sql.catalog.CatalogSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements that need no grammar. Names, types and parameters are those that the validator
 * finds; whatever is not known to be so, and whatever is wrong, is left to it.
 */
public final class DirectAnalysis {
  private DirectAnalysis() {}

  /** The statement, or null where it is more than plain. */
  public static @Nullable DirectStatement of(String sql, CatalogSnapshot catalog) {
    DirectText text = DirectText.of(sql, catalog);
    if (text == null) {
      return null;
    }
    return switch (text.word(0)) {
      case "SELECT" -> {
        DirectStatement plain = DirectQuery.in(text);
        yield plain == null ? DirectCombination.in(text) : plain;
      }
      case "INSERT", "UPDATE", "DELETE" -> DirectChange.in(text);
      case "CREATE" -> DirectDefinition.in(text);
      default -> null;
    };
  }
}
