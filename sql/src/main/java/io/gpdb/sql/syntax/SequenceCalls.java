package io.gpdb.sql.syntax;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.dialect.RandomValue;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * NEXT VALUE FOR and its kin, and random values, where each row evaluates them once: in the select
 * list of a statement's outermost query, among VALUES, in SET and in DEFAULT. There they become
 * calls of a {@link SequenceFunction} or {@link RandomValue}; everywhere else they stay as they are
 * written, and {@link NodeSearch} refuses them.
 */
public final class SequenceCalls {
  private static final Set<String> FUNCTIONS = Set.of("NEXTVAL", "CURRVAL", "LASTVAL");

  private final CatalogSnapshot catalog;

  private SequenceCalls(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /** The statement with its calls resolved, partly in place. */
  public static SqlNode resolved(SqlNode statement, CatalogSnapshot catalog) {
    if (!isAnyIn(statement)) {
      return statement;
    }
    return new SequenceCalls(catalog).statement(statement);
  }

  /** The expression with its calls resolved. */
  public static SqlNode expression(SqlNode expression, CatalogSnapshot catalog) {
    return isAnyIn(expression) ? new SequenceCalls(catalog).row(expression) : expression;
  }

  /** Names of the sequences that an expression asks. */
  public static Set<String> sequences(SqlNode expression) {
    Set<String> names = new HashSet<>();
    expression.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (isCall(call) && !call.getOperandList().isEmpty()) {
              names.add(name(call).names.getLast());
            }
            return super.visit(call);
          }
        });
    return names;
  }

  /** What a call is called where it is refused; null for one of something else. */
  static @Nullable String refused(SqlCall call) {
    if (!isCall(call)) {
      return null;
    }
    return switch (call.getKind()) {
      case NEXT_VALUE -> "NEXT VALUE FOR in this place";
      case CURRENT_VALUE -> "CURRENT VALUE FOR in this place";
      default -> call.getOperator().getName().toUpperCase(Locale.ROOT) + " in this place";
    };
  }

  private static boolean isCall(SqlCall call) {
    return switch (call.getKind()) {
      case NEXT_VALUE, CURRENT_VALUE -> true;
      case OTHER_FUNCTION -> FUNCTIONS.contains(functionName(call)) || isRandom(call);
      default -> false;
    };
  }

  /** Whether a function of that name takes numbers of sequences or is random. */
  public static boolean isFunction(String name) {
    return FUNCTIONS.contains(name) || RandomValue.isWritten(name);
  }

  private static boolean isRandom(SqlCall call) {
    return RandomValue.isWritten(functionName(call));
  }

  /** Whether an expression asks for a random value. */
  public static boolean isRandomIn(SqlNode expression) {
    return isAnyIn(expression, call -> call.getKind() == SqlKind.OTHER_FUNCTION && isRandom(call));
  }

  private static String functionName(SqlCall call) {
    return call.getOperator().getName().toUpperCase(Locale.ROOT);
  }

  private static boolean isAnyIn(SqlNode node) {
    return isAnyIn(node, SequenceCalls::isCall);
  }

  private static boolean isAnyIn(SqlNode node, Predicate<SqlCall> sought) {
    boolean[] found = {false};
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            found[0] |= sought.test(call);
            return found[0] ? null : super.visit(call);
          }
        });
    return found[0];
  }

  private SqlNode statement(SqlNode node) {
    return switch (node) {
      case SqlInsert insert -> {
        insert.setOperand(2, rows(insert.getSource()));
        yield insert;
      }
      case SqlUpdate update -> {
        update.setOperand(2, items(update.getSourceExpressionList()));
        yield update;
      }
      default -> rows(node);
    };
  }

  /** A query whose rows are those of the statement. */
  private SqlNode rows(SqlNode query) {
    return switch (query) {
      case SqlOrderBy ordered ->
          new SqlOrderBy(
              ordered.getParserPosition(),
              rows(ordered.query),
              ordered.orderList,
              ordered.offset,
              ordered.fetch);
      case SqlWith with -> {
        with.setOperand(1, rows(with.body));
        yield with;
      }
      case SqlSelect select -> selected(select);
      case SqlBasicCall values when values.getKind() == SqlKind.VALUES -> listed(values);
      default -> query;
    };
  }

  private SqlNode selected(SqlSelect select) {
    if (!select.isDistinct() && select.getGroup() == null && select.getHaving() == null) {
      select.setSelectList(items(select.getSelectList()));
    }
    return select;
  }

  private SqlNode listed(SqlBasicCall values) {
    for (int i = 0; i < values.operandCount(); i++) {
      values.setOperand(i, row(values.operand(i)));
    }
    return values;
  }

  private SqlNodeList items(SqlNodeList items) {
    SqlNodeList resolved = new SqlNodeList(items.getParserPosition());
    Set<ObjectName> taken = new HashSet<>();
    for (SqlNode item : items) {
      resolved.add(inRow(item, taken));
    }
    return resolved;
  }

  private SqlNode row(SqlNode expression) {
    return inRow(expression, new HashSet<>());
  }

  /**
   * @param taken names of the sequences from which the row has a number
   */
  private SqlNode inRow(SqlNode expression, Set<ObjectName> taken) {
    SqlNode resolved =
        expression.accept(
            new SqlShuttle() {
              @Override
              public @Nullable SqlNode visit(SqlCall call) {
                if (call.isA(SqlKind.QUERY)) {
                  return call;
                }
                return isCall(call) ? resolved(call, taken) : super.visit(call);
              }
            });
    return resolved == null ? expression : resolved;
  }

  private SqlNode resolved(SqlCall call, Set<ObjectName> taken) {
    SqlParserPos position = call.getParserPosition();
    if (call.getKind() == SqlKind.OTHER_FUNCTION && isRandom(call)) {
      if (!call.getOperandList().isEmpty()) {
        throw wrong(functionName(call) + " has no arguments", call);
      }
      return RandomValue.call(functionName(call), position);
    }
    if (call.getKind() == SqlKind.OTHER_FUNCTION && functionName(call).equals("LASTVAL")) {
      if (!call.getOperandList().isEmpty()) {
        throw wrong("LASTVAL has no arguments", call);
      }
      return SequenceFunction.last().call(position);
    }
    SequenceDef sequence = sequence(TableNames.named(name(call), catalog), call, catalog);
    boolean current =
        call.getKind() == SqlKind.CURRENT_VALUE
            || (call.getKind() == SqlKind.OTHER_FUNCTION && functionName(call).equals("CURRVAL"));
    if (current) {
      return SequenceFunction.current(sequence).call(position);
    }
    // SQL's is the same number for all of a row, which functions that count are not.
    if (call.getKind() == SqlKind.NEXT_VALUE && !taken.add(sequence.fullName())) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "NEXT VALUE FOR " + sequence.name() + " twice in a row" + TableNames.at(call));
    }
    return SequenceFunction.next(sequence).call(position);
  }

  /** The sequence of that name, or 42704. */
  public static SequenceDef sequence(ObjectName name, SqlNode place, CatalogSnapshot catalog) {
    SequenceDef sequence = catalog.sequence(name);
    if (sequence == null) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_FOUND,
          "sequence " + name + " does not exist" + TableNames.at(place));
    }
    return sequence;
  }

  private static SqlIdentifier name(SqlCall call) {
    List<SqlNode> operands = call.getOperandList();
    SqlNode operand = operands.size() == 1 ? operands.getFirst() : null;
    if (operand instanceof SqlIdentifier id) {
      if (call.getKind() == SqlKind.OTHER_FUNCTION) {
        throw wrong(functionName(call) + " takes the name of a sequence between quotes", call);
      }
      return id;
    }
    if (operand instanceof SqlLiteral literal
        && org.apache.calcite.sql.type.SqlTypeName.CHAR_TYPES.contains(literal.getTypeName())) {
      return new SqlIdentifier(parts(text(literal)), literal.getParserPosition());
    }
    throw new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        functionName(call) + " of anything but the name of a sequence" + TableNames.at(call));
  }

  private static String text(SqlLiteral literal) {
    String text = literal.getValueAs(String.class);
    return text == null ? "" : text.strip();
  }

  /** The parts of a name in a text: folded unless between double quotes. */
  private static List<String> parts(String text) {
    return Arrays.stream(text.split("\\.(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)"))
        .map(
            part ->
                part.length() > 1 && part.startsWith("\"") && part.endsWith("\"")
                    ? part.substring(1, part.length() - 1).replace("\"\"", "\"")
                    : part.toUpperCase(Locale.ROOT))
        .toList();
  }

  private static GpdbException wrong(String message, SqlNode place) {
    return new GpdbException(SqlCondition.INVALID_STATEMENT, message + TableNames.at(place));
  }
}
