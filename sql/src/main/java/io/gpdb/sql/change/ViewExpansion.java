package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.define.DomainCast;
import io.gpdb.sql.define.FunctionCall;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.dialect.TypeMark;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Puts the queries of views in the places of their names in FROM, as derived tables, and the bodies
 * of functions in the places of their calls: all that is done to a query sees neither, nor casts to
 * domains. A name of WITH hides a view of that name.
 */
public final class ViewExpansion extends SqlShuttle {
  /** Views within views. */
  static final int DEPTH_MAX = 32;

  private final CatalogSnapshot catalog;
  private final int depth;
  private final @Nullable Names names;
  private Set<String> hidden = Set.of();

  private ViewExpansion(CatalogSnapshot catalog, int depth) {
    this(catalog, depth, null);
  }

  /** With {@code names} it reports names there and expands nothing. */
  private ViewExpansion(CatalogSnapshot catalog, int depth, @Nullable Names names) {
    this.catalog = catalog;
    this.depth = depth;
    this.names = names;
  }

  /** Takes the names of tables and views in a query. */
  public interface Names {
    /**
     * Takes one name.
     *
     * @param found what the name means
     * @param correlation whether the name is the one by which columns are qualified, too
     */
    void name(SqlIdentifier name, ObjectName found, boolean correlation);

    /** Takes the name of a function that is called. */
    default void function(ObjectName name) {}
  }

  /** The parsed statement without views; most of it is changed in place. */
  public static SqlNode in(SqlNode statement, CatalogSnapshot catalog) {
    return catalog.views().isEmpty() && catalog.routines().isEmpty() && catalog.domains().isEmpty()
        ? statement
        : expanded(statement, new ViewExpansion(catalog, 0));
  }

  /** An expression of a view, in which tables are named with their schemas and views expanded. */
  static SqlNode within(SqlNode expression, CatalogSnapshot own) {
    return expanded(expression, new ViewExpansion(own, 1));
  }

  /** The tables and views that a parsed query names, in the order of their names. */
  public static List<ObjectName> uses(SqlNode query, CatalogSnapshot catalog) {
    Set<ObjectName> uses = new TreeSet<>();
    report(query, catalog, (_, found, _) -> uses.add(found));
    return List.copyOf(uses);
  }

  /** The functions that a parsed query or expression calls, in the order of their names. */
  public static List<ObjectName> calls(SqlNode query, CatalogSnapshot catalog) {
    Set<ObjectName> calls = new TreeSet<>();
    report(
        query,
        catalog,
        new Names() {
          @Override
          public void name(SqlIdentifier name, ObjectName found, boolean correlation) {}

          @Override
          public void function(ObjectName name) {
            calls.add(name);
          }
        });
    return List.copyOf(calls);
  }

  /** Reports the names of tables and views in a parsed query, which stays as it is. */
  public static void report(SqlNode query, CatalogSnapshot catalog, Names names) {
    expanded(query, new ViewExpansion(catalog, 0, names));
  }

  private static SqlNode expanded(SqlNode query, ViewExpansion expansion) {
    return Objects.requireNonNull(query.accept(expansion), "a statement");
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (call instanceof SqlWith with) {
      return with(with);
    }
    if (call.getKind() == SqlKind.EXPLICIT_TABLE && call.operand(0) instanceof SqlIdentifier id) {
      SqlNode found = resolved(id, false);
      if (found instanceof SqlIdentifier) {
        call.setOperand(0, found);
        return call;
      }
      return found;
    }
    RoutineDef function = FunctionCall.called(call, catalog);
    if (function != null) {
      return called(function, call);
    }
    DomainDef domain = DomainCast.domain(call, catalog);
    if (domain != null) {
      return cast(domain, call);
    }
    DomainDef distinct = DomainCast.distinct(call, catalog);
    if (distinct != null) {
      return source(distinct, call);
    }
    if (call.getKind() == SqlKind.CAST && names == null) {
      return DomainCast.marked(Objects.requireNonNull(super.visit(call), "a cast"), catalog);
    }
    if (call instanceof SqlSelect select) {
      SqlNode from = select.getFrom();
      if (from != null) {
        select.setFrom(from(from));
      }
    }
    return super.visit(call);
  }

  private @Nullable SqlNode called(RoutineDef function, SqlCall call) {
    if (names != null) {
      names.function(function.fullName());
      return super.visit(call);
    }
    requireDepth();
    CatalogSnapshot own = catalog.in(new SchemaPath(null, function.namesFrom()));
    SqlNode body = expanded(FunctionCall.body(function), new ViewExpansion(own, depth + 1));
    List<SqlNode> arguments =
        call.getOperandList().stream().map(argument -> argument(expanded(argument, this))).toList();
    return new FunctionCall(function, call.getParserPosition()).inlined(body, arguments);
  }

