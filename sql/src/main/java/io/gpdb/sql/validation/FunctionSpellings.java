package io.gpdb.sql.validation;

import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.dialect.RoundedNumbers;
import io.gpdb.sql.dialect.TextOperators;
import io.gpdb.sql.syntax.OwnNodes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlJdbcDataTypeName;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Functions that other databases have under other names, written as those that they are. */
final class FunctionSpellings {
  /** By name and number of arguments. */
  private static final Map<String, Spelling> ALL = new HashMap<>();

  /** Fields of dates and times, which mean the same elsewhere; days of the week do not. */
  private static final Map<String, TimeUnit> FIELDS =
      named(
          EnumSet.of(
              TimeUnit.YEAR,
              TimeUnit.ISOYEAR,
              TimeUnit.QUARTER,
              TimeUnit.MONTH,
              TimeUnit.WEEK,
              TimeUnit.DAY,
              TimeUnit.DOY,
              TimeUnit.ISODOW,
              TimeUnit.HOUR,
              TimeUnit.MINUTE,
              TimeUnit.SECOND,
              TimeUnit.DECADE,
              TimeUnit.CENTURY,
              TimeUnit.MILLENNIUM));

  private static final Set<String> FORMS = Set.of("NFC", "NFD", "NFKC", "NFKD");

  private static final Map<String, TimeUnit> UNITS =
      named(
          EnumSet.of(
              TimeUnit.YEAR,
              TimeUnit.QUARTER,
              TimeUnit.MONTH,
              TimeUnit.DAY,
              TimeUnit.HOUR,
              TimeUnit.MINUTE,
              TimeUnit.SECOND));

  private static Map<String, TimeUnit> named(Set<TimeUnit> units) {
    return units.stream().collect(Collectors.toMap(Enum::name, unit -> unit));
  }

