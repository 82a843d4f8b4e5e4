package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.SeriesFunction;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Questions about a syntax tree. */
public final class NodeSearch {
  private static final Set<String> JSON =
      Set.of("JSON_ARRAY", "JSON_EXISTS", "JSON_OBJECT", "JSON_QUERY", "JSON_VALUE");

  private static final Set<SqlKind> OF_QUERIES = EnumSet.of(SqlKind.EXISTS, SqlKind.UNIQUE);

  private static final Set<String> OF_MULTISETS =
      Set.of("MEMBER OF", "NOT MEMBER OF", "SUBMULTISET OF", "NOT SUBMULTISET OF");

  private static final Set<TimeUnitRange> NUMBERS =
      EnumSet.of(TimeUnitRange.DOW, TimeUnitRange.ISODOW, TimeUnitRange.DOY, TimeUnitRange.EPOCH);

  private NodeSearch() {}

  public static boolean hasQuery(SqlNode node) {
    return node.accept(new Search(true, false));
  }

  /** Whether the call has a query of its own. */
  public static boolean isSubQuery(SqlCall call) {
    return switch (call.getKind()) {
      case SCALAR_QUERY, EXISTS, UNIQUE -> true;
      case IN, NOT_IN, SOME, ALL -> call.operand(1).isA(SqlKind.QUERY);
      default -> false;
    };
  }

  public static boolean hasParameter(SqlNode node) {
    return node.accept(new Search(false, true));
  }

  /** Throws 0A000 for a cast to a type beyond its limits, and for what gpDB lacks. */
  public static void checkSupported(SqlNode node) {
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlDataTypeSpec type) {
            DeclaredType.check(type);
            return null;
          }

          @Override
          public @Nullable Void visit(SqlCall call) {
            if (OF_QUERIES.contains(call.getKind()) && !call.operand(0).isA(SqlKind.QUERY)) {
              throw new GpdbException(
                  SqlCondition.SYNTAX,
                  "syntax error: " + call.getOperator() + " is of a query" + TableNames.at(call));
            }
            String unsupported = unsupported(call);
            if (unsupported != null) {
              throw new GpdbException(
                  ErrorCode.NOT_SUPPORTED, unsupported + " is not supported" + TableNames.at(call));
            }
            return super.visit(isSeries(call) ? (SqlCall) call.operand(0) : call);
          }
        });
  }

  /** Whether FROM has the call of a series, which stands nowhere else. */
  private static boolean isSeries(SqlCall call) {
    return call.getKind() == SqlKind.COLLECTION_TABLE
        && call.operand(0) instanceof SqlCall function
        && SeriesNames.isSeries(function);
  }

  private static @Nullable String unsupported(SqlCall call) {
    String sequence = SequenceCalls.refused(call);
    return switch (call.getKind()) {
      case NEXT_VALUE, CURRENT_VALUE -> sequence;
      case MATCH_RECOGNIZE -> "MATCH_RECOGNIZE";
      case SNAPSHOT -> "FOR SYSTEM_TIME";
      case CURSOR -> "CURSOR";
      case COLLECTION_TABLE -> unsupportedRows(call.operand(0));
      case FLOOR, CEIL -> unsupportedUnit(call);
      case VALUES -> hasWindow(call) ? "a window function in VALUES" : null;
      default ->
          SeriesNames.isSeries(call)
              ? SeriesFunction.NAME + " outside of FROM"
              : sequence != null ? sequence : unsupportedFunction(call.getOperator().getName());
    };
  }

  /** The names in an expression, without those in its subqueries. */
  public static List<SqlIdentifier> columns(SqlNode expression) {
    List<SqlIdentifier> columns = new ArrayList<>();
    expression.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            return call.isA(SqlKind.QUERY) ? null : super.visit(call);
          }

          @Override
          public @Nullable Void visit(SqlIdentifier id) {
            columns.add(id);
            return null;
          }
        });
    return columns;
  }

  /** FLOOR and CEIL are to units of time that follow each other, not to numbers within others. */
  private static @Nullable String unsupportedUnit(SqlCall call) {
    return call.operandCount() == 2
            && call.operand(1) instanceof SqlIntervalQualifier unit
            && NUMBERS.contains(unit.timeUnitRange)
        ? call.getOperator().getName() + " TO " + unit.timeUnitRange
        : null;
  }

  /** Whether a window function is evaluated for a row, not in a query of its own. */
  public static boolean hasWindow(SqlNode node) {
    return node instanceof SqlCall call
        && (call.getKind() == SqlKind.OVER
            || call.getOperandList().stream()
                .anyMatch(
                    each ->
                        each != null
                            && (!each.isA(SqlKind.QUERY) || each.getKind() == SqlKind.ROW)
                            && hasWindow(each)));
  }

  private static @Nullable String unsupportedRows(SqlNode source) {
    return source instanceof SqlCall call && call.getOperator().getName().equals("ONLY")
        ? "FROM ONLY"
        : null;
  }

  private static @Nullable String unsupportedFunction(String name) {
    return JSON.contains(name) || OF_MULTISETS.contains(name) ? name : null;
  }

  private static final class Search extends SqlBasicVisitor<Boolean> {
    private final boolean queries;
    private final boolean parameters;

    Search(boolean queries, boolean parameters) {
      this.queries = queries;
      this.parameters = parameters;
    }

    @Override
    public Boolean visit(SqlCall call) {
      if (queries && SqlKind.TOP_LEVEL.contains(call.getKind()) && !isRow(call)) {
        return true;
      }
      for (SqlNode operand : call.getOperandList()) {
        if (operand != null && Boolean.TRUE.equals(operand.accept(this))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isRow(SqlCall call) {
      return call.getKind() == SqlKind.ROW;
    }

    @Override
    public Boolean visit(SqlDynamicParam parameter) {
      return parameters;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlNodeList nodes) {
      for (SqlNode node : nodes) {
        if (node != null && Boolean.TRUE.equals(node.accept(this))) {
          return true;
        }
      }
      return false;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlLiteral literal) {
      return false;
    }

    @Override
    public Boolean visit(SqlIdentifier id) {
      return false;
    }

    @Override
    public Boolean visit(SqlDataTypeSpec type) {
      return false;
    }

    @Override
    public Boolean visit(org.apache.calcite.sql.SqlIntervalQualifier qualifier) {
      return false;
    }
  }
}
