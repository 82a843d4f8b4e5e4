package io.gpdb.sql.validation;

import static org.apache.calcite.util.Static.RESOURCE;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.DelegatingScope;
import org.apache.calcite.sql.validate.ListScope;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.jspecify.annotations.Nullable;

/**
 * Writes out, in place, what NATURAL and USING mean: such a join compares the columns of a common
 * name by ON, and that name alone stands for the one column that the two become. Calcite's own way
 * knows one level of joins, and common columns in few clauses.
 */
final class CommonColumns {
  private static final int NATURAL = 1;
  private static final int CONDITION_TYPE = 4;
  private static final int CONDITION = 5;

  private final GpValidator validator;

  /** Of queries, and of joins for their ON, whose tables have common columns. */
  private final IdentityHashMap<SqlNode, List<JoinedColumn>> columns = new IdentityHashMap<>();

  CommonColumns(GpValidator validator) {
    this.validator = validator;
  }

  /** Changes a query that is registered and not validated. */
  void writeOut(SqlSelect select, SqlValidatorScope scope) {
    List<JoinedColumn> own = null;
    if (select.getFrom() instanceof SqlJoin join && hasCommon(join)) {
      own = ofFrom(join);
      columns.put(select, own);
    }
    if (columns.isEmpty()) {
      return;
    }
    Set<String> aliases = new HashSet<>();
    SqlNodeList list = select.getSelectList();
    for (SqlNode item : list) {
      if (item.getKind() == SqlKind.AS) {
        aliases.add(SqlValidatorUtil.alias(item));
      }
    }
    select.setSelectList(items(list, own, scope));
    CommonNames names = new CommonNames(id -> value(id, scope));
    select.setWhere(names.replacedOrNull(select.getWhere()));
    if (select.getGroup() != null) {
      aliases.removeIf(simpleNames(select.getGroup())::contains);
      names.replaceAll(select.getGroup());
    }
    names.replaceAll(select.getWindowList());
    CommonNames besideAliases = names.except(aliases::contains);
    select.setHaving(besideAliases.replacedOrNull(select.getHaving()));
    select.setQualify(besideAliases.replacedOrNull(select.getQualify()));
    if (select.getOrderList() != null) {
      Set<String> results = new HashSet<>();
      select.getSelectList().forEach(item -> results.add(SqlValidatorUtil.alias(item)));
      names.except(results::contains).replaceAll(select.getOrderList());
    }
  }

  /** Changes the rows of VALUES, which may name columns of the queries around it. */
  void writeOut(SqlCall values, SqlValidatorScope scope) {
    if (!columns.isEmpty()) {
      new CommonNames(id -> value(id, scope)).replaced(values);
    }
  }

  private static Set<String> simpleNames(SqlNodeList nodes) {
    Set<String> names = new HashSet<>();
    for (SqlNode node : nodes) {
      if (node instanceof SqlIdentifier id && id.isSimple()) {
        names.add(id.getSimple());
      }
    }
    return names;
  }

  private SqlNodeList items(
      SqlNodeList list, @Nullable List<JoinedColumn> own, SqlValidatorScope scope) {
    List<SqlNode> items = new ArrayList<>();
    CommonNames names = new CommonNames(id -> value(id, scope));
    for (SqlNode item : list) {
      SqlParserPos at = item.getParserPosition();
      if (own != null
          && item instanceof SqlIdentifier star
          && star.isStar()
          && star.names.size() == 1) {
        own.forEach(column -> items.add(column.item(at)));
      } else {
        SqlNode replaced = names.replaced(item);
        items.add(
            item instanceof SqlIdentifier id && replaced.getKind() == SqlKind.COALESCE
                ? JoinedColumn.named(replaced, id.getSimple(), at)
                : replaced);
      }
    }
    return new SqlNodeList(items, list.getParserPosition());
  }

  /** What a name without a table stands for, null unless it is that of a common column. */
  private @Nullable SqlNode value(SqlIdentifier id, SqlValidatorScope scope) {
    SqlValidatorScope at = scope;
    while (at instanceof DelegatingScope inner) {
      List<JoinedColumn> common = at instanceof ListScope ? columns.get(at.getNode()) : null;
      if (common != null) {
        List<JoinedColumn> found = named(id.getSimple(), common);
        if (!found.isEmpty()) {
          return found.size() == 1 && found.getFirst().isCommon()
              ? found.getFirst().node(id.getParserPosition())
              : null;
        }
      } else if (at instanceof ListScope tables && has(tables, id.getSimple())) {
        return null;
      }
      at = inner.getParent();
    }
    return null;
  }

