package io.gpdb.sql.validation;

import io.gpdb.sql.parser.TypeSpelling;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Infers a probable type of parameters where Calcite finds none: COALESCE(?, 1), ? || 'x', ? + ?.
 * Such a parameter is wrapped in a cast, by the literals next to it or, in another attempt, by a
 * given type. Beside a column, whose type the validator knows, it stays as it is.
 */
public final class ParameterGuesses {
  /** Types to try in turn for parameters of which nothing is known. */
  public static final List<SqlTypeSpec> ATTEMPTS =
      List.of(
          SqlTypeSpec.VARCHAR,
          SqlTypeSpec.DOUBLE,
          SqlTypeSpec.BIGINT,
          SqlTypeSpec.TIMESTAMP,
          SqlTypeSpec.DATE,
          SqlTypeSpec.BOOLEAN,
          SqlTypeSpec.TIME,
          SqlTypeSpec.VARBINARY);

  private static final Set<SqlKind> ARITHMETIC =
      Set.of(SqlKind.PLUS, SqlKind.MINUS, SqlKind.TIMES, SqlKind.DIVIDE, SqlKind.MOD);

  private static final Set<String> ONE_TYPE_FUNCTIONS =
      Set.of("||", "COALESCE", "NULLIF", "IFNULL", "NVL", "GREATEST", "LEAST");

  /** Functions, and which of their arguments are whole numbers beside another type. */
  private static final Map<String, List<Integer>> NUMBERS =
      Map.of(
          "ROUND", List.of(1),
          "LEFT", List.of(1),
          "RIGHT", List.of(1),
          "REPEAT", List.of(1),
          "LPAD", List.of(1),
          "RPAD", List.of(1),
          "SUBSTR", List.of(1, 2),
          "SUBSTRING", List.of(1, 2),
          "LOCATE", List.of(2),
          "OVERLAY", List.of(2, 3));

  private final SqlTypeSpec unknown;
  private final BitSet guessed = new BitSet();

  /** Within ORDER BY of a query, whose parameters the validator does not look at. */
  private boolean isOrder;

  /** Parameters without literals next to them are taken for {@code unknown}. */
  public ParameterGuesses(SqlTypeSpec unknown) {
    this.unknown = unknown;
  }

  /** The type of a parameter that is alone. */
  public SqlTypeSpec unknown() {
    return unknown;
  }

  /** The types to try for the parameters of one function. */
  List<SqlTypeSpec> attempts() {
    List<SqlTypeSpec> all = new ArrayList<>(ATTEMPTS);
    all.remove(unknown);
    all.addFirst(unknown);
    return all;
  }

  /** Whether the parameter's type does not follow from its place. */
  public boolean isGuessed(int parameter) {
    return guessed.get(parameter);
  }

  void guess(int parameter) {
    guessed.set(parameter);
  }

  public boolean hasGuessed() {
    return !guessed.isEmpty();
  }

  static boolean isArithmetic(SqlCall call) {
    return ARITHMETIC.contains(call.getKind());
  }

