package io.gpdb.sql.conversion;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The condition of a CHECK as a query for the rows that make it FALSE. */
public final class CheckCondition {
  private CheckCondition() {}

  /**
   * SELECT _ROWID FROM table WHERE NOT (condition).
   *
   * @throws GpdbException where the condition is none, or depends on more than the row
   */
  public static RelNode violations(TableDef table, CheckDef check) {
    try {
      RelNode tree = query(table, parsed(table, check));
      requireDeterministic(tree, check);
      return tree;
    } catch (SqlParseException | RuntimeException e) {
      GpdbException cause =
          new ErrorTranslation(new SqlText(check.condition()), CatalogSnapshot.EMPTY).translate(e);
      throw new GpdbException(
          cause.code(), "CHECK " + check.name() + ": " + cause.getMessage(), cause);
    }
  }

  private static SqlNode parsed(TableDef table, CheckDef check) throws SqlParseException {
    SqlNode parsed = SqlText.expression(check.condition());
    NodeSearch.checkSupported(parsed);
    if (NodeSearch.hasQuery(parsed)) {
      throw refused("a subquery");
    }
    if (NodeSearch.hasParameter(parsed)) {
      throw refused("a parameter");
    }
    for (SqlIdentifier name : NodeSearch.columns(parsed)) {
      if (name.names.getLast().equals(GpTable.ROW_ID)) {
        throw new GpdbException(
            SqlCondition.COLUMN_NOT_FOUND,
            "column " + GpTable.ROW_ID + " does not exist in table " + table.name());
      }
    }
    return parsed;
  }

  private static RelNode query(TableDef table, SqlNode condition) {
    SqlParserPos at = SqlParserPos.ZERO;
    SqlNode from =
        SqlStdOperatorTable.AS.createCall(
            at,
            new SqlIdentifier(List.of(NameResolution.rowsSchema(table.schema()), table.name()), at),
            new SqlIdentifier(table.name(), at));
    SqlNodeList rowId =
        SqlNodeList.of(new SqlIdentifier(List.of(table.name(), GpTable.ROW_ID), at));
    SqlNode where = SqlStdOperatorTable.NOT.createCall(condition.getParserPosition(), condition);
    CatalogSnapshot alone = CatalogSnapshot.of(table);
    return new QueryConversion(alone, null, List.of(), new ParameterGuesses(SqlTypeSpec.VARCHAR))
        .query(QueryConversion.select(rowId, from, where))
        .root()
        .project();
  }

  private static void requireDeterministic(RelNode tree, CheckDef check) {
    tree.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            SqlOperator operator = call.getOperator();
            if (!operator.isDeterministic() || operator.isDynamicFunction()) {
              throw refused(operator.getName() + ", which is not the same each time,");
            }
            return super.visitCall(call);
          }
        });
    tree.getInputs().forEach(input -> requireDeterministic(input, check));
  }

  private static GpdbException refused(String what) {
    return new GpdbException(ErrorCode.NOT_SUPPORTED, what + " is not supported in a CHECK");
  }
}