  static {
    renamed("LCASE", 1, SqlStdOperatorTable.LOWER);
    renamed("UCASE", 1, SqlStdOperatorTable.UPPER);
    renamed("SUBSTR", 2, SqlStdOperatorTable.SUBSTRING);
    renamed("SUBSTR", 3, SqlStdOperatorTable.SUBSTRING);
    renamed("LEN", 1, SqlStdOperatorTable.CHAR_LENGTH);
    renamed("INSTR", 2, SqlLibraryOperators.STRPOS);
    renamed("LOCATE", 2, SqlStdOperatorTable.POSITION);
    renamed("LOCATE", 3, SqlStdOperatorTable.POSITION);
    renamed("POW", 2, SqlStdOperatorTable.POWER);
    renamed("{FN ROUND}", 2, RoundedNumbers.ROUND);
    renamed("{FN TRUNCATE}", 2, RoundedNumbers.TRUNCATE);
    renamed("TRUNC", 1, RoundedNumbers.TRUNCATE);
    renamed("TRUNC", 2, RoundedNumbers.TRUNCATE);
    renamed("ISNULL", 2, SqlStdOperatorTable.COALESCE);
    renamed("DAY", 1, SqlStdOperatorTable.DAYOFMONTH);
    renamed("DAY_OF_MONTH", 1, SqlStdOperatorTable.DAYOFMONTH);
    renamed("DAY_OF_YEAR", 1, SqlStdOperatorTable.DAYOFYEAR);
    renamed("DAY_OF_WEEK", 1, SqlStdOperatorTable.DAYOFWEEK);
    renamed("NOW", 0, GpOperatorTable.CURRENT_TIMESTAMP);
    renamed("CURDATE", 0, SqlStdOperatorTable.CURRENT_DATE);
    renamed("CURTIME", 0, GpOperatorTable.LOCALTIME);
    renamed("MAX_BY", 2, SqlStdOperatorTable.ARG_MAX);
    renamed("MIN_BY", 2, SqlStdOperatorTable.ARG_MIN);
    renamed("LOGICAL_AND", 1, SqlStdOperatorTable.EVERY);
    renamed("LOGICAL_OR", 1, SqlStdOperatorTable.SOME);
    renamed("BIT_AND_AGG", 1, SqlStdOperatorTable.BIT_AND);
    renamed("BIT_OR_AGG", 1, SqlStdOperatorTable.BIT_OR);
    renamed("BIT_XOR_AGG", 1, SqlStdOperatorTable.BIT_XOR);
    renamed("CHARINDEX", 2, SqlStdOperatorTable.POSITION);
    renamed("CHARINDEX", 3, SqlStdOperatorTable.POSITION);
    renamed("REPLICATE", 2, SqlLibraryOperators.REPEAT);
    renamed("GETDATE", 0, GpOperatorTable.LOCALTIMESTAMP);
    add("SPACE", 1, FunctionSpellings::spaces);
    add("LOG2", 1, FunctionSpellings::binaryLogarithm);
    add("IIF", 3, (at, of) -> choice(at, of.get(0), of.get(1), of.get(2)));
    add("IF", 3, (at, of) -> choice(at, of.get(0), of.get(1), of.get(2)));
    add("NVL2", 3, FunctionSpellings::ofPresence);
    add(
        "ZEROIFNULL",
        1,
        (at, of) -> SqlStdOperatorTable.COALESCE.createCall(at, of.get(0), number(at, 0)));
    add(
        "NULLIFZERO",
        1,
        (at, of) -> SqlStdOperatorTable.NULLIF.createCall(at, of.get(0), number(at, 0)));
    add("STARTS_WITH", 2, FunctionSpellings::beginning);
    add("ENDS_WITH", 2, FunctionSpellings::end);
    add("BTRIM", 1, (at, of) -> trimmed(at, of.get(0)));
    add("BTRIM", 2, (at, of) -> trimmed(at, of.get(0), of.get(1)));
    add(
        "STUFF",
        4,
        (at, of) ->
            SqlStdOperatorTable.OVERLAY.createCall(at, of.get(0), of.get(3), of.get(1), of.get(2)));
    add("NORMALIZE", 1, (at, of) -> normalized(at, of.get(0), "NFC"));
    add("NORMALIZE", 2, FunctionSpellings::normalized);
    add("DATEDIFF", 3, FunctionSpellings::boundaries);
    add("COUNT_IF", 1, FunctionSpellings::countIf);
    add("COUNTIF", 1, FunctionSpellings::countIf);
    add("DATE_PART", 2, (at, of) -> withUnit(FIELDS, SqlStdOperatorTable.EXTRACT, at, of));
    add("DATEADD", 3, (at, of) -> withUnit(UNITS, SqlStdOperatorTable.TIMESTAMP_ADD, at, of));
    add("DATE_TRUNC", 2, FunctionSpellings::truncated);
  }

  private FunctionSpellings() {}

  /** A call as another; null where the arguments are not those of such a call. */
  private interface Spelling {
    @Nullable SqlNode of(SqlParserPos at, List<SqlNode> arguments);
  }

  /** Whether there is one of that name. */
  static boolean isSpelling(String name) {
    return ALL.keySet().stream()
        .anyMatch(key -> key.length() == name.length() + 1 && key.startsWith(name));
  }

  private static void add(String name, int arguments, Spelling spelling) {
    ALL.put(name + arguments, spelling);
  }

  private static void renamed(String name, int arguments, SqlOperator operator) {
    add(name, arguments, (at, of) -> operator.createCall(at, of));
  }

