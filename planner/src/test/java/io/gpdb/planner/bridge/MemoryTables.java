package io.gpdb.planner.bridge;

import io.gpdb.sql.Analyzed;
import io.gpdb.sql.CatalogSnapshot;
import io.gpdb.sql.GpTable;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.TableDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.RelNode;

/** Tables as lists of rows, queried by SQL through the bridge. */
final class MemoryTables implements LeafSource {
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final List<TableDef> tables = new ArrayList<>();
  private final Map<String, List<Object[]>> rows = new HashMap<>();
  private long now;

  void create(String sql, Object[]... tableRows) {
    TableDef table =
        ((Analyzed.CreateTable) frontEnd.analyze(sql, CatalogSnapshot.EMPTY, null)).def();
    tables.add(table.withTableId(16 + tables.size()));
    rows.put(table.name(), List.of(tableRows));
  }

  void setNow(long micros) {
    now = micros;
  }

  CatalogSnapshot catalog() {
    return new CatalogSnapshot(1, tables);
  }

  List<List<Object>> query(String sql, Object... parameters) {
    Analyzed.Query query = (Analyzed.Query) frontEnd.analyze(sql, catalog(), null);
    return run(BridgeQuery.compile(query.root().project(), LeafChoice.SCANS), parameters);
  }

  List<List<Object>> run(BridgeQuery compiled, Object... parameters) {
    List<List<Object>> result = new ArrayList<>();
    try (BridgeRows rows = compiled.run(this, parameters, now)) {
      for (Object[] row = rows.next(); row != null; row = rows.next()) {
        result.add(java.util.Arrays.asList(row));
      }
    }
    return result;
  }

  @Override
  public Enumerable<Object[]> rows(RelNode leaf) {
    GpTable table = leaf.getTable().unwrap(GpTable.class);
    return Linq4j.asEnumerable(rows.get(table.name()));
  }
}
