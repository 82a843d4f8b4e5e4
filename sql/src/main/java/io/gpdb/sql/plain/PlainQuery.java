package io.gpdb.sql.plain;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.jspecify.annotations.Nullable;

/**
 * A query whose tables, columns and types are found without Calcite's validator, and whose tree is
 * made without its converter: the same tree as they make. Whatever is not known to be so is left to
 * them ({@link NotPlain}).
 *
 * @param root its tree, in which nothing has been rewritten
 * @param parameters the types of its parameters, by their numbers
 * @param isOfRows whether its rows are rows of one table, each at most once
 */
public record PlainQuery(
    RelRoot root,
    SortedMap<Integer, RelDataType> parameters,
    List<Column> columns,
    boolean isOfRows) {

  /**
   * A column of the result.
   *
   * @param table the table of which it is a column, or null
   * @param column its number there, or -1
   */
  public record Column(String name, RelDataType type, @Nullable TableDef table, int column) {}

  /** The query, or null where it is more than plain. The syntax is not changed. */
  public static @Nullable PlainQuery of(
      SqlNode query, CatalogSnapshot catalog, RelOptCluster cluster) {
    SqlOrderBy ordered = query instanceof SqlOrderBy order ? order : null;
    SqlNode body = ordered == null ? query : ordered.query;
    boolean isLimited = ordered != null && (ordered.fetch != null || ordered.offset != null);
    if (isLimited
        || !(body instanceof SqlSelect select)
        || !catalog.routines().isEmpty()
        || catalog.hasDistinctTypes()) {
      return null;
    }
    try {
      PlainContext context = new PlainContext(catalog, cluster);
      PlainSelect plain = new PlainSelect(context, select, null);
      RelNode tree = plain.tree(ordered == null ? SqlNodeList.EMPTY : ordered.orderList);
      return of(context, plain, tree, select);
    } catch (NotPlain e) {
      return null;
    }
  }

  private static PlainQuery of(
      PlainContext context, PlainSelect plain, RelNode tree, SqlSelect select) {
    List<Column> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<RelDataType> types = new ArrayList<>();
    List<RelDataTypeField> fields = tree.getRowType().getFieldList();
    for (PlainItem item : plain.columns()) {
      RelDataType type = fields.get(names.size()).getType();
      PlainTable table = item.column() < 0 ? null : plain.scope().tableOf(item.column());
      columns.add(
          new Column(
              item.shown(),
              type,
              table == null ? null : table.table(),
              table == null ? -1 : item.column() - table.first()));
      names.add(item.name());
      types.add(type);
    }
    RelDataType row = context.rex().getTypeFactory().createStructType(types, names);
    RelCollation order = tree instanceof Sort sort ? sort.getCollation() : RelCollations.EMPTY;
    boolean ofRows =
        plain.scope().tables().size() == 1
            && !select.isDistinct()
            && !PlainGrouping.isIn(select, plain.columns());
    return new PlainQuery(
        RelRoot.of(tree, row, SqlKind.SELECT).withCollation(order),
        context.parameters(),
        columns,
        ofRows);
  }
}