  private static boolean has(ListScope tables, String name) {
    return tables.getChildren().stream()
        .anyMatch(table -> table.getRowType().getFieldNames().contains(name));
  }

  private static boolean hasCommon(SqlNode from) {
    return from instanceof SqlJoin join
        && (isCommon(join) || hasCommon(join.getLeft()) || hasCommon(join.getRight()));
  }

  private static boolean isCommon(SqlJoin join) {
    return join.isNatural() || join.getConditionType() == JoinConditionType.USING;
  }

  private List<JoinedColumn> ofFrom(SqlNode from) {
    if (from instanceof SqlJoin join) {
      List<JoinedColumn> left = ofFrom(join.getLeft());
      List<JoinedColumn> right = ofFrom(join.getRight());
      return isCommon(join) ? joined(join, left, right) : besides(join, left, right);
    }
    String table = SqlValidatorUtil.alias(from);
    return validator.getNamespace(from).getRowType().getFieldNames().stream()
        .map(name -> JoinedColumn.of(table, name))
        .toList();
  }

  private List<JoinedColumn> besides(
      SqlJoin join, List<JoinedColumn> left, List<JoinedColumn> right) {
    List<JoinedColumn> all = new ArrayList<>(left);
    all.addAll(right);
    SqlNode condition = join.getCondition();
    if (condition != null && all.stream().anyMatch(JoinedColumn::isCommon)) {
      columns.put(join, all);
      SqlValidatorScope scope = validator.getJoinScope(join);
      join.setOperand(CONDITION, new CommonNames(id -> value(id, scope)).replaced(condition));
    }
    return all;
  }

  private List<JoinedColumn> joined(
      SqlJoin join, List<JoinedColumn> left, List<JoinedColumn> right) {
    List<SqlIdentifier> names = names(join, left, right);
    List<JoinedColumn> all = new ArrayList<>();
    @Nullable SqlNode condition = null;
    for (SqlIdentifier name : names) {
      JoinedColumn l = only(name, left);
      JoinedColumn r = only(name, right);
      all.add(merged(join.getJoinType(), l, r));
      SqlParserPos at = name.getParserPosition();
      SqlNode equal = SqlStdOperatorTable.EQUALS.createCall(at, l.node(at), r.node(at));
      condition =
          condition == null ? equal : SqlStdOperatorTable.AND.createCall(at, condition, equal);
    }
    Predicate<JoinedColumn> isOwn =
        column -> names.stream().noneMatch(name -> name.getSimple().equals(column.name()));
    left.stream().filter(isOwn).forEach(all::add);
    right.stream().filter(isOwn).forEach(all::add);
    SqlParserPos at = join.getParserPosition();
    join.setOperand(NATURAL, SqlLiteral.createBoolean(false, at));
    join.setOperand(CONDITION_TYPE, JoinConditionType.ON.symbol(at));
    join.setOperand(CONDITION, condition == null ? SqlLiteral.createBoolean(true, at) : condition);
    return all;
  }

  private static JoinedColumn merged(JoinType type, JoinedColumn left, JoinedColumn right) {
    return switch (type) {
      case FULL -> JoinedColumn.either(left, right);
      case RIGHT -> right.asCommon();
      default -> left.asCommon();
    };
  }

  private static List<SqlIdentifier> names(
      SqlJoin join, List<JoinedColumn> left, List<JoinedColumn> right) {
    List<SqlIdentifier> names = new ArrayList<>();
    if (!join.isNatural() && join.getCondition() instanceof SqlNodeList using) {
      using.forEach(name -> names.add((SqlIdentifier) name));
      return names;
    }
    left.stream()
        .map(JoinedColumn::name)
        .distinct()
        .filter(name -> !named(name, right).isEmpty())
        .forEach(name -> names.add(new SqlIdentifier(name, join.getParserPosition())));
    return names;
  }

  private JoinedColumn only(SqlIdentifier name, List<JoinedColumn> side) {
    List<JoinedColumn> found = named(name.getSimple(), side);
    if (found.size() != 1) {
      throw validator.newValidationError(
          name,
          found.isEmpty()
              ? RESOURCE.columnNotFound(name.getSimple())
              : RESOURCE.columnAmbiguous(name.getSimple()));
    }
    return found.getFirst();
  }

  private static List<JoinedColumn> named(String name, List<JoinedColumn> columns) {
    return columns.stream().filter(column -> column.name().equals(name)).toList();
  }
}
