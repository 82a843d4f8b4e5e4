package io.gpdb.sql.syntax;

import io.gpdb.sql.dialect.GpRexBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * Literals that are a value of their own, and not compared with another one or put beside it, are
 * written as VARCHARs: what a query selects, what a function makes a text of, and what becomes one
 * type without any other text. To the standard a literal is a CHAR, which is padded where a longer
 * one is beside it: {@code CASE WHEN a THEN 'yes' ELSE 'no' END}, or a column {@code SELECT 'yes'
 * AS a} in {@code COALESCE(a, 'unknown')}. Hardly any database does that.
 */
public final class LiteralTexts {
  private static final Set<String> CHOICES =
      Set.of("COALESCE", "NVL", "IFNULL", "GREATEST", "LEAST");

  /** Operators whose value has the type of a text that they take. */
  private static final Set<String> KEEPING =
      Set.of(
          "||",
          "UPPER",
          "LOWER",
          "UCASE",
          "LCASE",
          "INITCAP",
          "NULLIF",
          "MIN",
          "MAX",
          "ANY_VALUE",
          "MODE",
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE",
          "LAG",
          "LEAD");

  private static final Set<SqlKind> SET_OPERATIONS =
      EnumSet.of(SqlKind.UNION, SqlKind.INTERSECT, SqlKind.EXCEPT);

  private static final Set<SqlKind> ROWS =
      EnumSet.of(SqlKind.VALUES, SqlKind.UNION, SqlKind.INTERSECT, SqlKind.EXCEPT);

  /** Queries whose columns are those of set operations, which decide on their literals. */
  private final Set<SqlNode> members = Collections.newSetFromMap(new IdentityHashMap<>());

  /** A place that holds a text. */
  private interface Place {
    SqlNode text();

    void set(SqlNode text);
  }

  private record Operand(SqlCall call, int index) implements Place {
    @Override
    public SqlNode text() {
      return call.operand(index);
    }

    @Override
    public void set(SqlNode text) {
      call.setOperand(index, text);
    }
  }

  private record Element(SqlNodeList list, int index) implements Place {
    @Override
    public SqlNode text() {
      return list.get(index);
    }

    @Override
    public void set(SqlNode text) {
      list.set(index, text);
    }
  }

  /** Recursive queries, and what they begin with. */
  private final Set<SqlNode> recursive = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The node, in which literals may have become VARCHARs; it comes before what it is made of. */
  public @Nullable SqlNode of(@Nullable SqlNode node) {
    if (node instanceof SqlCharStringLiteral literal
        && literal.getValueAs(NlsString.class).getCharsetName() != null) {
      return SqlLiteral.createCharString(
          literal.getValueAs(String.class), literal.getParserPosition());
    }
    if (!(node instanceof SqlCall call)) {
      return node;
    }
    if (node instanceof SqlSelect select && !members.contains(select)) {
      columns(select.getSelectList()).forEach(place -> vary(List.of(place)));
      return node;
    }
    if (KEEPING.contains(call.getOperator().getName().toUpperCase(Locale.ROOT))) {
      operands(call).forEach(place -> vary(List.of(place)));
      return node;
    }
    List<Place> choice = choice(call);
    if (choice != null) {
      vary(choice);
      return node;
    }
    if (node instanceof SqlWithItem item && item.recursive.booleanValue()) {
      recursive.add(item.query);
    }
    if (SET_OPERATIONS.contains(call.getKind())) {
      addMembers(call);
    }
    List<List<Place>> rows = ROWS.contains(call.getKind()) ? rows(call) : null;
    int width = rows == null || rows.isEmpty() ? 0 : rows.getFirst().size();
    if (rows != null && rows.stream().allMatch(row -> row.size() == width)) {
      for (int i = 0; i < width; i++) {
        int column = i;
        vary(rows.stream().map(row -> row.get(column)).toList());
      }
    }
    return node;
  }

  /** The first query of a recursive one has its columns by itself, before there are other rows. */
  private void addMembers(SqlCall operation) {
    members.addAll(operation.getOperandList());
    if (recursive.contains(operation)) {
      SqlNode first = operation.operand(0);
      members.remove(first);
      recursive.add(first);
    }
  }

  /** What a call chooses among; null where it is no choice. */
  private static @Nullable List<Place> choice(SqlCall call) {
    if (call instanceof SqlCase choice) {
      List<Place> places = new ArrayList<>();
      for (int i = 0; i < choice.getThenOperands().size(); i++) {
        places.add(new Element(choice.getThenOperands(), i));
      }
      if (choice.getElseOperand() != null) {
        places.add(new Operand(choice, 3));
      }
      return places;
    }
    return call.getOperator() instanceof SqlFunction function
            && CHOICES.contains(function.getName().toUpperCase(Locale.ROOT))
        ? operands(call)
        : null;
  }

  /** The rows of VALUES and of the queries of set operations; null where one is not written out. */
  private static @Nullable List<List<Place>> rows(SqlNode query) {
    List<List<Place>> rows = new ArrayList<>();
    switch (query.getKind()) {
      case SELECT -> rows.add(columns(((SqlSelect) query).getSelectList()));
      case VALUES, UNION, INTERSECT, EXCEPT -> {
        for (SqlNode operand : ((SqlCall) query).getOperandList()) {
          List<List<Place>> own = rows(operand);
          if (own == null) {
            return null;
          }
          rows.addAll(own);
        }
      }
      case ROW -> rows.add(operands((SqlCall) query));
      default -> {
        return null;
      }
    }
    return rows;
  }

  private static List<Place> columns(SqlNodeList list) {
    List<Place> row = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      SqlNode column = list.get(i);
      boolean isNamed = column.getKind() == SqlKind.AS;
      row.add(isNamed ? new Operand((SqlCall) column, 0) : new Element(list, i));
    }
    return row;
  }

  private static List<Place> operands(SqlCall call) {
    List<Place> operands = new ArrayList<>();
    for (int i = 0; i < call.operandCount(); i++) {
      operands.add(new Operand(call, i));
    }
    return operands;
  }

  /** Writes a literal as a VARCHAR where all of the texts are made of literals. */
  private static void vary(List<Place> places) {
    List<SqlCharStringLiteral> literals = new ArrayList<>();
    Place first = null;
    for (Place place : places) {
      int before = literals.size();
      if (!collect(place.text(), literals)) {
        return;
      }
      first = first == null && literals.size() > before ? place : first;
    }
    if (first != null) {
      SqlNode text = first.text();
      int length = literals.stream().mapToInt(LiteralTexts::length).max().orElseThrow();
      SqlParserPos at = text.getParserPosition();
      SqlTypeNameSpec varchar = new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, length, at);
      first.set(SqlStdOperatorTable.CAST.createCall(at, text, new SqlDataTypeSpec(varchar, at)));
    }
  }

  /** Adds the literals of which a text is one; whether it is. */
  private static boolean collect(SqlNode text, List<SqlCharStringLiteral> literals) {
    if (text instanceof SqlCharStringLiteral literal) {
      literals.add(literal);
      return true;
    }
    List<Place> choice = text instanceof SqlCall call ? choice(call) : null;
    return SqlUtil.isNullLiteral(text, false)
        || (choice != null && choice.stream().allMatch(place -> collect(place.text(), literals)));
  }

  private static int length(SqlCharStringLiteral literal) {
    String text = literal.getValueAs(String.class);
    return GpRexBuilder.characters(text);
  }
}
