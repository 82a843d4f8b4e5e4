package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.LockClause;
import io.gpdb.sql.parser.ParseErrors;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * A query that locks rows: its tables are those with row ids, and their row ids become its last
 * fields.
 */
public final class LockingAnalysis {
  private static final long MILLIS_PER_SECOND = 1000;

  private static final Set<String> MODES_BESIDES_WRITERS =
      Set.of("ACCESS SHARE", "ROW SHARE", "ROW EXCLUSIVE");

  private static final Set<String> MODES_ALONE =
      Set.of(
          "",
          "SHARE UPDATE EXCLUSIVE",
          "SHARE",
          "SHARE ROW EXCLUSIVE",
          "EXCLUSIVE",
          "ACCESS EXCLUSIVE");

  private final CatalogSnapshot catalog;
  private final UnaryOperator<SqlNode> completed;
  private final QueryConversion conversion;
  private final List<TargetRows> tables = new ArrayList<>();
  private final Set<SqlNode> lockedRows = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<String> hidden = new HashSet<>();

  public LockingAnalysis(
      CatalogSnapshot catalog, UnaryOperator<SqlNode> completed, QueryConversion conversion) {
    this.catalog = catalog;
    this.completed = completed;
    this.conversion = conversion;
  }

  public static Analyzed tables(ParsedStatement.LockTables lock, CatalogSnapshot catalog) {
    boolean alone = MODES_ALONE.contains(lock.mode());
    if (!alone && !MODES_BESIDES_WRITERS.contains(lock.mode())) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          "LOCK TABLE has no mode " + lock.mode() + TableNames.at(lock.position()));
    }
    List<TableDef> all =
        lock.tables().stream().map(name -> TableNames.table(name, catalog)).toList();
    return new Analyzed.LockTables(all, alone, lock.noWait() ? 0L : null);
  }

  public Analyzed query(ParsedStatement.LockingQuery locking) {
    LockClause lock = locking.lock();
    SqlNode query = locking.query();
    SqlWith with = query instanceof SqlWith found ? found : null;
    SqlNode body = with == null ? query : with.body;
    SqlOrderBy order = body instanceof SqlOrderBy found ? found : null;
    SqlNode rows = order == null ? body : order.query;
    if (rows instanceof SqlWith inner && with == null) {
      with = inner;
      rows = inner.body;
    }
    if (!(rows instanceof SqlSelect select) || isGrouped(select)) {
      throw ParseErrors.refused(
          "FOR UPDATE of rows that are not those of tables", query.getParserPosition());
    }
    if (with != null) {
      with.withList.forEach(item -> hidden.add(((SqlWithItem) item).name.getSimple()));
    }
    Set<String> of = names(lock.of());
    SqlNode from = select.getFrom();
    if (from != null) {
      select.setFrom(locked(from, of));
    }
    requireAll(of, lock);
    nameColumns(select);
    addRowIds(select);
    SqlNode ordered = order == null ? select : ordered(select, order, !lock.skip());
    SqlNode whole =
        with == null ? ordered : new SqlWith(with.getParserPosition(), with.withList, ordered);
    QueryConversion.Converted converted = conversion.query(completed.apply(whole));
    SqlOrderBy limits = lock.skip() ? order : null;
    RexNode offset = limits == null ? null : count(limits.offset, converted.numbered());
    RexNode fetch = limits == null ? null : count(limits.fetch, converted.numbered());
    int fields = converted.output().size() - tables.size();
    Analyzed.Query made =
        new Analyzed.Query(
            converted.root(), converted.parameters(), converted.output().subList(0, fields));
    return new Analyzed.LockingQuery(
        made,
        tables.stream().map(TargetRows::table).toList(),
        lock.skip(),
        millis(lock.waits()),
        offset,
        fetch);
  }

  /** A query of rows of one table, with their row ids in the last field. */
  public Analyzed.Query withRowIds(SqlNode query) {
    SqlOrderBy order = query instanceof SqlOrderBy found ? found : null;
    SqlSelect select = (SqlSelect) (order == null ? query : order.query);
    select.setFrom(locked(Objects.requireNonNull(select.getFrom()), Set.of()));
    nameColumns(select);
    addRowIds(select);
    QueryConversion.Converted converted =
        conversion.query(completed.apply(order == null ? select : ordered(select, order, true)));
    return new Analyzed.Query(converted.root(), converted.parameters(), converted.output());
  }

  private boolean isGrouped(SqlSelect select) {
    return select.getGroup() != null
        || select.getHaving() != null
        || select.isDistinct()
        || select.getQualify() != null
        || conversion.validator().isAggregate(select);
  }

  private static Set<String> names(@Nullable List<SqlIdentifier> of) {
    Set<String> names = new HashSet<>();
    if (of != null) {
      of.forEach(name -> names.add(name.names.getLast()));
    }
    return names;
  }

  /** FROM with the tables that are locked in place of those without row ids. */
  private SqlNode locked(SqlNode from, Set<String> of) {
    if (from instanceof SqlJoin join) {
      join.setLeft(locked(join.getLeft(), of));
      join.setRight(locked(join.getRight(), of));
      return join;
    }
    if (from instanceof SqlIdentifier name) {
      return table(name, name.names.getLast(), from, of);
    }
    if (from.getKind() == SqlKind.AS && from instanceof SqlCall as) {
      String alias = ((SqlIdentifier) as.operand(1)).getSimple();
      if (as.operandCount() == 2 && as.operand(0) instanceof SqlIdentifier name) {
        return table(name, alias, from, of);
      }
      return other(alias, from, of);
    }
    return other("", from, of);
  }

  private SqlNode table(SqlIdentifier name, String alias, SqlNode from, Set<String> of) {
    ObjectName found = found(name);
    if (found == null) {
      return other(alias, from, of);
    }
    boolean isThere = catalog.table(found) != null || catalog.view(found) != null;
    if (!isThere || (!of.isEmpty() && !of.contains(alias))) {
      return from;
    }
    SqlIdentifier as = from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(1) : null;
    TargetRows target = TargetRows.named(name, as, catalog);
    SqlNode rows = target.from();
    tables.add(target);
    lockedRows.add(rows);
    return rows;
  }

  /** The table or view that a name means; null where WITH has that name. */
  private @Nullable ObjectName found(SqlIdentifier name) {
    return switch (name.names.size()) {
      case 1 -> hidden.contains(name.getSimple()) ? null : catalog.resolve(name.getSimple());
      case 2 -> new ObjectName(name.names.getFirst(), name.names.getLast());
      default -> null;
    };
  }

  private static SqlNode other(String alias, SqlNode from, Set<String> of) {
    if (of.isEmpty() || of.contains(alias)) {
      throw ParseErrors.refused("FOR UPDATE of a query in FROM", from.getParserPosition());
    }
    return from;
  }

  private void requireAll(Set<String> of, LockClause lock) {
    tables.forEach(table -> of.remove(table.alias()));
    List<SqlIdentifier> named = lock.of();
    if (!of.isEmpty() && named != null) {
      throw new GpdbException(
          io.gpdb.storage.error.ErrorCode.TABLE_NOT_FOUND,
          "FROM has no table " + of.iterator().next() + TableNames.at(named.getFirst()));
    }
  }

  /** Columns of locked tables are not named with their schemas. */
  private void nameColumns(SqlSelect select) {
    for (TargetRows target : tables) {
      select.setSelectList((SqlNodeList) target.named(select.getSelectList()));
      SqlNode where = select.getWhere();
      if (where != null) {
        select.setWhere(target.named(where));
      }
    }
  }

  /** Stars are spelled out first: they do not mean the row ids. */
  private void addRowIds(SqlSelect select) {
    SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier id && id.isStar()) {
        star(select, id, items);
      } else {
        items.add(item);
      }
    }
    for (int t = 0; t < tables.size(); t++) {
      items.add(
          SqlStdOperatorTable.AS.createCall(
              SqlParserPos.ZERO,
              tables.get(t).rowId(),
              new SqlIdentifier("$ROW" + t, SqlParserPos.ZERO)));
    }
    select.setSelectList(items);
  }

  private void star(SqlSelect select, SqlIdentifier star, SqlNodeList items) {
    if (star.names.size() > 1) {
      String alias = star.names.get(star.names.size() - 2);
      TargetRows target =
          tables.stream().filter(t -> t.alias().equals(alias)).findFirst().orElse(null);
      if (target == null) {
        items.add(star);
      } else {
        columns(target, star, items);
      }
      return;
    }
    if (!isPlain(select.getFrom())) {
      throw ParseErrors.refused(
          "* of other FROM than tables, with FOR UPDATE", star.getParserPosition());
    }
    tables.forEach(target -> columns(target, star, items));
  }

  private static void columns(TargetRows target, SqlIdentifier star, SqlNodeList items) {
    for (String column : target.columnNames()) {
      items.add(new SqlIdentifier(List.of(target.alias(), column), star.getParserPosition()));
    }
  }

  /** Whether all tables of FROM are locked, and none of their columns are merged. */
  private boolean isPlain(@Nullable SqlNode from) {
    if (from instanceof SqlJoin join) {
      return !join.isNatural()
          && join.getConditionType() != org.apache.calcite.sql.JoinConditionType.USING
          && isPlain(join.getLeft())
          && isPlain(join.getRight());
    }
    return from != null && lockedRows.contains(from);
  }

  private static SqlNode ordered(SqlSelect select, SqlOrderBy order, boolean limited) {
    if (!limited && order.orderList.isEmpty()) {
      return select;
    }
    return new SqlOrderBy(
        order.getParserPosition(),
        select,
        order.orderList,
        limited ? order.offset : null,
        limited ? order.fetch : null);
  }

  /** A number of rows that the query itself does not limit: a literal, or one more parameter. */
  private @Nullable RexNode count(
      @Nullable SqlNode rows, SortedMap<Integer, ParameterDef> parameters) {
    if (rows == null) {
      return null;
    }
    if (rows instanceof SqlDynamicParam parameter) {
      parameters.put(parameter.getIndex(), new ParameterDef(SqlTypeSpec.BIGINT));
      return conversion
          .rexBuilder()
          .makeDynamicParam(GpTypes.relType(SqlTypeSpec.BIGINT, true), parameter.getIndex());
    }
    if (!(rows instanceof SqlLiteral)) {
      throw ParseErrors.refused(
          "a LIMIT that is neither a number nor a parameter, with SKIP LOCKED",
          rows.getParserPosition());
    }
    return conversion.expression(rows).value();
  }

  private static @Nullable Long millis(@Nullable SqlNode seconds) {
    if (!(seconds instanceof SqlLiteral literal)) {
      return null;
    }
    BigDecimal value = literal.getValueAs(BigDecimal.class);
    return value == null ? null : value.multiply(BigDecimal.valueOf(MILLIS_PER_SECOND)).longValue();
  }
}