  /** An argument, which is assigned to a parameter of a type of SQL. */
  private SqlNode argument(SqlNode value) {
    return catalog.hasDistinctTypes() ? TypeMark.source(value) : value;
  }

  private SqlNode cast(DomainDef domain, SqlCall call) {
    requireNothingKept(domain, call);
    return DomainCast.of(expanded(call.operand(0), this), domain, call.getParserPosition());
  }

  private SqlNode source(DomainDef distinct, SqlCall call) {
    requireNothingKept(distinct, call);
    return DomainCast.source(expanded(call.operand(0), this), distinct, call.getParserPosition());
  }

  private void requireNothingKept(DomainDef domain, SqlCall call) {
    if (names != null || depth > 0) { // nothing keeps the domain from being dropped under it
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a cast by %s %s in a view or routine is not supported%s"
              .formatted(domain.kind(), domain.fullName(), TableNames.at(call)));
    }
  }

  private void requireDepth() {
    if (depth == DEPTH_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "views and functions are nested too deeply: limit=" + DEPTH_MAX);
    }
  }

  private SqlNode with(SqlWith with) {
    Set<String> outer = hidden;
    for (SqlNode node : with.withList) {
      SqlWithItem item = (SqlWithItem) node;
      String name = item.name.getSimple();
      if (item.recursive.booleanValue()) {
        hide(name);
      }
      item.query = expanded(item.query, this);
      hide(name);
    }
    with.body = expanded(with.body, this);
    hidden = outer;
    return with;
  }

  private void hide(String name) {
    Set<String> more = new HashSet<>(hidden);
    more.add(name);
    hidden = more;
  }

  private SqlNode from(SqlNode node) {
    switch (node.getKind()) {
      case IDENTIFIER -> {
        SqlIdentifier name = (SqlIdentifier) node;
        SqlNode found = resolved(name, true);
        if (found instanceof SqlIdentifier) {
          return found;
        }
        SqlParserPos place = name.getParserPosition();
        return SqlStdOperatorTable.AS.createCall(
            place, found, new SqlIdentifier(name.names.getLast(), place));
      }
      case JOIN -> {
        SqlJoin join = (SqlJoin) node;
        join.setLeft(from(join.getLeft()));
        join.setRight(from(join.getRight()));
      }
      case AS -> {
        SqlCall as = (SqlCall) node;
        SqlNode source = as.operand(0);
        as.setOperand(
            0, source instanceof SqlIdentifier name ? resolved(name, false) : from(source));
      }
      case LATERAL, TABLESAMPLE, TABLE_REF -> {
        SqlCall call = (SqlCall) node;
        call.setOperand(0, from(call.operand(0)));
      }
      default -> {
        // a query or a function: visited as all calls are
      }
    }
    return node;
  }

  /**
   * The query of a view. Within a view's query a table is named with its schema, since a name of
   * WITH in the statement around it is none of the view's.
   */
  private SqlNode resolved(SqlIdentifier name, boolean correlation) {
    ObjectName found = found(name);
    if (found == null) {
      return name;
    }
    SqlParserPos place = name.getParserPosition();
    ViewDef view = catalog.view(found);
    if (view == null && catalog.table(found) == null) {
      return name;
    }
    if (names != null) {
      names.name(name, found, correlation);
      return name;
    }
    if (view != null) {
      return query(view, place);
    }
    return depth == 0 ? name : new SqlIdentifier(List.of(found.schema(), found.name()), place);
  }

  /** The table or view that a name may mean; null where WITH has that name. */
  private @Nullable ObjectName found(SqlIdentifier name) {
    return switch (name.names.size()) {
      case 1 -> hidden.contains(name.getSimple()) ? null : catalog.resolve(name.getSimple());
      case 2 -> new ObjectName(name.names.getFirst(), name.names.getLast());
      default -> null;
    };
  }

  private SqlNode query(ViewDef view, SqlParserPos place) {
    requireDepth();
    catalog.requireComplete(view);
    SqlText text = new SqlText(view.query());
    SqlNode query;
    try {
      query = text.statement();
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "the query of view " + view.fullName() + " cannot be read", e);
    }
    ResultNames.nameExpressions(query, text);
    CatalogSnapshot own = catalog.in(new SchemaPath(null, view.namesFrom()));
    query = expanded(query, new ViewExpansion(own, depth + 1));
    List<SqlNode> named = new ArrayList<>();
    named.add(query);
    named.add(new SqlIdentifier(view.name(), place));
    for (ColumnDef column : view.columns()) {
      named.add(new SqlIdentifier(column.name(), place));
    }
    SqlNode derived = SqlStdOperatorTable.AS.createCall(place, named);
    return QueryConversion.select(SqlNodeList.SINGLETON_STAR, derived, null);
  }
}
