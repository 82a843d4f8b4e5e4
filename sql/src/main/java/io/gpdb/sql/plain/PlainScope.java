package io.gpdb.sql.plain;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.GpOperatorTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.ViewExpanders;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** The tables of one SELECT, and what names of columns mean among them. */
final class PlainScope {
  /** The names of functions that are called by them alone. */
  private static final Set<String> FUNCTIONS =
      GpOperatorTable.INSTANCE.getOperatorList().stream()
          .filter(operator -> operator.getSyntax() == SqlSyntax.FUNCTION_ID)
          .map(SqlOperator::getName)
          .collect(Collectors.toUnmodifiableSet());

  /** The rows of a query in FROM and the names of its columns. */
  record Derived(RelNode rows, List<String> columns) {}

  private final CatalogSnapshot catalog;
  private final RelOptCluster cluster;
  private final List<PlainTable> tables = new ArrayList<>();
  private final RelNode rows;
  private final boolean ofChange;
  private final Function<SqlSelect, Derived> queries;
  private int fields;

  /**
   * @param ofChange whether it is the table of a change, which has row ids
   * @param queries the rows of queries in FROM
   */
  PlainScope(
      @Nullable SqlNode from,
      CatalogSnapshot catalog,
      RelOptCluster cluster,
      boolean ofChange,
      Function<SqlSelect, Derived> queries) {
    this.catalog = catalog;
    this.cluster = cluster;
    this.queries = queries;
    this.ofChange = ofChange;
    rows = from == null ? LogicalValues.createOneRow(cluster) : joined(from);
  }

  List<PlainTable> tables() {
    return tables;
  }

  /** The rows of the tables joined, each with each. */
  RelNode rows() {
    return rows;
  }

  private RelNode joined(SqlNode from) {
    if (!(from instanceof SqlJoin join)) {
      return table(from);
    }
    JoinRelType type =
        switch (join.getJoinType()) {
          case COMMA, CROSS, INNER -> JoinRelType.INNER;
          case LEFT -> JoinRelType.LEFT;
          default -> throw NotPlain.here();
        };
    boolean on = join.getConditionType() == JoinConditionType.ON;
    boolean isProduct = join.getCondition() == null && type == JoinRelType.INNER;
    if (join.isNatural() || (!on && !isProduct) || (on && !isOfTables(join))) {
      throw NotPlain.here();
    }
    int first = fields;
    RelNode left = joined(join.getLeft());
    RelNode right = joined(join.getRight());
    RexNode condition =
        on
            ? RexUtil.composeConjunction(
                cluster.getRexBuilder(),
                equalities(join.getCondition(), new Sides(left, right, first)))
            : cluster.getRexBuilder().makeLiteral(true);
    return LogicalJoin.create(left, right, List.of(), condition, Set.of(), type);
  }

  /** Whether names in the condition of a join are of the tables that were named before it. */
  private static boolean isOfTables(SqlJoin join) {
    return !(join.getRight() instanceof SqlJoin)
        && !(join.getLeft() instanceof SqlJoin left && left.getJoinType() == JoinType.COMMA);
  }

  /**
   * What a join joins.
   *
   * @param first the field of the whole row that its own first field is: others come before those
   *     of a join in parentheses
   */
  private record Sides(RelNode left, RelNode right, int first) {
    int width() {
      return left.getRowType().getFieldCount();
    }

    /** A field of the whole row as one of this join; null where it is of none of its tables. */
    @Nullable RexInputRef column(int field) {
      int own = field - first;
      int ofRight = own - width();
      if (own < 0 || ofRight >= right.getRowType().getFieldCount()) {
        return null;
      }
      RelDataTypeField of =
          ofRight < 0
              ? left.getRowType().getFieldList().get(own)
              : right.getRowType().getFieldList().get(ofRight);
      return new RexInputRef(own, of.getType());
    }
  }