  /** The call as the function that it is, or the node itself. */
  static @Nullable SqlNode of(@Nullable SqlNode node) {
    if (!(node instanceof SqlCall call)
        || !(call.getOperator() instanceof SqlFunction)
        || call.getFunctionQuantifier() != null) {
      return node;
    }
    SqlCall octets = TextOperators.withOctets(call);
    if (octets != null) {
      return octets;
    }
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    if (name.equals("{FN CONVERT}")) {
      return converted(call);
    }
    if (name.equals("DECODE") && call.operandCount() > 2) {
      return decoded(call);
    }
    if (name.equals("CONCAT_WS") && call.operandCount() > 1) {
      return joined(call);
    }
    Spelling spelling = ALL.get(name + call.operandCount());
    SqlNode known =
        spelling == null ? null : spelling.of(call.getParserPosition(), call.getOperandList());
    return known == null ? node : known;
  }

  /** The escape CONVERT of JDBC as the cast that it is. */
  private static SqlNode converted(SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    return call.operand(1) instanceof SqlLiteral type
        ? SqlStdOperatorTable.CAST.createCall(
            at,
            call.operand(0),
            type.symbolValue(SqlJdbcDataTypeName.class).createDataType(type.getParserPosition()))
        : call;
  }

  private static SqlNode beginning(SqlParserPos at, List<SqlNode> of) {
    SqlNode text = ParameterGuesses.text(of.get(1));
    SqlNode place =
        SqlStdOperatorTable.POSITION.createCall(at, text, ParameterGuesses.text(of.get(0)));
    return SqlStdOperatorTable.EQUALS.createCall(at, place, number(at, 1));
  }

  private static SqlNode end(SqlParserPos at, List<SqlNode> of) {
    SqlNode text = ParameterGuesses.text(of.get(1));
    SqlNode length = SqlStdOperatorTable.CHAR_LENGTH.createCall(at, OwnNodes.copy(text));
    SqlNode last =
        SqlLibraryOperators.RIGHT.createCall(at, ParameterGuesses.text(of.get(0)), length);
    return SqlStdOperatorTable.EQUALS.createCall(at, last, text);
  }

  private static SqlNode trimmed(SqlParserPos at, SqlNode... of) {
    List<SqlNode> inner = new ArrayList<>(List.of(of));
    inner.set(0, SqlLibraryOperators.LTRIM.createCall(at, of));
    for (int i = 1; i < of.length; i++) {
      inner.set(i, OwnNodes.copy(of[i]));
    }
    return SqlLibraryOperators.RTRIM.createCall(at, inner);
  }

  private static @Nullable SqlNode normalized(SqlParserPos at, List<SqlNode> of) {
    return of.get(1) instanceof SqlIdentifier form && FORMS.contains(form.toString())
        ? normalized(at, of.get(0), form.toString())
        : null;
  }

  private static SqlNode normalized(SqlParserPos at, SqlNode text, String form) {
    return TextOperators.NORMALIZE.createCall(at, text, SqlLiteral.createCharString(form, at));
  }

  /** How often a unit begins between two times: years between 31 December and 1 January are 1. */
  private static @Nullable SqlNode boundaries(SqlParserPos at, List<SqlNode> of) {
    TimeUnit unit = unit(UNITS, of.get(0));
    if (unit == null) {
      return null;
    }
    SqlIntervalQualifier written =
        new SqlIntervalQualifier(unit, null, of.get(0).getParserPosition());
    return SqlStdOperatorTable.TIMESTAMP_DIFF.createCall(
        at,
        written,
        SqlStdOperatorTable.FLOOR.createCall(at, of.get(1), written),
        SqlStdOperatorTable.FLOOR.createCall(at, of.get(2), written));
  }

