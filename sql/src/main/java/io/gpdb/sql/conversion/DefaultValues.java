package io.gpdb.sql.conversion;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/** The DEFAULT expressions of columns as expressions assignable to their columns. */
public final class DefaultValues {
  private final QueryConversion conversion;

  public DefaultValues(QueryConversion conversion) {
    this.conversion = conversion;
  }

  /** The default of a column; a column without one gets NULL. */
  public RexNode of(TableDef table, int index) {
    ColumnDef column = table.column(index);
    IdentityDef identity = column.identity();
    if (identity != null) {
      SequenceDef sequence = conversion.catalog().sequence(identity);
      return SequenceFunction.next(sequence).call(conversion.rexBuilder());
    }
    RexNode value = given(table, column);
    if (value == null) {
      RelDataType type = GpTypes.relType(column.type().unlimited(), true);
      return conversion.rexBuilder().makeNullLiteral(type);
    }
    return value;
  }

  private @Nullable RexNode given(TableDef table, ColumnDef column) {
    String text = column.defaultSql();
    if (text == null) {
      return null;
    }
    try {
      SqlNode parsed =
          SequenceCalls.expression(
              SqlText.expression(text), conversion.catalog().inSchemaOf(table));
      NodeSearch.checkSupported(parsed);
      if (NodeSearch.hasQuery(parsed) || NodeSearch.hasParameter(parsed)) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "DEFAULT of column " + column.name() + " has a query or parameter: " + text);
      }
      RexNode value = conversion.expression(parsed).value();
      return Assignment.assigned(conversion.rexBuilder(), value, table, column);
    } catch (SqlParseException | RuntimeException e) {
      GpdbException cause =
          new ErrorTranslation(new SqlText(text), CatalogSnapshot.EMPTY).translate(e);
      throw new GpdbException(
          cause.code(), "DEFAULT of column " + column.name() + ": " + cause.getMessage(), cause);
    }
  }
}
