package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.plain.PlainQuery;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** The analysis of queries that need neither Calcite's validator nor its converter. */
final class PlainConversion {
  private PlainConversion() {}

  /** The query analysed, or null where it is more than plain; its syntax is not changed. */
  static Analyzed.@Nullable Query of(
      SqlNode query, CatalogSnapshot catalog, List<ParameterFit> fits) {
    PlainQuery plain = PlainQuery.of(query, catalog, CompletedTree.newCluster());
    if (plain == null) {
      return null;
    }
    CompletedTree completed = new CompletedTree(fits);
    RelNode tree = completed.of(plain.root().rel, plain.parameters().size());
    return new Analyzed.Query(
        plain.root().withRel(tree), parameters(plain, completed), output(plain));
  }

  private static List<ParameterDef> parameters(PlainQuery plain, CompletedTree completed) {
    Map<Integer, ParameterDef> numbered = new HashMap<>();
    plain
        .parameters()
        .forEach(
            (number, type) -> {
              SqlTypeSpec spec = Assignment.valueType(GpTypes.spec(type));
              ParameterDef.Use use =
                  plain.limits().contains(number)
                      ? ParameterDef.Use.STORED
                      : completed.isCompared(number)
                          ? ParameterDef.Use.COMPARED
                          : ParameterDef.Use.COMPUTED;
              numbered.put(number, new ParameterDef(spec, true, use));
            });
    return QueryConversion.allOf(numbered);
  }

  private static List<OutputColumn> output(PlainQuery plain) {
    List<OutputColumn> columns = new ArrayList<>();
    for (PlainQuery.Column column : plain.columns()) {
      String name = ResultNames.shown(column.name());
      SqlTypeSpec type = GpTypes.spec(column.type());
      boolean nullable = column.type().isNullable();
      if (column.table() == null) {
        columns.add(new OutputColumn(name, type, nullable));
      } else {
        ColumnDef stored = column.table().column(column.column());
        columns.add(
            new OutputColumn(
                name,
                type,
                nullable,
                column.table().schema(),
                column.table().name(),
                stored.name(),
                plain.isOfRows(),
                stored.identity() != null));
      }
    }
    return columns;
  }
}