  /** Wraps the parameters of a statement, in place. */
  public void wrap(SqlNode statement) {
    statement.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call instanceof SqlOrderBy ordered) {
              return visitOrdered(ordered);
            }
            wrapNumbers(call);
            if (call instanceof SqlCase choice) {
              wrapCase(choice);
            } else if (needsTypes(call)) {
              wrapOperands(call);
            }
            if (isArithmetic(call) || call.getKind().belongsTo(SqlKind.COMPARISON)) {
              call.getOperandList().forEach(ParameterGuesses.this::wrapInFunctions);
            }
            return super.visit(call);
          }

          private @Nullable Void visitOrdered(SqlOrderBy ordered) {
            ordered.query.accept(this);
            isOrder = true;
            ordered.orderList.accept(this);
            isOrder = false;
            for (SqlNode count : Arrays.asList(ordered.offset, ordered.fetch)) {
              if (count != null) {
                count.accept(this);
              }
            }
            return null;
          }
        });
  }

  /** Calcite would give them the type of a parameter beside them, or of none. */
  private static void wrapNumbers(SqlCall call) {
    if (call.operandCount() > 1) {
      String name = call.getOperator().getName();
      if (name.startsWith("{")) {
        name = name.replaceAll("(?i)^\\{fn |\\}$", "");
      }
      for (int i : NUMBERS.getOrDefault(name, List.of())) {
        if (i < call.operandCount() && call.operand(i) instanceof SqlDynamicParam number) {
          call.setOperand(i, cast(number, SqlTypeSpec.INTEGER));
        }
      }
    }
  }

  /** Calcite asks for the type of an operand before it looks at the parameters in there. */
  private void wrapInFunctions(SqlNode operand) {
    if (operand instanceof SqlCall call
        && (call.getOperator() instanceof SqlFunction || isArithmetic(call))
        && call.getKind() != SqlKind.CAST) {
      if (!isArithmetic(call) || needsTypes(call)) {
        wrapOperands(call);
      }
      call.getOperandList().forEach(this::wrapInFunctions);
    }
  }

  private static boolean needsTypes(SqlCall call) {
    if (isArithmetic(call)) {
      return call.getOperandList().stream()
          .allMatch(o -> o instanceof SqlDynamicParam || o instanceof SqlLiteral);
    }
    return ONE_TYPE_FUNCTIONS.contains(call.getOperator().getName());
  }

  /**
   * The nodes that one value is chosen among, or that are put together: what CASE returns, the
   * arguments of COALESCE and its kin. Empty for other calls.
   */
  static List<SqlNode> ofOneType(SqlCall call) {
    if (call instanceof SqlCase choice) {
      List<SqlNode> results = new ArrayList<>(choice.getThenOperands());
      SqlNode otherwise = choice.getElseOperand();
      if (otherwise != null) {
        results.add(otherwise);
      }
      return results;
    }
    return ONE_TYPE_FUNCTIONS.contains(call.getOperator().getName())
        ? call.getOperandList()
        : List.of();
  }

  /** Whether the validator can ask one of them for the type of a parameter among them. */
  private boolean sayType(List<SqlNode> nodes) {
    return !isOrder && nodes.stream().anyMatch(ParameterGuesses::saysType);
  }

  static boolean saysType(SqlNode node) {
    return node instanceof SqlIdentifier id && !id.isStar();
  }

  /** Whether Calcite writes each operand in one place; COALESCE and its kin become a CASE. */
  private static boolean isOnce(SqlCall call) {
    String name = call.getOperator().getName();
    return name.equals("GREATEST") || name.equals("LEAST") || name.equals("||");
  }

  private void guessAll(List<SqlNode> nodes) {
    for (SqlNode node : nodes) {
      if (node instanceof SqlDynamicParam parameter) {
        guess(parameter.getIndex());
      }
    }
  }

  private void wrapOperands(SqlCall call) {
    List<SqlNode> operands = call.getOperandList();
    boolean known = sayType(ofOneType(call));
    SqlTypeSpec alone = isArithmetic(call) ? SqlTypeSpec.DOUBLE : unknown;
    for (int i = 0; i < operands.size(); i++) {
      if (operands.get(i) instanceof SqlDynamicParam parameter) {
        if (known && (i == operands.size() - 1 || isOnce(call))) {
          guess(parameter.getIndex());
        } else {
          call.setOperand(i, wrapped(parameter, besides(operands, alone)));
        }
      }
    }
  }

  private void wrapCase(SqlCase choice) {
    List<SqlNode> all = ofOneType(choice);
    if (sayType(all)) {
      guessAll(all);
      return;
    }
    SqlNodeList results = choice.getThenOperands();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof SqlDynamicParam parameter) {
        results.set(i, wrapped(parameter, besides(results, unknown)));
      }
    }
    if (choice.getElseOperand() instanceof SqlDynamicParam parameter) {
      choice.setOperand(3, wrapped(parameter, besides(results, unknown)));
    }
  }

  private SqlNode wrapped(SqlDynamicParam parameter, SqlTypeSpec type) {
    guess(parameter.getIndex());
    return cast(parameter, type);
  }

  /** The text that is compared with others, which a parameter may be. */
  static SqlNode text(SqlNode node) {
    return node instanceof SqlDynamicParam parameter ? cast(parameter, SqlTypeSpec.VARCHAR) : node;
  }

  private static SqlNode cast(SqlDynamicParam parameter, SqlTypeSpec type) {
    return SqlStdOperatorTable.CAST.createCall(
        parameter.getParserPosition(), parameter, declared(type));
  }

  public static SqlDataTypeSpec declared(SqlTypeSpec type) {
    if (type.kind().isInterval()) { // Calcite would lose the fields
      return new SqlDataTypeSpec(
              new TypeSpelling.Interval(IntervalType.of(type), SqlParserPos.ZERO),
              SqlParserPos.ZERO)
          .withNullable(true);
    }
    return SqlTypeUtil.convertTypeToSpec(
        GpTypes.FACTORY.createTypeWithNullability(GpTypes.relType(type, true), true));
  }

  private static SqlTypeSpec besides(List<SqlNode> operands, SqlTypeSpec alone) {
    for (SqlNode operand : operands) {
      if (operand instanceof SqlNumericLiteral number) {
        return number.isInteger() ? SqlTypeSpec.BIGINT : SqlTypeSpec.DOUBLE;
      }
      if (operand instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.CHAR) {
        return SqlTypeSpec.VARCHAR;
      }
    }
    return alone;
  }
}
