package io.gpdb.sql.conversion;

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
import io.gpdb.sql.validation.ExactParameters;
import io.gpdb.sql.validation.ParameterGuesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** The analysis of queries that need neither Calcite's validator nor its converter. */
public final class PlainConversion {
  private PlainConversion() {}

  /** The query analysed, or null where it is more than plain; its syntax is not changed. */
  public static Analyzed.@Nullable Query of(
      SqlNode query, CatalogSnapshot catalog, List<ParameterFit> fits, ParameterGuesses guesses) {
    PlainQuery plain = PlainQuery.of(query, catalog, CompletedTree.newCluster());
    if (plain == null) {
      return null;
    }
    CompletedTree completed = new CompletedTree(fits);
    RelNode tree = completed.of(plain.root().rel, plain.parameters().size());
    return new Analyzed.Query(
        plain.root().withRel(tree),
        QueryConversion.allOf(parameters(plain, completed, query, guesses)),
        output(plain));
  }

  /** The rows of a change, whose columns have no names; null where they are more than plain. */
  static QueryConversion.@Nullable Converted ofChange(
      SqlNode query,
      CatalogSnapshot catalog,
      RelOptCluster cluster,
      List<ParameterFit> fits,
      ParameterGuesses guesses) {
    PlainQuery plain = PlainQuery.ofChange(query, catalog, cluster);
    if (plain == null) {
      return null;
    }
    CompletedTree completed = new CompletedTree(fits);
    RelNode tree = completed.of(plain.root().rel, plain.parameters().size());
    return new QueryConversion.Converted(
        plain.root().withRel(tree),
        List.of(),
        List.of(),
        parameters(plain, completed, query, guesses));
  }

  private static SortedMap<Integer, ParameterDef> parameters(
      PlainQuery plain, CompletedTree completed, SqlNode query, ParameterGuesses guesses) {
    SortedMap<Integer, ParameterDef> numbered = new TreeMap<>();
    Set<Integer> computed = plain.parameters().isEmpty() ? Set.of() : ExactParameters.in(query);
    plain
        .parameters()
        .forEach(
            (number, type) -> {
              SqlTypeSpec spec = GpTypes.spec(type).unlimited();
              ParameterDef.Use use =
                  plain.limits().contains(number) || !computed.contains(number)
                      ? ParameterDef.Use.STORED
                      : completed.isCompared(number)
                          ? ParameterDef.Use.COMPARED
                          : ParameterDef.Use.COMPUTED;
              numbered.put(number, new ParameterDef(spec, !guesses.isGuessed(number), use));
            });
    return numbered;
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
