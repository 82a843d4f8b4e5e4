package io.gpdb.planner.expression;

import io.gpdb.sql.catalog.SequenceDef;
import io.gpdb.sql.dialect.SequenceFunction;
import org.apache.calcite.rex.RexCall;

/** Numbers of sequences, which the host takes one by one. */
final class SequenceForms {
  private SequenceForms() {}

  static HostExpression next(HostOperands in, RexCall call) {
    SequenceDef sequence = SequenceFunction.of(call).sequence();
    return row -> row.parameters().numbers().next(sequence);
  }

  static HostExpression current(HostOperands in, RexCall call) {
    SequenceDef sequence = SequenceFunction.of(call).sequence();
    return row -> row.parameters().numbers().session().of(sequence);
  }

  static HostExpression last(HostOperands in, RexCall call) {
    return row -> row.parameters().numbers().session().last();
  }
}
