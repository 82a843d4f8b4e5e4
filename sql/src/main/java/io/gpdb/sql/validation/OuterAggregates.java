package io.gpdb.sql.validation;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.GroupedSubQueries;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.OwnNodes;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.util.SqlVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates of a subquery all of whose columns are of an enclosing query: they are that query's,
 * which they make one of groups, and one value for the subquery ({@link OuterReferences}).
 *
 * <p>Whose a column is the validator knows only when Calcite has already taken the aggregate for
 * one of the subquery's rows. So the first such aggregates end the validation; the statement is
 * validated again from a copy in which they are marked ({@link #marked}).
 */
public final class OuterAggregates {
  /** The aggregate itself; Calcite's searches for aggregates do not look into it. */
  static final SqlFunction MARK =
      new SqlFunction(
          "OUTER_AGGREGATE",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.ARG0_FORCE_NULLABLE,
          null,
          OperandTypes.ANY,
          SqlFunctionCategory.SYSTEM) {
        @Override
        public RelDataType deriveType(
            SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
          RelDataType type = validator.deriveType(scope, call.operand(0));
          return validator.getTypeFactory().createTypeWithNullability(type, true);
        }

        @Override
        public <R> @Nullable R acceptCall(SqlVisitor<R> visitor, SqlCall call) {
          return visitor instanceof SqlShuttle ? super.acceptCall(visitor, call) : null;
        }

        @Override
        public <R> void acceptCall(
            SqlVisitor<R> visitor,
            SqlCall call,
            boolean onlyExpressions,
            SqlBasicVisitor.ArgHandler<R> arguments) {
          if (visitor instanceof SqlShuttle) {
            super.acceptCall(visitor, call, onlyExpressions, arguments);
          }
        }
      };

  /** What may be around an aggregate: FILTER, an order, what is done with NULL. */
  private static final Set<SqlKind> AROUND =
      Set.of(
          SqlKind.FILTER,
          SqlKind.WITHIN_GROUP,
          SqlKind.WITHIN_DISTINCT,
          SqlKind.RESPECT_NULLS,
          SqlKind.IGNORE_NULLS);

  /**
   * One aggregate by its place in the text.
   *
   * @param of the place of the enclosing query
   * @param makesGroup whether that query has no groups so far
   */
  private record Aggregate(String name, SqlParserPos at, SqlParserPos of, boolean makesGroup) {}

  private final List<Aggregate> found = new ArrayList<>();

  OuterAggregates() {}

  /** Whether a subquery calls a function, so that it may be such an aggregate. */
  public static boolean mayBeIn(SqlNode statement) {
    boolean[] may = {false};
    statement.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          private int selects;

          @Override
          public @Nullable Void visit(SqlCall call) {
            may[0] |= selects > 1 && call.getOperator() instanceof SqlFunction;
            if (may[0]) {
              return null;
            }
            if (call instanceof SqlOrderBy ordered) {
              ordered.query.accept(this);
              within(ordered.orderList); // of the query, although it is behind it
              return null;
            }
            if (call instanceof SqlSelect) {
              call.getOperandList().forEach(this::within);
              return null;
            }
            return super.visit(call);
          }

          private void within(@Nullable SqlNode clause) {
            selects++;
            if (clause != null) {
              clause.accept(this);
            }
            selects--;
          }
        });
    return may[0];
  }

  /**
   * Ends the validation where the query has such aggregates that are not marked.
   *
   * @param owner the enclosing query that has the column; null where it is the query's own, or of
   *     no query that is written
   */
  void check(
      SqlSelect query,
      Function<SqlIdentifier, @Nullable SqlSelect> owner,
      Predicate<SqlSelect> isGrouped) {
    Search search = new Search(owner, isGrouped);
    search.conditions(query.getFrom());
    for (SqlNode clause : query.getOperandList()) {
      if (clause != null && !clause.equals(query.getFrom())) {
        clause.accept(search);
      }
    }
    if (!found.isEmpty()) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          found.getFirst().name + " of columns of an enclosing query alone");
    }
  }

  /** The aggregate that a call is, or is FILTER and the like of; else null. */
  private static @Nullable SqlCall aggregate(SqlCall call) {
    SqlCall inner = call;
    while (AROUND.contains(inner.getKind()) && inner.operand(0) instanceof SqlCall within) {
      inner = within;
    }
    return GroupedSubQueries.isOfRows(inner) ? inner : null;
  }

  /** Whether it is over columns; COUNT(*) is over rows, whatever FILTER says of them. */
  static boolean hasColumns(SqlCall aggregate) {
    return NodeSearch.columns(aggregate).stream().anyMatch(column -> !column.isStar());
  }

  private final class Search extends SqlBasicVisitor<@Nullable Void> {
    private final Function<SqlIdentifier, @Nullable SqlSelect> owner;
    private final Predicate<SqlSelect> isGrouped;

    Search(Function<SqlIdentifier, @Nullable SqlSelect> owner, Predicate<SqlSelect> isGrouped) {
      this.owner = owner;
      this.isGrouped = isGrouped;
    }

    private void conditions(@Nullable SqlNode from) {
      if (from instanceof SqlJoin join) {
        conditions(join.getLeft());
        conditions(join.getRight());
        if (join.getCondition() != null) {
          join.getCondition().accept(this);
        }
      }
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
      if (call.isA(SqlKind.QUERY) || MARK.equals(call.getOperator())) {
        return null;
      }
      if (call.getKind() == SqlKind.OVER) {
        super.visit(call.<SqlCall>operand(0)); // a window's function has rows of its own
        return call.operand(1).accept(this);
      }
      SqlCall aggregate = aggregate(call);
      SqlSelect of = aggregate == null ? null : query(aggregate, call);
      if (aggregate == null || of == null) {
        operands(call, aggregate);
        return null;
      }
      found.add(
          new Aggregate(
              aggregate.getOperator().getName(),
              call.getParserPosition(),
              of.getParserPosition(),
              !isGrouped.test(of)));
      return null;
    }

    /** What is in a call, without the aggregate itself that FILTER and the like are around. */
    private void operands(SqlCall call, @Nullable SqlCall aggregate) {
      for (SqlNode operand : call.getOperandList()) {
        if (operand instanceof SqlCall inner
            && Objects.equals(aggregate(inner), aggregate)
            && aggregate != null) {
          operands(inner, aggregate);
        } else if (operand != null) {
          operand.accept(this);
        }
      }
    }

    /** The one enclosing query of all columns of an aggregate that has columns; else null. */
    private @Nullable SqlSelect query(SqlCall aggregate, SqlCall whole) {
      if (!hasColumns(aggregate)) {
        return null;
      }
      Set<@Nullable SqlSelect> owners = new HashSet<>();
      NodeSearch.columns(whole).forEach(column -> owners.add(owner.apply(column)));
      return owners.size() == 1 ? owners.iterator().next() : null;
    }
  }

  /** The statement with what was found marked; null where nothing was, or is in this text. */
  public @Nullable SqlNode marked(SqlNode statement) {
    Set<SqlParserPos> places = new HashSet<>();
    found.forEach(aggregate -> places.add(aggregate.at));
    Marks marks = new Marks(places);
    SqlNode marked = statement.accept(marks);
    if (marked == null || marks.count == 0) {
      return null;
    }
    marked.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call instanceof SqlSelect select) {
              found.stream()
                  .filter(aggregate -> aggregate.of.equals(select.getParserPosition()))
                  .forEach(aggregate -> group(select, aggregate));
            }
            return super.visit(call);
          }
        });
    return marked;
  }

  private static void group(SqlSelect query, Aggregate aggregate) {
    for (SqlNode clause : new SqlNode[] {query.getFrom(), query.getWhere(), query.getGroup()}) {
      if (clause != null && isIn(clause, aggregate.at)) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            aggregate.name
                + " in FROM, WHERE or GROUP BY of the query whose columns it has"
                + TableNames.at(clause));
      }
    }
    if (aggregate.makesGroup && query.getGroup() == null) {
      SqlParserPos at = query.getParserPosition();
      query.setGroupBy(new SqlNodeList(List.of(new SqlNodeList(at)), at));
    }
  }

  private static boolean isIn(SqlNode clause, SqlParserPos place) {
    Marks search = new Marks(Set.of(place));
    OwnNodes.copy(clause).accept(search);
    return search.count > 0;
  }

  /** Marks the calls at these places. */
  private static final class Marks extends SqlShuttle {
    private final Set<SqlParserPos> places;
    private int count;

    Marks(Set<SqlParserPos> places) {
      this.places = places;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
      boolean isSought =
          places.contains(call.getParserPosition())
              && !call.isA(SqlKind.QUERY)
              && call.getKind() != SqlKind.AS; // at the place of the value that it names
      if (!isSought) {
        return super.visit(call);
      }
      count++;
      return MARK.createCall(call.getParserPosition(), call);
    }
  }
}
