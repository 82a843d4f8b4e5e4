package io.gpdb.sql;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's conversions of syntax to expressions, except that AVG over a window stays one call:
 * Calcite's expansion casts the sum to the type of the average, which overflows too early.
 */
final class GpConvertlets implements SqlRexConvertletTable {
  static final GpConvertlets INSTANCE = new GpConvertlets();

  private static final SqlRexConvertlet AS_IT_IS =
      (context, call) ->
          context
              .getRexBuilder()
              .makeCall(
                  context.getValidator().getValidatedNodeType(call),
                  call.getOperator(),
                  call.getOperandList().stream().map(context::convertExpression).toList());

  private GpConvertlets() {}

  @Override
  public @Nullable SqlRexConvertlet get(SqlCall call) {
    return call.getKind() == SqlKind.AVG ? AS_IT_IS : StandardConvertletTable.INSTANCE.get(call);
  }
}
