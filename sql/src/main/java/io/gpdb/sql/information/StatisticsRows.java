package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** COLUMN_STATISTICS of INFORMATION_SCHEMA: what ANALYZE found of each column. */
final class StatisticsRows {
  private StatisticsRows() {}

  static List<@Nullable Object[]> of(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      for (ColumnDef column : table.columns()) {
        ColumnStatistics found = column.statistics();
        if (found != null) {
          rows.add(
              new @Nullable Object[] {
                table.schema(),
                table.name(),
                column.name(),
                found.rows(),
                found.nulls(),
                found.distinct()
              });
        }
      }
    }
    return rows;
  }
}
