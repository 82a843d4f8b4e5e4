package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.NodeCopy;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.parser.AssignmentClause;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The columns of a SET list, or of a list of values, and what each of them is set to. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Assignments(TableDef table, int[] columns, List<SqlNode> values) {

  static Assignments of(List<AssignmentClause> set, TableDef table, CatalogSnapshot catalog) {
    SqlNodeList names = new SqlNodeList(SqlParserPos.ZERO);
    List<SqlNode> values = new ArrayList<>();
    for (AssignmentClause clause : set) {
      names.addAll(clause.columns());
      if (clause.isQuery()) {
        fieldsOf(clause, values);
      } else {
        values.addAll(clause.values());
      }
    }
    int[] columns = TableNames.columns(table, names, catalog);
    return of(columns, values, table, catalog);
  }

  /** Values for columns, in which DEFAULT is replaced and parameters have the columns' types. */
  static Assignments of(
      int[] columns, List<SqlNode> values, TableDef table, CatalogSnapshot catalog) {
    AssignedColumns assignable = new AssignedColumns(table, null);
    List<SqlNode> assigned = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      ColumnDef column = table.column(columns[i]);
      assignable.require(columns[i], values.get(i));
      assigned.add(typed(valueOrDefault(values.get(i), column, catalog.inSchemaOf(table)), column));
    }
    return new Assignments(table, columns, assigned);
  }

  /** Each field of the query by a query of its own. */
  private static void fieldsOf(AssignmentClause clause, List<SqlNode> values) {
    SqlNode given = clause.values().getFirst();
    SqlNode query = given.getKind() == SqlKind.SCALAR_QUERY ? ((SqlCall) given).operand(0) : given;
    SqlParserPos at = query.getParserPosition();
    for (int i = 0; i < clause.columns().size(); i++) {
      List<SqlNode> derived = new ArrayList<>();
      derived.add(NodeCopy.of(query));
      derived.add(new SqlIdentifier("$R", at));
      for (int c = 0; c < clause.columns().size(); c++) {
        derived.add(new SqlIdentifier("$C" + c, at));
      }
      values.add(
          SqlStdOperatorTable.SCALAR_QUERY.createCall(
              at,
              QueryConversion.select(
                  SqlNodeList.of(new SqlIdentifier("$C" + i, at)),
                  SqlStdOperatorTable.AS.createCall(at, derived),
                  null)));
    }
  }

  private static SqlNode valueOrDefault(SqlNode value, ColumnDef column, CatalogSnapshot catalog) {
    if (value.getKind() != SqlKind.DEFAULT) {
      return value;
    }
    IdentityDef identity = column.identity();
    return identity == null
        ? defaultOf(column, catalog)
        : SequenceFunction.next(catalog.sequence(identity)).call(value.getParserPosition());
  }

  /** The expression of a column's DEFAULT, which is NULL where it has none. */
  static SqlNode defaultOf(ColumnDef column, CatalogSnapshot catalog) {
    String text = column.defaultSql();
    try {
      return SequenceCalls.expression(SqlText.expression(text == null ? "NULL" : text), catalog);
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.INTERNAL, "DEFAULT of column " + column.name() + ": " + text, e);
    }
  }

  /** A bare parameter gets the type of its column. */
  static SqlNode typed(SqlNode item, ColumnDef column) {
    if (!(item instanceof SqlDynamicParam)) {
      return item;
    }
    return SqlStdOperatorTable.CAST.createCall(
        item.getParserPosition(), item, ParameterGuesses.declared(column.type().unlimited()));
  }

  /** Those of columns that are not generated; of those that are, only DEFAULT can be written. */
  Assignments ofOthersThanGenerated() {
    List<SqlNode> others = new ArrayList<>();
    int[] kept = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      if (table.column(columns[i]).generatedSql() == null) {
        kept[others.size()] = columns[i];
        others.add(values.get(i));
      }
    }
    return new Assignments(table, java.util.Arrays.copyOf(kept, others.size()), others);
  }

  /** The same, read from the target as its query has it. */
  Assignments named(TargetRows target) {
    return new Assignments(table, columns, values.stream().map(target::named).toList());
  }

  /** The values as items of a select list; each may have a condition on which it is computed. */
  void addTo(SqlNodeList items, String prefix, @Nullable SqlNode condition) {
    for (int i = 0; i < columns.length; i++) {
      SqlNode value = values.get(i);
      SqlParserPos at = value.getParserPosition();
      SqlNode item = condition == null ? value : CaseOf.when(condition, value);
      items.add(SqlStdOperatorTable.AS.createCall(at, item, new SqlIdentifier(prefix + i, at)));
    }
  }
}
