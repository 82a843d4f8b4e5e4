package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.QueryConversion;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlNode;

/**
 * What the analysis of a change of rows stands on.
 *
 * @param completed makes of a query as it was parsed one that can be converted
 * @param conversions a new conversion for each query of the statement
 */
public record ChangeScope(
    CatalogSnapshot catalog,
    UnaryOperator<SqlNode> completed,
    Supplier<QueryConversion> conversions) {
  SqlNode completed(SqlNode query) {
    return completed.apply(query);
  }

  QueryConversion conversion() {
    return conversions.get();
  }
}
