package io.gpdb.sql.dialect;

import com.google.common.collect.ImmutableList;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** PERCENT_RANK and CUME_DIST, computed of a rank and of numbers of rows. */
final class Distributions {
  private final RexBuilder builder;
  private final List<RexNode> partition;
  private final ImmutableList<RexFieldCollation> order;

  Distributions(
      RexBuilder builder, List<RexNode> partition, ImmutableList<RexFieldCollation> order) {
    this.builder = builder;
    this.partition = partition;
    this.order = order;
  }

  /** The rank without the row, over the other rows of its partition; 0 where there are none. */
  RexNode percentRank() {
    RexNode one = builder.makeExactLiteral(BigDecimal.ONE, bigint());
    RexNode others = builder.makeCall(SqlStdOperatorTable.MINUS, count(ImmutableList.of()), one);
    RexNode before =
        builder.makeCall(SqlStdOperatorTable.MINUS, over(SqlStdOperatorTable.RANK, order), one);
    return builder.makeCall(
        SqlStdOperatorTable.CASE,
        builder.makeCall(
            SqlStdOperatorTable.EQUALS, others, builder.makeExactLiteral(BigDecimal.ZERO)),
        builder.makeCast(real(), builder.makeExactLiteral(BigDecimal.ZERO)),
        share(before, others));
  }

  /** The rows up to this one and those that are sorted as it is, over all of the partition. */
  RexNode cumulative() {
    return share(count(order), count(ImmutableList.of()));
  }

  private RexNode share(RexNode part, RexNode all) {
    return builder.makeCall(
        SqlStdOperatorTable.DIVIDE, builder.makeCast(real(), part), builder.makeCast(real(), all));
  }

  private RexNode count(ImmutableList<RexFieldCollation> by) {
    return over(SqlStdOperatorTable.COUNT, by);
  }

  private RexNode over(SqlAggFunction function, ImmutableList<RexFieldCollation> by) {
    return builder.makeOver(
        SqlParserPos.ZERO,
        bigint(),
        function,
        List.of(),
        partition,
        by,
        RexWindowBounds.UNBOUNDED_PRECEDING,
        by.isEmpty() ? RexWindowBounds.UNBOUNDED_FOLLOWING : RexWindowBounds.CURRENT_ROW,
        RexWindowExclusion.EXCLUDE_NO_OTHER,
        false,
        true,
        false,
        false,
        false);
  }

  private RelDataType bigint() {
    return builder.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
  }

  private RelDataType real() {
    return builder.getTypeFactory().createSqlType(SqlTypeName.DOUBLE);
  }
}