  /** The parts of a condition, each of which compares a column of either side, each part once. */
  private List<RexNode> equalities(SqlNode condition, Sides sides) {
    if (condition.getKind() == SqlKind.AND) {
      List<RexNode> all = new ArrayList<>();
      for (SqlNode part : ((SqlCall) condition).getOperandList()) {
        all.addAll(equalities(part, sides));
      }
      if (all.size() > new HashSet<>(all).size()) {
        throw NotPlain.here();
      }
      return all;
    }
    if (condition.getKind() != SqlKind.EQUALS
        || !(((SqlCall) condition).operand(0) instanceof SqlIdentifier first)
        || !(((SqlCall) condition).operand(1) instanceof SqlIdentifier second)) {
      throw NotPlain.here();
    }
    RexInputRef a = column(first, sides);
    RexInputRef b = column(second, sides);
    boolean across = (a.getIndex() < sides.width()) != (b.getIndex() < sides.width());
    if (!across || !SqlTypeUtil.equalSansNullability(a.getType(), b.getType())) {
      throw NotPlain.here();
    }
    return List.of(new PlainComparisons(cluster.getRexBuilder()).of(SqlKind.EQUALS, a, b));
  }

  private RexInputRef column(SqlIdentifier name, Sides sides) {
    int field = field(name);
    RexInputRef column = field < 0 ? null : sides.column(field);
    if (column == null) {
      throw NotPlain.here();
    }
    return column;
  }

  private RelNode table(SqlNode node) {
    if (node.getKind() == SqlKind.AS) {
      SqlCall renamed = (SqlCall) node;
      if (renamed.operandCount() == 2
          && renamed.operand(1) instanceof SqlIdentifier alias
          && alias.isSimple()) {
        return renamed(renamed.operand(0), alias.getSimple());
      }
    }
    if (node instanceof SqlIdentifier name) {
      return table(name, name.names.getLast());
    }
    throw NotPlain.here();
  }

  private RelNode renamed(SqlNode node, String alias) {
    return switch (node) {
      case SqlIdentifier name -> table(name, alias);
      case SqlSelect query when !ofChange -> table(query, alias);
      default -> throw NotPlain.here();
    };
  }

  private RelNode table(SqlIdentifier name, String alias) {
    boolean unknown =
        ofChange
            ? name.names.size() != 2 || !NameResolution.isRowsSchema(name.names.getFirst())
            : !name.isSimple();
    if (unknown) {
      throw NotPlain.here();
    }
    requireNew(alias);
    String last = name.names.getLast();
    ObjectName meant =
        ofChange
            ? new ObjectName(NameResolution.schemaOfRows(name.names.getFirst()), last)
            : catalog.resolve(last);
    TableDef table = catalog.table(meant);
    RelOptTable stored =
        table == null || catalog.view(meant) != null
            ? null
            : catalog
                .reader()
                .getTable(List.of(ofChange ? name.names.getFirst() : meant.schema(), meant.name()));
    if (table == null || stored == null) {
      throw NotPlain.here();
    }
    RelNode scan =
        LogicalTableScan.create(
            cluster, stored, ViewExpanders.simpleContext(cluster).getTableHints());
    add(new PlainTable.Stored(alias, table, ofChange, fields));
    return scan;
  }

  /** The rows of a query, which sees no other table. */
  private RelNode table(SqlSelect query, String alias) {
    requireNew(alias);
    Derived derived = queries.apply(query);
    if (new HashSet<>(derived.columns).size() < derived.columns.size()) {
      throw NotPlain.here(); // perhaps ambiguous
    }
    add(new PlainTable.Derived(alias, derived.columns, fields));
    return derived.rows;
  }

  private void add(PlainTable found) {
    tables.add(found);
    fields += found.fieldCount();
  }

  private void requireNew(String alias) {
    if (tables.stream().anyMatch(known -> known.name().equals(alias))) {
      throw NotPlain.here();
    }
  }

  /** The field of the joined row that a name means; -1 where it is none of these tables. */
  int field(SqlIdentifier name) {
    if (name.isStar() || name.names.size() > 2) {
      throw NotPlain.here();
    }
    String column = name.names.getLast();
    String qualifier = name.isSimple() ? null : name.names.getFirst();
    if (qualifier == null && FUNCTIONS.contains(column)) {
      throw NotPlain.here(); // without quotes it is a call
    }
    int found = -1;
    for (PlainTable table : tables) {
      if (qualifier == null || qualifier.equals(table.name())) {
        int field = table.field(column);
        if (field >= 0 && found >= 0) {
          throw NotPlain.here(); // ambiguous
        }
        found = Math.max(found, field);
        if (field < 0 && qualifier != null) {
          throw NotPlain.here(); // no such column
        }
      }
    }
    return found;
  }

  /** The table that a field of the joined row is a column of. */
  PlainTable tableOf(int field) {
    PlainTable of = null;
    for (PlainTable table : tables) {
      of = table.first() <= field ? table : of;
    }
    return Objects.requireNonNull(of);
  }
}
