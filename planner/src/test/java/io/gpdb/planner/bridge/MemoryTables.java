package io.gpdb.planner.bridge;

import static java.lang.Boolean.FALSE;
import static java.lang.Boolean.TRUE;

import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.storage.error.GpdbException;
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
    SubQueryValues subQueries = (function, arguments) -> value(function, arguments, parameters);
    try (BridgeRows rows = compiled.run(this, subQueries, parameters, now)) {
      for (Object[] row = rows.next(); row != null; row = rows.next()) {
        result.add(java.util.Arrays.asList(row));
      }
    }
    return result;
  }

  private Object value(SubQueryFunction function, Object[] arguments, Object[] parameters) {
    int most = function.parameters().stream().mapToInt(p -> p + 1).max().orElse(0);
    Object[] bound = java.util.Arrays.copyOf(parameters, Math.max(most, parameters.length));
    for (int i = 0; i < arguments.length; i++) {
      bound[function.parameters().get(i)] = arguments[i];
    }
    List<List<Object>> rows = run(BridgeQuery.compile(function.query(), LeafChoice.SCANS), bound);
    Object first = rows.isEmpty() ? null : rows.getFirst().getFirst();
    return switch (function.answer()) {
      case EXISTS -> !rows.isEmpty();
      case GRADE -> first == null || first.equals(0) ? FALSE : first.equals(2) ? TRUE : null;
      case VALUE -> {
        if (rows.size() > 1) {
          throw new GpdbException(SqlCondition.CARDINALITY, rows.size() + " rows");
        }
        yield first;
      }
    };
  }

  @Override
  public Enumerable<Object[]> rows(RelNode leaf) {
    GpTable table = leaf.getTable().unwrap(GpTable.class);
    return Linq4j.asEnumerable(rows.get(table.name()));
  }
}
