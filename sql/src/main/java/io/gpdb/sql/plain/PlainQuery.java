package io.gpdb.sql.plain;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
 * @param limits those of them that are numbers of rows
 * @param isOfRows whether its rows are rows of one table, each at most once
 */
public record PlainQuery(
    RelRoot root,
    SortedMap<Integer, RelDataType> parameters,
    Set<Integer> limits,
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
    boolean isSet = body.getKind().belongsTo(SqlKind.SET_QUERY);
    if ((!isSet && !(body instanceof SqlSelect)) || hasOwnMeanings(catalog)) {
      return null;
    }
    try {
      PlainContext context = new PlainContext(catalog, cluster);
      PlainOrder order = new PlainOrder(context, ordered);
      return isSet
          ? ofSet(context, PlainSet.of(context, body), body.getKind(), order)
          : ofSelect(context, new PlainSelect(context, (SqlSelect) body, null), order);
    } catch (NotPlain e) {
      return null;
    }
  }

  /** Whether names of functions and types may be a user's. */
  private static boolean hasOwnMeanings(CatalogSnapshot catalog) {
    return !catalog.routines().isEmpty() || catalog.hasDistinctTypes();
  }

  /**
   * The rows that a statement changes and what it computes of each, or null where they are more
   * than plain. No columns are named: nobody sees them.
   */
  public static @Nullable PlainQuery ofChange(
      SqlNode query, CatalogSnapshot catalog, RelOptCluster cluster) {
    if (!(query instanceof SqlSelect select) || hasOwnMeanings(catalog)) {
      return null;
    }
    try {
      PlainContext context = new PlainContext(catalog, cluster);
      RelNode tree = PlainSelect.ofChange(context, select).tree(new PlainOrder(context, null));
      RelRoot root = RelRoot.of(tree, SqlKind.SELECT);
      return new PlainQuery(root, context.parameters(), Set.of(), List.of(), false);
    } catch (NotPlain e) {
      return null;
    }
  }

  private static PlainQuery ofSelect(PlainContext context, PlainSelect select, PlainOrder order) {
    RelNode tree = select.tree(order);
    List<Column> columns = new ArrayList<>();
    List<RelDataTypeField> fields = tree.getRowType().getFieldList();
    for (PlainItem item : select.columns()) {
      RelDataType type = fields.get(columns.size()).getType();
      PlainTable table = item.column() < 0 ? null : select.scope().tableOf(item.column());
      TableDef stored = table == null ? null : table.stored();
      columns.add(
          new Column(
              item.shown(),
              type,
              stored,
              table == null || stored == null ? -1 : item.column() - table.first()));
    }
    RelDataType row = select.row(tree);
    RelCollation collation = tree instanceof Sort sort ? sort.getCollation() : RelCollations.EMPTY;
    return new PlainQuery(
        RelRoot.of(tree, row, SqlKind.SELECT).withCollation(collation),
        context.parameters(),
        context.limits(),
        columns,
        select.isOfRows());
  }

  private static PlainQuery ofSet(
      PlainContext context, PlainSet set, SqlKind kind, PlainOrder order) {
    RelNode tree = order.isNone() ? set.tree() : order.sorted(set);
    List<Column> columns = new ArrayList<>();
    for (RelDataTypeField field : set.row().getFieldList()) {
      String name = set.shown().get(field.getIndex());
      columns.add(new Column(name, field.getType(), null, -1));
    }
    RelCollation collation = tree instanceof Sort sort ? sort.getCollation() : RelCollations.EMPTY;
    return new PlainQuery(
        RelRoot.of(tree, set.row(), order.isNone() ? kind : SqlKind.SELECT)
            .withCollation(collation),
        context.parameters(),
        context.limits(),
        columns,
        false);
  }
}