  /** {@code CONCAT_WS(s, a, b, …)}: the texts that are not NULL, with s between them. */
  private static SqlNode joined(SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    List<SqlNode> of = call.getOperandList();
    SqlNode empty = SqlLiteral.createCharString("", at);
    SqlNode all = empty;
    for (SqlNode text : of.subList(1, of.size())) {
      SqlNode behind =
          SqlStdOperatorTable.CAST.createCall(
              at,
              SqlStdOperatorTable.CONCAT.createCall(at, OwnNodes.copy(of.getFirst()), text),
              new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, at), at));
      all =
          SqlStdOperatorTable.CONCAT.createCall(
              at, all, SqlStdOperatorTable.COALESCE.createCall(at, behind, empty));
    }
    SqlNode length = SqlStdOperatorTable.CHAR_LENGTH.createCall(at, of.getFirst());
    return SqlStdOperatorTable.SUBSTRING.createCall(
        at, all, SqlStdOperatorTable.PLUS.createCall(at, length, number(at, 1)));
  }

  private static SqlNode number(SqlParserPos at, int value) {
    return SqlLiteral.createExactNumeric(Integer.toString(value), at);
  }

  private static SqlNode choice(SqlParserPos at, SqlNode condition, SqlNode then, SqlNode not) {
    return new SqlCase(at, null, SqlNodeList.of(condition), SqlNodeList.of(then), not);
  }

  private static SqlNode spaces(SqlParserPos at, List<SqlNode> of) {
    return SqlLibraryOperators.REPEAT.createCall(
        at, SqlLiteral.createCharString(" ", at), of.get(0));
  }

  private static SqlNode binaryLogarithm(SqlParserPos at, List<SqlNode> of) {
    return GpOperatorTable.LOG.createCall(at, number(at, 2), of.get(0));
  }

  private static SqlNode ofPresence(SqlParserPos at, List<SqlNode> of) {
    SqlNode present = SqlStdOperatorTable.IS_NOT_NULL.createCall(at, of.get(0));
    return choice(at, present, of.get(1), of.get(2));
  }

  private static SqlNode countIf(SqlParserPos at, List<SqlNode> of) {
    return SqlStdOperatorTable.COUNT.createCall(
        at, choice(at, of.get(0), number(at, 1), SqlLiteral.createNull(at)));
  }

  /** {@code DECODE(x, a, b, …, z)}: b where x is a, both NULL among that; else z or NULL. */
  private static SqlNode decoded(SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    List<SqlNode> of = call.getOperandList();
    List<SqlNode> conditions = new ArrayList<>();
    List<SqlNode> results = new ArrayList<>();
    for (int i = 1; i + 1 < of.size(); i += 2) {
      conditions.add(
          SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(
              at, i == 1 ? of.get(0) : OwnNodes.copy(of.get(0)), of.get(i)));
      results.add(of.get(i + 1));
    }
    SqlNode otherwise = of.size() % 2 == 0 ? of.getLast() : SqlLiteral.createNull(at);
    return new SqlCase(
        at, null, new SqlNodeList(conditions, at), new SqlNodeList(results, at), otherwise);
  }

  /** The first argument, a name or a text, as a unit of time. */
  private static @Nullable TimeUnit unit(Map<String, TimeUnit> units, SqlNode argument) {
    String name =
        argument instanceof SqlCharStringLiteral text
            ? text.getValueAs(String.class)
            : argument instanceof SqlIdentifier id && id.isSimple() ? id.getSimple() : "";
    return units.get(name.toUpperCase(Locale.ROOT));
  }

  private static @Nullable SqlNode withUnit(
      Map<String, TimeUnit> units, SqlOperator operator, SqlParserPos at, List<SqlNode> of) {
    TimeUnit unit = unit(units, of.get(0));
    if (unit == null) {
      return null;
    }
    List<SqlNode> operands = new ArrayList<>(of);
    operands.set(0, new SqlIntervalQualifier(unit, null, of.get(0).getParserPosition()));
    return operator.createCall(at, operands);
  }

  private static @Nullable SqlNode truncated(SqlParserPos at, List<SqlNode> of) {
    TimeUnit unit = unit(UNITS, of.get(0));
    return unit == null
        ? null
        : SqlStdOperatorTable.FLOOR.createCall(
            at, of.get(1), new SqlIntervalQualifier(unit, null, of.get(0).getParserPosition()));
  }
}
